// A thin bar that says how far something is.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.ProgressBar {
    id: bar

    property color fill: Theme.accent

    implicitWidth: 120
    implicitHeight: 6
    Accessible.role: Accessible.ProgressBar

    background: Rectangle {
        radius: height / 2
        color: Theme.dark ? Theme.line : Theme.pressed
    }
    contentItem: Item {
        Rectangle {
            // A value above nothing shows at least a dot.
            width: bar.position <= 0 ? 0 : Math.max(parent.height, bar.position * parent.width)
            height: parent.height
            radius: height / 2
            color: bar.fill
        }
    }
}
