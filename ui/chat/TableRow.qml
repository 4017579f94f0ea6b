// A table, or a part of a long one; scrolls sideways where it is wider than the column.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: table

    required property bool first
    required property bool last

    text: edit
    Accessible.role: Accessible.Table
    Accessible.name: qsTr("Table")
    Accessible.description: edit.getText(0, Math.min(edit.length, 2000))

    Rectangle {
        width: table.room
        height: flick.height + 2
        radius: Theme.radiusCard
        color: Theme.surface
        border.width: Theme.hairline
        border.color: Theme.line

        Flickable {
            id: flick

            x: 1
            y: 1
            width: parent.width - 2
            height: edit.implicitHeight + (bar.size < 1 ? bar.height : 0)
            contentWidth: edit.width
            contentHeight: edit.implicitHeight
            flickableDirection: Flickable.HorizontalFlick
            boundsBehavior: Flickable.StopAtBounds
            interactive: contentWidth > width
            clip: true
            ScrollBar.horizontal: ScrollHandle {
                id: bar
            }

            Rectangle {
                visible: table.first
                width: edit.width
                height: edit.rowLines.length > 1 ? edit.rowLines[1] : edit.implicitHeight
                radius: Theme.radiusCard
                color: Theme.sunken
            }
            Repeater {
                model: edit.rowLines.length

                Rectangle {
                    required property int index

                    visible: index > 0
                    y: edit.rowLines[index] ?? 0
                    width: edit.width
                    height: Theme.hairline
                    color: Theme.line
                }
            }
            BlockText {
                id: edit

                context: table.context
                row: table.index
                revision: table.revision
                room: flick.width
                width: Math.max(tableWidth, flick.width)
                font.pixelSize: Theme.fontBase
                lineHeight: Theme.lineBase
            }
        }
    }
}
