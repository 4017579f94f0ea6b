// The line above an answer that says that the model thinks, or how long it thought; opens what it thought.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: thinking

    required property string thought
    required property bool folded

    Accessible.ignored: true

    Row {
        // The sign's edge stands where the answer's text begins.
        x: -Theme.space2
        spacing: Theme.space1

        T.AbstractButton {
            id: line

            objectName: "thinkingLine"
            implicitWidth: implicitContentWidth + leftPadding + rightPadding
            implicitHeight: Theme.control - 4
            leftPadding: Theme.space1
            rightPadding: Theme.space2
            focusPolicy: Qt.StrongFocus
            text: thinking.thought
            Accessible.role: Accessible.Button
            Accessible.name: text
            Accessible.description: thinking.folded ? qsTr("Shows what the model thought") : qsTr("Hides what the model thought")
            Keys.onReturnPressed: clicked()
            Keys.onEnterPressed: clicked()
            onClicked: thinking.context.conversation.toggleFold(thinking.index)

            contentItem: Row {
                spacing: Theme.space1

                Icon {
                    anchors.verticalCenter: parent.verticalCenter
                    symbol: thinking.folded ? "chevron-right" : "chevron-down"
                    size: Theme.iconSmall
                    color: line.hovered ? Theme.text : Theme.dim
                }
                PlainText {
                    anchors.verticalCenter: parent.verticalCenter
                    text: line.text
                    color: line.hovered ? Theme.text : Theme.dim
                    Accessible.ignored: true
                }
            }
            background: Rectangle {
                radius: Theme.radiusControl
                color: line.down ? Theme.pressed : line.hovered ? Theme.hover : "transparent"

                FocusRing {
                    visible: line.visualFocus
                }
            }
        }
        CopyButton {
            visible: !thinking.folded
            text: qsTr("Copy what the model thought")
            onClicked: thinking.context.chat.copyReasoning(thinking.message)
        }
    }
}
