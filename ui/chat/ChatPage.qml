// The chat page: conversation, composer, and what to do when there is neither model nor message.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

FocusScope {
    id: page

    required property ChatViewModel chat
    required property ModelViewModel model
    required property SteeringViewModel steering

    // A model is about to be opened: no use in asking for one.
    required property bool starting
    readonly property bool empty: chat.conversation.messageCount === 0
    readonly property int column: Math.min(Theme.reading * Theme.scale, width - 2 * Theme.space6)
    // Loading is shown after a moment only: most small models are there before anyone could read it.
    property bool showLoading: false

    signal openRequested
    signal attachRequested
    signal steeringRequested

    function focusBox() {
        composer.focusBox();
    }
    function find() {
        finder.open();
    }
    function editLast() {
        const last = page.chat.canAsk ? page.chat.lastQuestion() : -1;
        if (last >= 0) {
            list.showRow(page.chat.conversation.firstRow(last));
            rows.editing = last;
        }
    }
    // Esc ends what goes on, one thing at a time.
    function leave(): bool {
        if (finder.shown) {
            finder.close();
        } else if (rows.editing >= 0) {
            rows.editing = -1;
        } else {
            return false;
        }
        page.focusBox();
        return true;
    }

    RowContext {
        id: rows

        chat: page.chat
        find: finder.shown ? finder.text : ""
        // Sent or left: the cursor goes back to the message box.
        onEditingChanged: {
            if (editing < 0) {
                page.focusBox();
            }
        }
    }

    Keys.onPressed: event => {
        if (event.matches(StandardKey.Copy) && !rows.selection.empty) {
            list.copySelection();
            event.accepted = true;
            return;
        }
        if (event.matches(StandardKey.Undo) && page.chat.undoText !== "") {
            page.chat.undo();
            event.accepted = true;
            return;
        }
        const pages = event.key === Qt.Key_PageUp ? -0.9 : event.key === Qt.Key_PageDown ? 0.9 : 0;
        if (pages !== 0) {
            list.scrollBy(pages);
            event.accepted = true;
        }
    }

    Connections {
        target: page.model

        function onChanged() {
            patience.running = page.model.loading;
            if (!page.model.loading) {
                page.showLoading = false;
            }
        }
    }
    Timer {
        id: patience

        interval: Theme.patience
        onTriggered: page.showLoading = page.model.loading
    }
    // What a screen reader says next; nobody sees it.
    Item {
        Accessible.role: Accessible.StaticText
        Accessible.name: page.chat.announcement
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: Theme.space3

        Item {
            Layout.fillWidth: true
            Layout.fillHeight: true

            MessageList {
                id: list

                objectName: "messages"
                anchors.fill: parent
                visible: !page.empty
                context: rows
            }
            FindBar {
                id: finder

                anchors.top: parent.top
                anchors.right: parent.right
                anchors.margins: Theme.space3
                selection: rows.selection
                onRowFound: row => list.showRow(row)
                onClosed: page.focusBox()
            }
            CenteredScroll {
                anchors.fill: parent
                visible: page.empty && !page.starting && !page.model.loaded && !page.model.loading

                NoModelView {
                    width: parent.width
                    model: page.model
                    onOpenRequested: page.openRequested()
                }
            }
            LoadingView {
                anchors.centerIn: parent
                width: Math.min(460, page.column)
                visible: page.empty && page.showLoading
                model: page.model
            }
            CenteredScroll {
                anchors.fill: parent
                visible: page.empty && page.model.loaded && !page.model.loading

                Invitation {
                    width: parent.width
                    modelName: page.model.name
                    chat: page.chat
                    onAsked: question => {
                        page.chat.ask(question);
                        page.focusBox();
                    }
                }
            }
        }
        LoadingView {
            Layout.fillWidth: false
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            visible: !page.empty && page.showLoading
            model: page.model
        }
        Banner {
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            visible: page.chat.notice.shown
            message: page.chat.notice.what
            place: page.chat.notice.where
            advice: page.chat.notice.remedy
            actionText: page.chat.plainPromptHelps ? qsTr("Use a plain prompt instead") : ""
            onActionTriggered: {
                page.chat.usePlainPrompt();
                page.focusBox();
            }
            onDismissed: {
                page.chat.dismissNotice();
                page.focusBox();
            }
        }
        Banner {
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            severe: false
            visible: page.chat.draft.notice.shown
            message: page.chat.draft.notice.what
            place: page.chat.draft.notice.where
            advice: page.chat.draft.notice.remedy
            onDismissed: page.chat.draft.dismissNotice()
        }
        UndoLine {
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            said: page.chat.undoText
            onUndone: page.chat.undo()
            onDismissed: page.chat.dismissUndo()
        }
        Repeater {
            model: page.model.warnings

            QuietLine {
                required property string modelData

                Layout.fillWidth: false
                Layout.alignment: Qt.AlignHCenter
                Layout.preferredWidth: page.column
                message: modelData
            }
        }
        QuietLine {
            Layout.fillWidth: false
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            message: page.chat.contextFull ? qsTr("The context is full. The next question leaves the oldest messages out; a longer context can be chosen in the menu of the model.") : ""
        }
        PromptProgress {
            Layout.fillWidth: false
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            reading: page.chat.reading
            done: page.chat.promptDone
            total: page.chat.promptTotal
            remaining: page.chat.promptLeft
        }
        Composer {
            id: composer

            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            Layout.bottomMargin: Theme.space5
            focus: true
            chat: page.chat
            steering: page.steering.summary
            onAttachRequested: page.attachRequested()
            onSteeringRequested: page.steeringRequested()
            onEditLastRequested: page.editLast()
            invitation: page.model.loaded ? qsTr("Ask anything, Shift+Enter for a new line") : page.model.loading || page.starting ? qsTr("Type your question; the model is being loaded") : qsTr("Open a model to start (Ctrl+O)")
        }
    }
}
