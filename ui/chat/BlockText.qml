// The text of one row: filled by BlockDocument, selected by the conversation's own selection.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Theme

TextEdit {
    id: edit

    required property RowContext context
    required property int row
    required property int revision
    property alias lineHeight: filler.lineHeight
    property alias room: filler.room
    property alias lineLimit: filler.lineLimit
    readonly property alias tableWidth: filler.tableWidth
    readonly property alias rowLines: filler.rowLines

    // The text's offset at a place in this item.
    function offsetAt(x: real, y: real): int {
        return positionAt(x, y) - filler.shift;
    }
    function showSelection() {
        const from = context.selection.firstIn(row);
        const to = context.selection.lastIn(row);
        if (to > from) {
            select(from + filler.shift, to + filler.shift);
        } else {
            deselect();
        }
    }

    // The conversation's mouse area is below: texts let clicks through.
    enabled: false
    readOnly: true
    selectByMouse: false
    persistentSelection: true
    textFormat: TextEdit.PlainText
    wrapMode: TextEdit.Wrap
    color: Theme.text
    selectionColor: Theme.selection
    selectedTextColor: Theme.text
    font.family: Theme.sans
    font.pixelSize: Theme.fontReading
    Accessible.ignored: true

    BlockDocument {
        id: filler

        document: edit.textDocument
        conversation: edit.context.conversation
        look: edit.context.look
        row: edit.row
        revision: edit.revision
        lineHeight: Theme.lineReading
        find: edit.context.find
        onFilled: edit.showSelection()
    }
    Connections {
        target: edit.context.selection

        function onChanged() {
            edit.showSelection();
        }
    }
}
