// The line below an answer: figures, siblings, and what can be done with it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: footer

    required property string statistics
    required property bool streaming
    required property bool unanswered
    required property int alternative
    required property int alternatives

    Accessible.role: Accessible.StaticText
    Accessible.name: streaming ? qsTr("The model is answering") : statistics

    Item {
        width: footer.room
        height: Theme.control - 4

        Spinner {
            anchors.verticalCenter: parent.verticalCenter
            visible: footer.streaming
        }
        RowLayout {
            anchors.fill: parent
            visible: !footer.streaming
            spacing: Theme.space2

            PlainText {
                Layout.maximumWidth: footer.room - 180
                text: footer.statistics
                secondary: true
                Accessible.ignored: true
            }
            Alternatives {
                alternative: footer.alternative
                alternatives: footer.alternatives
                enabled: !footer.context.chat.answering
                onStepped: step => footer.context.chat.showAlternative(footer.message, step)
            }
            CopyButton {
                visible: !footer.unanswered
                text: qsTr("Copy the answer")
                onClicked: footer.context.chat.copyMessage(footer.message)
            }
            IconButton {
                size: Theme.control - 4
                symbol: "reload"
                text: qsTr("Answer again")
                enabled: footer.context.chat.canAsk
                opacity: enabled ? 1 : 0.4
                onClicked: footer.context.chat.regenerate(footer.message)
            }
            IconButton {
                size: Theme.control - 4
                symbol: "delete"
                text: footer.alternatives > 1 ? qsTr("Delete this answer") : qsTr("Delete the question and its answer")
                enabled: !footer.context.chat.answering
                opacity: enabled ? 1 : 0.4
                onClicked: footer.context.chat.remove(footer.message)
            }
            Item {
                Layout.fillWidth: true
            }
        }
    }
}
