// A row of one of the inspector's lists: its ground, and what a click does.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.ItemDelegate {
    id: row

    required property int index
    property bool current: false

    // For screen readers: what there is of these words.
    function spoken(words: var): string {
        return words.filter(word => word !== "").join(", ");
    }

    implicitHeight: Theme.control - 2
    leftPadding: Theme.space2
    rightPadding: Theme.space2
    focusPolicy: Qt.NoFocus
    Accessible.role: Accessible.ListItem
    Accessible.name: text
    Accessible.selected: current

    background: Rectangle {
        radius: Theme.radiusCell
        color: row.current ? Theme.accentSoft : row.hovered ? Theme.hover : "transparent"
    }
}
