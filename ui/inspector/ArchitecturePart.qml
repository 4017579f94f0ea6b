// Tensors that work together, side by side under the name of what they do.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Column {
    id: part

    // See ArchitectureModel.
    required property string title
    required property bool added
    required property int first
    required property var cells
    required property int columns
    // The tensor that is selected, and the cell of the row where the keyboard is; -1 for none.
    required property int selected
    required property int cursor
    readonly property real cellWidth: Math.floor((width - (columns - 1) * Theme.space1) / columns)

    // Of a cell by its number in the row; -1 for none.
    signal chosen(int cell)
    signal pointed(int cell)

    // Gives all that is in it its place now, not with the next frame.
    function layOut() {
        grid.forceLayout();
        forceLayout();
    }
    // Where a cell of the row stands, from the top.
    function cellTop(cell: int): real {
        const item = repeater.itemAt(cell - first);
        return item ? grid.y + item.y : 0;
    }

    spacing: Theme.space1

    RowLayout {
        width: parent.width
        visible: part.title !== ""

        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: part.title
        }
        PlainText {
            visible: part.added
            secondary: true
            text: qsTr("+ what came in")
            Accessible.name: qsTr("The result is added to what came in")
        }
    }
    Grid {
        id: grid

        columns: part.columns
        spacing: Theme.space1

        Repeater {
            id: repeater

            // A number: rows that are used again keep their cells.
            model: part.cells.length

            ArchitectureCell {
                required property int index
                readonly property var entry: part.cells[index] ?? ({
                        label: "",
                        type: "",
                        state: "",
                        mark: "",
                        words: "",
                        tensor: -1
                    })
                readonly property int number: part.first + index

                width: part.cellWidth
                label: entry.label
                type: entry.type
                condition: entry.state
                mark: entry.mark
                words: entry.words
                current: entry.tensor >= 0 && entry.tensor === part.selected
                cursor: number === part.cursor
                onClicked: part.chosen(number)
                onHoveredChanged: part.pointed(hovered ? number : -1)
            }
        }
    }
}
