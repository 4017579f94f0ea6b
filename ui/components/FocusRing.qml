// The ring around what has the keyboard.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Theme

Rectangle {
    // Radius of the thing inside.
    property int inner: Theme.radiusControl

    anchors.fill: parent
    anchors.margins: -(Theme.focusWidth + 1)
    radius: inner + Theme.focusWidth + 1
    color: "transparent"
    border.width: Theme.focusWidth
    border.color: Theme.accent
    Accessible.ignored: true
}
