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

    // A model is about to be opened: no use in asking for one.
    required property bool starting
    readonly property bool empty: chat.messages.count === 0
    readonly property int column: Math.min(Theme.reading, width - 2 * Theme.space6)
    // Loading is shown after a moment only: most small models are there before anyone could read it.
    property bool showLoading: false

    signal openRequested

    function focusBox() {
        composer.focusBox();
    }

    Keys.onPressed: event => {
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
                messages: page.chat.messages
                onCopyRequested: text => page.chat.copy(text)
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
            onDismissed: {
                page.chat.dismissNotice();
                page.focusBox();
            }
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
            message: page.chat.contextFull ? qsTr("The context is full. Start a new chat (Ctrl+N), or choose a longer context in the settings and load the model again.") : ""
        }
        PromptProgress {
            Layout.fillWidth: false
            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            reading: page.chat.reading
            done: page.chat.promptDone
            total: page.chat.promptTotal
        }
        Composer {
            id: composer

            Layout.alignment: Qt.AlignHCenter
            Layout.preferredWidth: page.column
            Layout.bottomMargin: Theme.space5
            focus: true
            chat: page.chat
            invitation: page.model.loaded ? qsTr("Ask anything, Shift+Enter for a new line") : page.model.loading || page.starting ? qsTr("Type your question; the model is being loaded") : qsTr("Open a model to start (Ctrl+O)")
        }
    }
}
