// A paragraph, or a heading, of an answer.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Theme

RowFrame {
    id: paragraph

    required property int level

    text: edit
    markerLine: edit.font.pixelSize * edit.lineHeight
    Accessible.role: level > 0 ? Accessible.Heading : Accessible.Paragraph
    Accessible.name: edit.length > 0 ? edit.getText(0, Math.min(edit.length, 2000)) : ""

    BlockText {
        id: edit

        context: paragraph.context
        row: paragraph.index
        revision: paragraph.revision
        width: paragraph.room
        font.pixelSize: paragraph.level === 0 ? Theme.fontReading : paragraph.level === 1 ? Theme.fontTitle : paragraph.level === 2 ? Theme.fontHeading : Theme.fontReading
        font.weight: paragraph.level > 0 ? Font.DemiBold : Font.Normal
        lineHeight: paragraph.level > 0 ? Theme.lineBase : Theme.lineReading
    }
}
