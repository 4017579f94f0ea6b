// Three dots that say that something is being worked on, where nobody knows how far it is.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Theme

Row {
    id: spinner

    property int current: 0

    spacing: Theme.space1 + 1
    Accessible.ignored: true

    Repeater {
        model: 3

        Rectangle {
            required property int index

            width: 6
            height: 6
            radius: 3
            color: Theme.accent
            opacity: spinner.current === index ? 1 : 0.3
        }
    }
    Timer {
        interval: 2 * Theme.slow
        repeat: true
        running: spinner.visible && interval > 0
        onTriggered: spinner.current = (spinner.current + 1) % 3
    }
}
