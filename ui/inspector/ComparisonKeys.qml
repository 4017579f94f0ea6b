// What keys do while two files are compared.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick

Item {
    id: keys

    required property bool shown

    signal tabRequested(int number)
    signal copyRequested
    signal reloadRequested
    signal otherRequested

    Repeater {
        model: 3

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
        sequence: "Ctrl+Shift+M"
        onActivated: keys.copyRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "F5"
        onActivated: keys.reloadRequested()
    }
    Shortcut {
        enabled: keys.shown
        sequence: "Ctrl+Shift+O"
        onActivated: keys.otherRequested()
    }
}
