// A model is loaded and nothing was said yet: a few questions to begin with.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

ColumnLayout {
    id: view

    required property ChatViewModel chat
    required property string modelName

    signal asked(string question)

    spacing: Theme.space2

    PlainText {
        Layout.fillWidth: true
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("What do you want to ask?")
        font.pixelSize: Theme.fontTitle
        font.weight: Font.DemiBold
        Accessible.role: Accessible.Heading
    }
    PlainText {
        Layout.fillWidth: true
        Layout.bottomMargin: Theme.space4
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("%1 answers on this machine.").arg(view.modelName)
        color: Theme.dim
    }
    GridLayout {
        Layout.fillWidth: true
        columns: view.width < 600 ? 1 : 3
        columnSpacing: Theme.space3
        rowSpacing: Theme.space3

        Repeater {
            model: view.chat.sampleTitles

            T.AbstractButton {
                id: card

                required property int index
                required property string modelData
                readonly property string question: view.chat.sampleQuestions[index]

                Layout.fillWidth: true
                Layout.fillHeight: true
                Layout.preferredWidth: 1
                implicitHeight: implicitContentHeight + 2 * Theme.space4
                padding: Theme.space4
                focusPolicy: Qt.StrongFocus
                text: modelData
                Accessible.name: text
                Accessible.description: question
                Keys.onReturnPressed: card.clicked()
                Keys.onEnterPressed: card.clicked()
                onClicked: view.asked(question)

                contentItem: Column {
                    spacing: Theme.space1 + 2

                    PlainText {
                        width: parent.width
                        text: card.text
                        font.weight: Font.DemiBold
                        Accessible.ignored: true
                    }
                    PlainText {
                        width: parent.width
                        text: card.question
                        color: Theme.dim
                        wrapMode: Text.Wrap
                        lineHeight: Theme.lineBase
                        Accessible.ignored: true
                    }
                }
                background: Rectangle {
                    radius: Theme.radiusCard
                    color: card.down ? Theme.pressed : card.hovered ? Theme.hover : Theme.surface
                    border.width: Theme.hairline
                    border.color: Theme.line

                    FocusRing {
                        visible: card.visualFocus
                        inner: Theme.radiusCard
                    }
                }
            }
        }
    }
}
