// A piece of what a model thought before its answer: as it was written, quieter than the answer.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: row

    required property string thought

    Accessible.role: Accessible.Paragraph
    Accessible.name: thought

    Item {
        width: row.room
        height: said.height

        Rectangle {
            x: Theme.space3 - 1
            width: 2
            height: parent.height
            color: Theme.line
        }
        PlainText {
            id: said

            x: Theme.space6 + Theme.space1
            width: parent.width - x
            text: row.thought
            color: Theme.dim
            wrapMode: Text.Wrap
            elide: Text.ElideNone
            lineHeight: Theme.lineReading
            Accessible.ignored: true
        }
    }
}
