// The message box: Enter sends, Shift+Enter breaks the line.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

FocusScope {
    id: composer

    required property ChatViewModel chat
    // What the empty box says.
    required property string invitation
    // "temp 0.8 · top-p 0.95": what the steering panel says.
    required property string steering

    // An answer runs, here or in another chat: the button stops it.
    readonly property bool busy: chat.answering || chat.answeringElsewhere !== ""

    signal attachRequested
    signal steeringRequested
    signal editLastRequested

    function focusBox() {
        area.forceActiveFocus(Qt.OtherFocusReason);
    }

    implicitHeight: Math.min(260, flick.contentHeight) + bottom.height + Theme.space3 + (chips.visible ? chips.height + Theme.space2 : 0)

    Connections {
        target: composer.chat.draft

        function onTextChanged() {
            area.takeDraft();
        }
    }
    Rectangle {
        anchors.fill: parent
        radius: Theme.radiusBubble
        color: Theme.surface
        border.width: Theme.hairline
        border.color: area.activeFocus ? Theme.accent : Theme.lineStrong

        TapHandler {
            onTapped: composer.focusBox()
        }
    }
    Flickable {
        id: flick

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: parent.top
        anchors.bottom: chips.visible ? chips.top : bottom.top
        anchors.margins: 1
        contentHeight: area.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollHandle {}
        T.TextArea.flickable: T.TextArea {
            id: area

            objectName: "messageBox"
            focus: true
            implicitHeight: contentHeight + topPadding + bottomPadding
            leftPadding: Theme.space4
            rightPadding: Theme.space4
            topPadding: Theme.space3 + 2
            bottomPadding: Theme.space2
            wrapMode: TextEdit.Wrap
            textFormat: TextEdit.PlainText
            selectByMouse: true
            color: Theme.text
            selectionColor: Theme.selection
            selectedTextColor: Theme.text
            font.family: Theme.sans
            font.pixelSize: Theme.fontReading
            Accessible.role: Accessible.EditableText
            Accessible.multiLine: true
            Accessible.name: qsTr("Message")
            Accessible.description: hint.text
            Component.onCompleted: takeDraft()
            onTextChanged: composer.chat.draft.text = text
            // Tab moves on here; a text box would take it for itself.
            Keys.onTabPressed: nextItemInFocusChain().forceActiveFocus(Qt.TabFocusReason)
            Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
            Keys.onReturnPressed: event => enter(event)
            Keys.onEnterPressed: event => enter(event)
            Keys.onUpPressed: event => {
                event.accepted = length === 0;
                if (event.accepted) {
                    composer.editLastRequested();
                }
            }
            // A long text is attached: the box stays quick.
            Keys.onPressed: event => {
                event.accepted = event.matches(StandardKey.Paste) && composer.chat.draft.pasteLongText();
            }

            // A draft that came back, or was there before: go on at its end.
            function takeDraft() {
                if (text !== composer.chat.draft.text) {
                    text = composer.chat.draft.text;
                    cursorPosition = length;
                }
            }
            function enter(event: KeyEvent) {
                if (event.modifiers & Qt.ShiftModifier) {
                    remove(selectionStart, selectionEnd);
                    insert(cursorPosition, "\n");
                } else {
                    composer.chat.send();
                }
            }

            PlainText {
                id: hint

                x: area.leftPadding
                y: area.topPadding
                width: area.width - area.leftPadding - area.rightPadding
                visible: area.length === 0 && area.preeditText === ""
                text: composer.invitation
                font: area.font
                color: Theme.dim
                Accessible.ignored: true
            }
        }
    }
    Flow {
        id: chips

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.bottom: bottom.top
        anchors.leftMargin: Theme.space4
        anchors.rightMargin: Theme.space4
        anchors.bottomMargin: Theme.space2
        visible: composer.chat.draft.attachments.length > 0
        spacing: Theme.space2

        Repeater {
            model: composer.chat.draft.attachments

            Rectangle {
                id: chip

                required property int index
                required property string modelData

                width: said.width + remove.width + Theme.space3
                height: Theme.control - 4
                radius: Theme.radiusCell
                color: Theme.sunken

                PlainText {
                    id: said

                    anchors.verticalCenter: parent.verticalCenter
                    x: Theme.space3
                    width: Math.min(implicitWidth, chips.width - 60)
                    secondary: true
                    elide: Text.ElideMiddle
                    text: chip.modelData
                }
                IconButton {
                    id: remove

                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    size: Theme.control - 6
                    symbol: "close"
                    text: qsTr("Remove %1").arg(chip.modelData)
                    onClicked: composer.chat.draft.removeAttachment(chip.index)
                }
            }
        }
    }
    Item {
        id: bottom

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Theme.space2 + 2
        height: Theme.control

        IconButton {
            id: attach

            anchors.left: parent.left
            anchors.leftMargin: Theme.space2
            symbol: "attach"
            text: qsTr("Attach text files")
            onClicked: composer.attachRequested()
        }
        ActionButton {
            anchors.left: attach.right
            anchors.leftMargin: Theme.space1
            look: ActionButton.Quiet
            symbol: "sliders"
            text: composer.steering
            hint: qsTr("System prompt and sampler")
            onClicked: composer.steeringRequested()
        }
        PlainText {
            anchors.right: send.left
            anchors.rightMargin: Theme.space3
            anchors.verticalCenter: parent.verticalCenter
            visible: composer.chat.answering || composer.chat.draft.tokens > 0
            secondary: true
            text: {
                const count = composer.chat.answering ? composer.chat.answerTokens : composer.chat.draft.tokens;
                return count === 1 ? qsTr("1 token") : qsTr("%L1 tokens").arg(count);
            }
        }
        ActionButton {
            id: send

            objectName: "sendButton"
            anchors.right: parent.right
            anchors.rightMargin: Theme.space2 + 2
            look: ActionButton.Primary
            symbol: composer.busy ? "stop" : "send"
            text: composer.busy ? qsTr("Stop") : qsTr("Send")
            hint: composer.chat.answeringElsewhere !== "" ? composer.chat.obstacle : composer.busy ? qsTr("Esc") : composer.chat.canSend ? qsTr("Enter") : composer.chat.obstacle
            enabled: composer.busy || composer.chat.canSend
            onClicked: {
                if (composer.busy) {
                    composer.chat.stop();
                } else {
                    composer.chat.send();
                }
                composer.focusBox();
            }
        }
    }
}
