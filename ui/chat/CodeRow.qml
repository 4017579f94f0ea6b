// Code on a sunken card: its language, copying, folding; long code goes on over several rows.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: code

    required property string language
    required property bool first
    required property bool last
    required property bool foldable
    required property bool folded
    required property int lines

    text: edit
    Accessible.role: Accessible.Grouping
    Accessible.name: language === "" ? qsTr("Code") : qsTr("Code, %1").arg(language)
    Accessible.description: edit.getText(0, Math.min(edit.length, 2000))

    Item {
        width: code.room
        height: card.height
        clip: true

        Rectangle {
            id: card

            width: parent.width
            height: (code.first ? top.height : 0) + flick.height + (code.folded ? more.height : code.last ? Theme.space3 : 0)
            radius: Theme.radiusCard
            color: Theme.sunken
            border.width: Theme.hairline
            border.color: Theme.line
        }
        Edge {
            visible: !code.first
        }
        Edge {
            visible: !code.last
            y: parent.height - height
        }
        Item {
            id: top

            visible: code.first
            width: parent.width
            height: Theme.control + 4

            PlainText {
                anchors.left: parent.left
                anchors.leftMargin: Theme.space4
                anchors.verticalCenter: parent.verticalCenter
                text: code.language === "" ? qsTr("code") : code.language
                font.family: Theme.mono
                font.pixelSize: Theme.fontSmall
                color: Theme.dim
                Accessible.ignored: true
            }
            Row {
                anchors.right: parent.right
                anchors.rightMargin: Theme.space1
                anchors.verticalCenter: parent.verticalCenter

                IconButton {
                    visible: code.foldable
                    size: Theme.control - 4
                    symbol: "chevron-down"
                    rotation: code.folded ? -90 : 0
                    text: code.folded ? qsTr("Show all %1 lines").arg(code.lines) : qsTr("Fold the code")
                    onClicked: code.context.conversation.toggleFold(code.index)
                }
                CopyButton {
                    text: qsTr("Copy the code")
                    onClicked: code.context.chat.copy(code.context.conversation.codeText(code.index))
                }
            }
        }
        Flickable {
            id: flick

            y: code.first ? top.height : 0
            x: Theme.space4
            width: parent.width - 2 * Theme.space4
            height: edit.implicitHeight + (bar.size < 1 ? bar.height : 0)
            contentWidth: edit.implicitWidth
            contentHeight: edit.implicitHeight
            flickableDirection: Flickable.HorizontalFlick
            boundsBehavior: Flickable.StopAtBounds
            interactive: contentWidth > width
            clip: true
            ScrollBar.horizontal: ScrollHandle {
                id: bar
            }

            BlockText {
                id: edit

                context: code.context
                row: code.index
                revision: code.revision
                wrapMode: TextEdit.NoWrap
                font.family: Theme.mono
                font.pixelSize: Theme.fontCode
                lineHeight: Theme.lineCode
                lineLimit: code.folded ? 12 : 0
            }
        }
        Item {
            id: more

            visible: code.folded
            y: flick.y + flick.height
            width: parent.width
            height: Theme.control + Theme.space2

            ActionButton {
                anchors.centerIn: parent
                look: ActionButton.Quiet
                text: qsTr("Show all %1 lines").arg(code.lines)
                onClicked: code.context.conversation.toggleFold(code.index)
            }
        }
    }

    // Straight sides, where the card goes on.
    component Edge: Rectangle {
        width: parent.width
        height: Theme.radiusCard
        color: Theme.sunken

        Rectangle {
            width: Theme.hairline
            height: parent.height
            color: Theme.line
        }
        Rectangle {
            anchors.right: parent.right
            width: Theme.hairline
            height: parent.height
            color: Theme.line
        }
    }
}
