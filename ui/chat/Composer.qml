// The message box: Enter sends, Shift+Enter breaks the line.
// SPDX-License-Identifier: Apache-2.0
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

    function focusBox() {
        area.forceActiveFocus(Qt.OtherFocusReason);
    }

    implicitHeight: Math.min(260, flick.contentHeight) + bottom.height + Theme.space3

    Connections {
        target: composer.chat

        function onDraftChanged() {
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
        anchors.bottom: bottom.top
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
            onTextChanged: composer.chat.draft = text
            // Tab moves on here; a text box would take it for itself.
            Keys.onTabPressed: nextItemInFocusChain().forceActiveFocus(Qt.TabFocusReason)
            Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
            Keys.onReturnPressed: event => enter(event)
            Keys.onEnterPressed: event => enter(event)

            // A draft that came back, or was there before: go on at its end.
            function takeDraft() {
                if (text !== composer.chat.draft) {
                    text = composer.chat.draft;
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
    Item {
        id: bottom

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Theme.space2 + 2
        height: Theme.control

        PlainText {
            anchors.left: parent.left
            anchors.leftMargin: Theme.space4
            anchors.verticalCenter: parent.verticalCenter
            secondary: true
            text: composer.chat.answering ? qsTr("Esc stops the answer") : qsTr("Enter sends")
            Accessible.ignored: true
        }
        PlainText {
            anchors.right: send.left
            anchors.rightMargin: Theme.space3
            anchors.verticalCenter: parent.verticalCenter
            visible: composer.chat.answering
            secondary: true
            text: composer.chat.answerTokens === 1 ? qsTr("1 token") : qsTr("%L1 tokens").arg(composer.chat.answerTokens)
        }
        ActionButton {
            id: send

            objectName: "sendButton"
            anchors.right: parent.right
            anchors.rightMargin: Theme.space2 + 2
            look: ActionButton.Primary
            symbol: composer.chat.answering ? "stop" : "send"
            text: composer.chat.answering ? qsTr("Stop") : qsTr("Send")
            hint: composer.chat.answering ? qsTr("Esc") : composer.chat.canSend ? qsTr("Enter") : composer.chat.obstacle
            enabled: composer.chat.answering || composer.chat.canSend
            onClicked: {
                if (composer.chat.answering) {
                    composer.chat.stop();
                } else {
                    composer.chat.send();
                }
                composer.focusBox();
            }
        }
    }
}
