// What keys do on the inspector's page.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQml.Models

Item {
    id: keys

    required property bool shown

    signal tabRequested(int number)
    signal backRequested
    signal forwardRequested
    signal goToRequested
    signal bytesRequested
    signal findNextRequested(bool forward)
    signal bookmarkRequested
    signal bookmarksRequested
    signal nextBookmarkRequested(bool forward)
    signal saveRequested
    signal reloadRequested
    signal compareRequested

    Repeater {
        model: 5

        Item {
            id: tabKey

            required property int index

            Shortcut {
                enabled: keys.shown
                sequence: "Alt+" + (tabKey.index + 1)
                onActivated: keys.tabRequested(tabKey.index)
            }
        }
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Alt+Left"
        onActivated: keys.backRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Alt+Right"
        onActivated: keys.forwardRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+G"
        onActivated: keys.goToRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+H"
        onActivated: keys.bytesRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "F3"
        onActivated: keys.findNextRequested(true)
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Shift+F3"
        onActivated: keys.findNextRequested(false)
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+D"
        onActivated: keys.bookmarkRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+Shift+D"
        onActivated: keys.bookmarksRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "F4"
        onActivated: keys.nextBookmarkRequested(true)
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Shift+F4"
        onActivated: keys.nextBookmarkRequested(false)
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+S"
        onActivated: keys.saveRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "F5"
        onActivated: keys.reloadRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+Shift+O"
        onActivated: keys.compareRequested()
    }
}
