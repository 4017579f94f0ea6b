// What keys do everywhere in the window.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Settings
import Vitrine.Shell

Item {
    id: shortcuts

    required property ChatViewModel chat
    required property SettingsViewModel settings

    signal openRequested
    signal newChatRequested
    signal pageRequested(string page)
    signal searchRequested
    signal findRequested
    signal sidebarRequested
    signal panelRequested
    signal closeRequested

    Shortcut {
        sequence: "Ctrl+O"
        onActivated: shortcuts.openRequested()
    }
    Shortcut {
        sequence: "Ctrl+N"
        onActivated: shortcuts.newChatRequested()
    }
    Shortcut {
        sequence: "Ctrl+L"
        onActivated: shortcuts.pageRequested("chat")
    }
    Shortcut {
        sequence: "Ctrl+I"
        onActivated: shortcuts.pageRequested("inspect")
    }
    Shortcut {
        sequence: "Ctrl+,"
        onActivated: shortcuts.pageRequested("settings")
    }
    Shortcut {
        sequence: "Ctrl+K"
        onActivated: shortcuts.searchRequested()
    }
    Shortcut {
        sequence: "Ctrl+F"
        onActivated: shortcuts.findRequested()
    }
    Shortcut {
        sequence: "Ctrl+B"
        onActivated: shortcuts.sidebarRequested()
    }
    Shortcut {
        sequence: "Ctrl+Shift+P"
        onActivated: shortcuts.panelRequested()
    }
    Shortcut {
        sequence: "Ctrl+R"
        onActivated: shortcuts.chat.regenerate(shortcuts.chat.conversation.messageCount - 1)
    }
    Shortcut {
        sequence: "Ctrl+Shift+C"
        onActivated: shortcuts.chat.copyMessage(shortcuts.chat.conversation.messageCount - 1)
    }
    Shortcut {
        sequences: ["Ctrl++", "Ctrl+="]
        onActivated: shortcuts.settings.textSize += 10
    }
    Shortcut {
        sequence: "Ctrl+-"
        onActivated: shortcuts.settings.textSize -= 10
    }
    Shortcut {
        sequence: "Ctrl+0"
        onActivated: shortcuts.settings.textSize = 100
    }
    Shortcut {
        sequence: "Ctrl+/"
        onActivated: {
            sheet.active = true;
            (sheet.item as ShortcutSheet).open();
        }
    }
    Shortcut {
        sequence: "Ctrl+Q"
        onActivated: shortcuts.closeRequested()
    }
    // Nobody needs the card before the first frame.
    Loader {
        id: sheet

        anchors.fill: parent
        active: false
        sourceComponent: ShortcutSheet {}
    }
}
