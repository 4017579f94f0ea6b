// Its content in the middle; scrolls where there is too little room for it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Theme

Flickable {
    id: scroll

    // One item.
    default property alias middle: holder.data
    // At most, without the margins.
    property int columnWidth: Theme.reading

    contentWidth: width
    contentHeight: Math.max(height, holder.height + 2 * Theme.space5)
    boundsBehavior: Flickable.StopAtBounds
    interactive: contentHeight > height
    clip: true
    ScrollBar.vertical: ScrollHandle {}

    Item {
        id: holder

        x: (scroll.width - width) / 2
        y: (scroll.contentHeight - height) / 2
        width: Math.min(scroll.columnWidth, scroll.width - 2 * Theme.space6)
        height: children.length > 0 ? children[0].implicitHeight : 0
    }
}
