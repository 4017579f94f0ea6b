// Parts below each other, as wide as there is room; scrolls where they are too high, and to what has the keyboard.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Components
import Vitrine.Theme

Flickable {
    id: scroll

    default property alias parts: column.data
    readonly property Item focused: Window.activeFocusItem

    function keepInSight(item: Item) {
        let up = item;
        while (up && up !== column) {
            up = up.parent;
        }
        if (up === null || !visible) {
            return;
        }
        const top = item.mapToItem(column, 0, 0).y;
        const bottom = top + item.height;
        if (top < contentY) {
            contentY = top;
        } else if (bottom > contentY + height) {
            contentY = bottom - height;
        }
    }

    contentWidth: width
    contentHeight: column.implicitHeight
    boundsBehavior: Flickable.StopAtBounds
    interactive: contentHeight > height
    clip: true
    ScrollBar.vertical: ScrollHandle {}
    onFocusedChanged: keepInSight(focused)

    Column {
        id: column

        width: scroll.width - (scroll.contentHeight > scroll.height ? Theme.space4 : 0)
        spacing: Theme.space3
    }
}
