// How wide the columns of the table of two files' tensors are.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Theme

QtObject {
    required property real available
    // Where there is little room, names come first; the rest stands below.
    readonly property bool showShape: available > 860 * Theme.scale
    readonly property int gap: Theme.space3
    // Of a row, with room for the handle that scrolls.
    readonly property int margins: Theme.space2 + Theme.space4
    readonly property int name: Math.max(60, available - margins - (showShape ? shape + gap : 0) - (state + gap) - 2 * (type + gap) - 2 * (size + gap) - (difference + gap))
    readonly property int state: Math.round(126 * Theme.scale)
    readonly property int shape: Math.round((available > 1100 * Theme.scale ? 190 : 96) * Theme.scale)
    readonly property int type: Math.round(64 * Theme.scale)
    readonly property int size: Math.round(66 * Theme.scale)
    readonly property int difference: Math.round(78 * Theme.scale)
}
