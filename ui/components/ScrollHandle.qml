// The scroll bar: a thin handle that widens under the mouse.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.ScrollBar {
    id: bar

    implicitWidth: 12
    implicitHeight: 12
    padding: 2
    minimumSize: 0.06
    visible: policy !== T.ScrollBar.AlwaysOff && size < 1
    Accessible.ignored: true

    contentItem: Item {
        Rectangle {
            readonly property int thickness: bar.hovered || bar.pressed ? 8 : 5

            anchors.right: parent.right
            anchors.bottom: parent.bottom
            width: bar.orientation === Qt.Vertical ? thickness : parent.width
            height: bar.orientation === Qt.Vertical ? parent.height : thickness
            radius: thickness / 2
            color: bar.hovered || bar.pressed ? Theme.dim : Theme.lineStrong
        }
    }
}
