// The window: rail, header, pages, and what works everywhere (shortcuts, drops, dialogs).
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Settings
import Vitrine.Shell
import Vitrine.Theme

ApplicationWindow {
    id: window

    required property ChatViewModel chat
    required property ModelViewModel model
    required property SettingsViewModel settings
    // "chat" or "settings".
    property string page: "chat"
    // The command line names a file; it is opened after the first frame.
    property bool starting: false

    function goTo(name: string) {
        page = name;
        if (name === "chat") {
            chatPage.focusBox();
        } else {
            settingsLoader.forceActiveFocus(Qt.OtherFocusReason);
        }
    }
    function openFile() {
        dialog.active = true;
        (dialog.item as OpenDialog).open();
    }
    function startAnew() {
        chat.startAnew();
        goTo("chat");
    }

    title: model.loaded ? qsTr("%1 – Vitrine").arg(model.name) : qsTr("Vitrine")
    minimumWidth: 640
    minimumHeight: 480
    color: Theme.background
    font.family: Theme.sans
    font.pixelSize: Theme.fontBase
    Component.onCompleted: goTo(page)

    Binding {
        target: Theme
        property: "mode"
        value: window.settings.theme
    }
    Connections {
        target: window.model

        function onChanged() {
            window.starting = false;
        }
        // The cursor is in the message box when the model is ready.
        function onReady() {
            if (window.page === "chat") {
                chatPage.focusBox();
            }
        }
    }

    FocusScope {
        anchors.fill: parent
        focus: true
        Keys.onEscapePressed: window.chat.stop()

        Rail {
            id: rail

            height: parent.height
            page: window.page
            onChosen: page => window.goTo(page)
        }
        ColumnLayout {
            anchors.left: rail.right
            anchors.right: parent.right
            height: parent.height
            spacing: 0

            Header {
                Layout.fillWidth: true
                model: window.model
                onOpenRequested: window.openFile()
                onStartAnewRequested: window.startAnew()
                canStartAnew: window.chat.messages.count > 0
            }
            Banner {
                Layout.alignment: Qt.AlignHCenter
                Layout.topMargin: Theme.space3
                Layout.preferredWidth: Math.min(Theme.reading, parent.width - 2 * Theme.space6)
                visible: window.model.notice.shown
                message: window.model.notice.what
                place: window.model.notice.where
                advice: window.model.notice.remedy
                actionText: window.model.loaded && !window.model.usable ? qsTr("Load again") : qsTr("Open another file…")
                onActionTriggered: {
                    if (window.model.loaded && !window.model.usable) {
                        window.model.reload();
                    } else {
                        window.openFile();
                    }
                }
                onDismissed: window.model.dismissNotice()
            }
            Banner {
                Layout.alignment: Qt.AlignHCenter
                Layout.topMargin: Theme.space3
                Layout.preferredWidth: Math.min(Theme.reading, parent.width - 2 * Theme.space6)
                visible: window.settings.notice.shown
                severe: false
                message: window.settings.notice.what
                place: window.settings.notice.where
                advice: window.settings.notice.remedy
                onDismissed: window.settings.dismissNotice()
            }
            ChatPage {
                id: chatPage

                Layout.fillWidth: true
                Layout.fillHeight: true
                visible: window.page === "chat"
                focus: visible
                chat: window.chat
                model: window.model
                starting: window.starting
                onOpenRequested: window.openFile()
            }
            Loader {
                id: settingsLoader

                Layout.fillWidth: true
                Layout.fillHeight: true
                active: false
                visible: window.page === "settings"
                focus: visible
                // Made on the first visit, then kept.
                onVisibleChanged: active = active || visible
                Component.onCompleted: active = visible
                // A Loader of Qt 6.4 can't make bound components, hence what the linter says.
                // qmllint disable unqualified
                sourceComponent: SettingsPage {
                    focus: true
                    settings: window.settings
                    reloadNeeded: window.model.reloadNeeded
                    onReloadRequested: window.model.reload()
                }
                // qmllint enable unqualified
            }
        }
    }

    DropOverlay {
        anchors.fill: parent
        onFileDropped: url => window.model.openUrl(url)
    }
    // Dialogs cost time to load; nobody needs them before the first frame.
    Loader {
        id: dialog

        active: false
        // qmllint disable unqualified
        sourceComponent: OpenDialog {
            onChosen: url => window.model.openUrl(url)
        }
        // qmllint enable unqualified
    }

    Shortcut {
        sequence: "Ctrl+O"
        onActivated: window.openFile()
    }
    Shortcut {
        sequence: "Ctrl+N"
        onActivated: window.startAnew()
    }
    Shortcut {
        sequence: "Ctrl+L"
        onActivated: window.goTo("chat")
    }
    Shortcut {
        sequence: "Ctrl+,"
        onActivated: window.goTo("settings")
    }
    Shortcut {
        sequence: "Ctrl+Q"
        onActivated: window.close()
    }
}
