// A tooltip.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Theme

ToolTip {
    id: hint

    // Of the width that it has in the end: long lines are wrapped.
    x: parent ? Math.round((parent.width - width) / 2) : 0
    width: Math.min(implicitContentWidth + leftPadding + rightPadding, 420 * Theme.scale)
    delay: Theme.tipDelay
    padding: Theme.space2
    leftPadding: Theme.space3 - 2
    rightPadding: Theme.space3 - 2
    font.family: Theme.sans
    font.pixelSize: Theme.fontSmall

    contentItem: PlainText {
        text: hint.text
        font: hint.font
        color: Theme.background
        wrapMode: Text.Wrap
    }
    background: Rectangle {
        radius: Theme.radiusCell
        color: Theme.text
    }
}
