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
    required property var modelData
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
        cells.forceLayout();
        forceLayout();
    }
    // Where a cell of the row stands, from the top.
    function cellTop(cell: int): real {
        const item = repeater.itemAt(cell - modelData.first);
        return item ? cells.y + item.y : 0;
    }

    spacing: Theme.space1

    RowLayout {
        width: parent.width
        visible: part.modelData.title !== ""

        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: part.modelData.title
        }
        PlainText {
            visible: part.modelData.added
            secondary: true
            text: qsTr("+ what came in")
            Accessible.name: qsTr("The result is added to what came in")
        }
    }
    Grid {
        id: cells

        columns: part.columns
        spacing: Theme.space1

        Repeater {
            id: repeater

            model: part.modelData.cells

            ArchitectureCell {
                required property int index
                required property var modelData
                readonly property int number: part.modelData.first + index

                width: part.cellWidth
                label: modelData.label
                type: modelData.type
                condition: modelData.state
                mark: modelData.mark
                words: modelData.words
                current: modelData.tensor >= 0 && modelData.tensor === part.selected
                cursor: number === part.cursor
                onClicked: part.chosen(number)
                onHoveredChanged: part.pointed(hovered ? number : -1)
            }
        }
    }
}
