// The window: rail, header, pages, and what works everywhere (shortcuts, drops, dialogs).
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Settings
import Vitrine.Shell
import Vitrine.Theme

ApplicationWindow {
    id: window

    required property ChatViewModel chat
    required property ModelViewModel model
    required property ChatListModel chats
    required property SteeringViewModel steering
    required property KeepingViewModel keeping
    required property SettingsViewModel settings
    required property InspectorViewModel inspector
    // "chat", "inspect" or "settings".
    property string page: "chat"
    // The list of chats is wanted; where the window is narrow it folds away.
    property bool sidebar: true
    property bool panel: false
    readonly property bool narrow: width < 900 * Theme.scale
    readonly property bool sidebarShown: page === "chat" && (narrow ? peeking : sidebar)
    // In a narrow window the list is open for a moment only.
    property bool peeking: false
    property bool starting: false

    function goTo(name: string) {
        page = name;
        if (name === "chat") {
            chatPage.focusBox();
        } else {
            (name === "inspect" ? inspectorLoader : settingsLoader).forceActiveFocus(Qt.OtherFocusReason);
        }
    }
    function openFile(file: url) {
        if (page === "inspect") {
            inspector.openUrl(file);
        } else {
            model.chooseUrl(file);
        }
    }
    // Models are opened, other files go with the next question.
    function take(files: var) {
        if (page === "inspect") {
            inspector.openUrl(files[0]);
            return;
        }
        const model = files.find(file => file.toString().toLowerCase().endsWith(".gguf"));
        if (model !== undefined || !window.model.loaded) {
            window.model.chooseUrl(model ?? files[0]);
        } else {
            window.chat.draft.attachFiles(files);
            goTo("chat");
        }
    }
    function startAnew() {
        chat.startAnew();
        goTo("chat");
    }
    function toggleSidebar() {
        if (narrow) {
            peeking = !peeking;
        } else {
            sidebar = !sidebar;
        }
    }
    function searchChats() {
        goTo("chat");
        if (narrow) {
            peeking = true;
        } else {
            sidebar = true;
        }
        chatSidebar.search();
    }
    function togglePanel() {
        goTo("chat");
        panel = !panel;
        if (panel) {
            steeringLoader.forceActiveFocus(Qt.ShortcutFocusReason);
        }
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
    Binding {
        target: Theme
        property: "scale"
        value: window.settings.textSize / 100
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
        Keys.onEscapePressed: {
            if (!chatPage.leave()) {
                window.peeking = false;
                window.chat.stop();
            }
        }

        Rail {
            id: rail

            height: parent.height
            page: window.page
            onChosen: page => window.goTo(page)
        }
        ChatSidebar {
            id: chatSidebar

            anchors.left: rail.right
            height: parent.height
            width: visible ? Math.round(Theme.sidebar * Math.min(1.4, Theme.scale)) : 0
            visible: window.sidebarShown
            chats: window.chats
            onNewChatRequested: window.startAnew()
            onOpened: {
                window.peeking = false;
                chatPage.focusBox();
            }
        }
        PageLoader {
            id: steeringLoader

            anchors.right: parent.right
            anchors.top: parent.top
            anchors.topMargin: Theme.header
            anchors.bottom: parent.bottom
            width: visible ? Math.round(Theme.panel * Math.min(1.4, Theme.scale)) : 0
            visible: window.panel && window.page === "chat"
            z: 1
            // qmllint disable unqualified
            sourceComponent: SteeringPanel {
                focus: true
                steering: window.steering
                onClosed: {
                    window.panel = false;
                    chatPage.focusBox();
                }
            }
            // qmllint enable unqualified
        }
        ColumnLayout {
            anchors.left: chatSidebar.right
            anchors.right: parent.right
            height: parent.height
            spacing: 0

            Header {
                Layout.fillWidth: true
                visible: window.page !== "inspect"
                model: window.model
                onOpenRequested: dialogs.chooseModel()
                chat: window.chat
                panelShown: window.panel
                onSidebarRequested: window.toggleSidebar()
                onPanelRequested: window.togglePanel()
            }
            Banners {
                // Layouts in layouts take all there is unless told.
                Layout.fillHeight: false
                Layout.fillWidth: false
                Layout.alignment: Qt.AlignHCenter
                Layout.preferredWidth: Math.min(Theme.reading, parent.width - 2 * Theme.space6)
                model: window.model
                settings: window.settings
                keeping: window.keeping
                onOpenRequested: dialogs.chooseModel()
                onAnswered: window.goTo(window.page)
                onInspectionRequested: place => {
                    window.inspector.openPlace(place.file, place.offset, place.subject);
                    window.goTo("inspect");
                }
            }
            ChatPage {
                id: chatPage

                Layout.fillWidth: true
                Layout.rightMargin: steeringLoader.width
                Layout.fillHeight: true
                visible: window.page === "chat"
                focus: visible
                chat: window.chat
                model: window.model
                steering: window.steering
                starting: window.starting
                onOpenRequested: dialogs.chooseModel()
                onAttachRequested: dialogs.chooseTexts()
                onSteeringRequested: window.togglePanel()
            }
            PageLoader {
                id: inspectorLoader

                Layout.fillWidth: true
                Layout.fillHeight: true
                visible: window.page === "inspect"
                focus: visible
                // qmllint disable unqualified
                sourceComponent: InspectorPage {
                    focus: true
                    inspector: window.inspector
                    onOpenRequested: dialogs.chooseModel()
                    onChatRequested: path => {
                        window.model.choose(path);
                        window.goTo("chat");
                    }
                }
                // qmllint enable unqualified
            }
            PageLoader {
                id: settingsLoader

                Layout.fillWidth: true
                Layout.fillHeight: true
                visible: window.page === "settings"
                focus: visible
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
        onFilesDropped: files => window.take(files)
    }
    FileDialogs {
        id: dialogs

        onModelChosen: file => window.openFile(file)
        onTextsChosen: files => window.chat.draft.attachFiles(files)
    }
    Shortcuts {
        anchors.fill: parent
        chat: window.chat
        settings: window.settings
        onOpenRequested: dialogs.chooseModel()
        onNewChatRequested: window.startAnew()
        onPageRequested: page => window.goTo(page)
        onSearchRequested: window.searchChats()
        onFindRequested: {
            if (window.page === "inspect") {
                (inspectorLoader.item as InspectorPage).find();
            } else {
                window.goTo("chat");
                chatPage.find();
            }
        }
        onSidebarRequested: window.toggleSidebar()
        onPanelRequested: window.togglePanel()
        onCloseRequested: window.close()
    }
}
