// A row of the conversation: its place in the reading column, behind the bars of quotes and the markers of lists.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

Item {
    id: frame

    required property RowContext context
    required property int index
    required property int message
    required property int revision
    required property int gap
    required property string bars
    required property string marker
    required property int task
    // Where a marker's first line is.
    property real markerLine: Theme.fontReading * Theme.lineReading
    // The part of the row that holds text; null where there is none.
    property BlockText text: null
    default property alias content: holder.data
    readonly property real column: Math.min(Theme.reading * Theme.scale, width - 2 * Theme.space6)
    readonly property real inset: bars.length * step
    readonly property real step: Theme.space5 + 2
    readonly property real room: column - inset

    width: ListView.view ? ListView.view.width : 0
    height: holder.height + Math.round(gap * Theme.scale)
    Accessible.role: Accessible.Paragraph

    Repeater {
        model: frame.bars.length

        Rectangle {
            required property int index

            visible: frame.bars[index] === "q"
            x: holder.x - frame.inset + index * frame.step + 2
            y: 0
            width: 3
            height: frame.height
            radius: 1.5
            color: Theme.lineStrong
        }
    }
    PlainText {
        visible: frame.marker !== "" && frame.task === 0
        x: holder.x - width - Theme.space2
        y: holder.y
        height: frame.markerLine
        verticalAlignment: Text.AlignVCenter
        text: frame.marker
        color: Theme.dim
        font.pixelSize: Theme.fontReading
        Accessible.ignored: true
    }
    Rectangle {
        visible: frame.task !== 0
        x: holder.x - width - Theme.space2
        y: holder.y + (frame.markerLine - height) / 2
        width: 14
        height: 14
        radius: 3
        color: frame.task === 2 ? Theme.accent : "transparent"
        border.width: frame.task === 2 ? 0 : 1.5
        border.color: Theme.dim

        Icon {
            anchors.centerIn: parent
            visible: frame.task === 2
            symbol: "check"
            size: 12
            color: Theme.accentText
        }
    }
    Item {
        id: holder

        x: (frame.width - frame.column) / 2 + frame.inset
        y: Math.round(frame.gap * Theme.scale)
        width: frame.room
        height: childrenRect.height
    }
}
