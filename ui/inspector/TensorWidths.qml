// How wide the columns of the tensor table are.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Theme

QtObject {
    required property real available
    readonly property bool wide: available > 640 * Theme.scale
    // Where there is little room, names come first; the rest stands in the tooltip and beside.
    readonly property bool showShape: available > 470 * Theme.scale
    readonly property bool showBits: available > 400 * Theme.scale
    readonly property int gap: available < 420 * Theme.scale ? Theme.space2 : Theme.space3
    readonly property int name: Math.max(40, available - 2 * Theme.space2 - (showShape ? shape + gap : 0) - (type + gap) - (showBits ? bits + gap : 0) - (wide ? offset + gap : 0) - (size + gap))
    readonly property int shape: Math.round(104 * Theme.scale)
    readonly property int type: Math.round(52 * Theme.scale)
    readonly property int bits: Math.round(38 * Theme.scale)
    readonly property int offset: Math.round(104 * Theme.scale)
    readonly property int size: Math.round(62 * Theme.scale)
}
