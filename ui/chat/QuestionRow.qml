// What the person asked, in a bubble; a long question goes on over several rows.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: question

    required property bool first
    required property bool last
    required property bool foldable
    required property bool folded
    required property list<string> attachments
    required property int alternative
    required property int alternatives
    readonly property bool editing: first && context.editing === message

    text: editing ? null : edit
    Accessible.role: Accessible.ListItem
    Accessible.name: qsTr("You: %1").arg(edit.getText(0, Math.min(edit.length, 2000)))

    Column {
        width: question.room
        spacing: Theme.space1

        QuestionEditor {
            visible: question.editing
            width: parent.width
            active: question.editing
            initial: question.first ? question.context.chat.questionText(question.message) : ""
            canSend: question.context.chat.canAsk
            onAccepted: text => {
                question.context.editing = -1;
                question.context.chat.resend(question.message, text);
            }
            onCancelled: question.context.editing = -1
        }
        Rectangle {
            id: bubble

            readonly property real most: question.room - 2 * Theme.space6

            visible: !question.editing
            anchors.right: parent.right
            width: Math.max(edit.width, chips.width) + 2 * Theme.space4
            height: edit.height + (question.first ? Theme.space2 + 2 : 0) + (question.last ? Theme.space2 + 2 : 0) + (chips.visible ? chips.height + Theme.space2 : 0)
            radius: question.foldable && !(question.first && question.last) ? 0 : Theme.radiusBubble
            color: Theme.sunken

            BlockText {
                id: edit

                x: Theme.space4
                y: question.first ? Theme.space2 + 2 : 0
                context: question.context
                row: question.index
                revision: question.revision
                // The width that the text would like; a wrapping TextEdit doesn't tell.
                width: question.foldable ? bubble.most - 2 * Theme.space4 : Math.min(measure.implicitWidth + 2, bubble.most - 2 * Theme.space4)
            }
            PlainText {
                id: measure

                visible: false
                text: edit.length > 0 ? edit.getText(0, Math.min(edit.length, 600)) : ""
                font: edit.font
            }
            Column {
                id: chips

                visible: question.last && question.attachments.length > 0
                x: Theme.space4
                y: edit.y + edit.height + Theme.space2
                spacing: Theme.space1

                Repeater {
                    model: chips.visible ? question.attachments : []

                    PlainText {
                        required property string modelData

                        width: Math.min(implicitWidth, bubble.most - 2 * Theme.space4)
                        secondary: true
                        text: qsTr("Attached: %1").arg(modelData)
                        elide: Text.ElideMiddle
                    }
                }
            }
        }
        RowLayout {
            visible: question.last && !question.editing
            anchors.right: parent.right
            spacing: Theme.space1

            ActionButton {
                visible: question.foldable
                look: ActionButton.Quiet
                text: question.folded ? qsTr("Show all") : qsTr("Show less")
                onClicked: question.context.conversation.toggleFold(question.index)
            }
            Alternatives {
                alternative: question.alternative
                alternatives: question.alternatives
                enabled: !question.context.chat.answering
                onStepped: step => question.context.chat.showAlternative(question.message, step)
            }
            CopyButton {
                text: qsTr("Copy the question")
                onClicked: question.context.chat.copyMessage(question.message)
            }
            IconButton {
                size: Theme.control - 4
                symbol: "edit"
                text: qsTr("Edit the question")
                enabled: question.context.chat.canAsk
                opacity: enabled ? 1 : 0.4
                onClicked: question.context.editing = question.message
            }
        }
    }
}
