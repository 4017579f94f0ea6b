// A section of the picture of the architecture: its parts with their tensors, or the line of a fold.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Item {
    id: block

    required property int index
    required property string title
    required property string note
    required property bool fold
    required property bool open
    required property bool continued
    required property var parts
    // How many cells stand side by side.
    required property int columns
    // The tensor that is selected, and the cell where the keyboard is; -1 for none.
    required property int selected
    required property int cursor

    signal chosen(int cell)
    signal pointed(int cell)

    // Gives all that is in it its place now, not with the next frame.
    function layOut() {
        for (let at = 0; at < repeater.count; ++at) {
            (repeater.itemAt(at) as ArchitecturePart).layOut();
        }
        content.forceLayout();
    }
    // Where a cell stands, from the top.
    function cellTop(cell: int): real {
        for (let at = parts.length - 1; at >= 0; --at) {
            const part = repeater.itemAt(at) as ArchitecturePart;
            if (part && cell >= parts[at].first) {
                return part.mapToItem(block, 0, part.cellTop(cell)).y;
            }
        }
        return 0;
    }

    implicitHeight: stream.height + (fold ? line.implicitHeight : card.implicitHeight)
    Accessible.role: Accessible.ListItem
    Accessible.name: note === "" ? title : qsTr("%1: %2").arg(title).arg(note)

    // The stream of numbers from one section to the next.
    Item {
        id: stream

        width: parent.width
        height: block.index > 0 ? Theme.space2 : 0

        Rectangle {
            anchors.horizontalCenter: parent.horizontalCenter
            width: Theme.focusWidth
            height: parent.height
            color: Theme.lineStrong
        }
    }
    Chip {
        id: line

        x: Theme.space1
        anchors.top: stream.bottom
        visible: block.fold
        width: parent.width - x
        text: block.title
        symbol: block.open ? "chevron-down" : "chevron-right"
        focusPolicy: Qt.NoFocus
        Accessible.checkable: true
        Accessible.checked: block.open
        onClicked: block.chosen(0)

        FocusRing {
            visible: block.fold && block.cursor === 0
            inner: parent.height / 2
        }
    }
    Rectangle {
        id: card

        x: Theme.space1
        anchors.top: stream.bottom
        visible: !block.fold
        width: parent.width - x
        implicitHeight: content.implicitHeight + 2 * Theme.space2
        radius: Theme.radiusCard
        color: Theme.surface
        border.width: Theme.hairline
        border.color: Theme.line

        Column {
            id: content

            x: Theme.space2
            y: Theme.space2
            width: parent.width - 2 * Theme.space2
            spacing: Theme.space1

            RowLayout {
                width: parent.width
                spacing: Theme.space2

                PlainText {
                    text: block.continued ? qsTr("%1, continued").arg(block.title) : block.title
                    font.weight: Font.DemiBold
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.fillWidth: true
                    visible: !block.continued
                    horizontalAlignment: Text.AlignRight
                    secondary: true
                    text: block.note
                    Accessible.ignored: true
                }
            }
            Repeater {
                id: repeater

                model: block.parts.length

                ArchitecturePart {
                    required property int index
                    readonly property var part: block.parts[index] ?? ({
                            title: "",
                            added: false,
                            first: 0,
                            cells: []
                        })

                    title: part.title
                    added: part.added
                    first: part.first
                    cells: part.cells
                    width: content.width
                    columns: block.columns
                    selected: block.selected
                    cursor: block.cursor
                    onChosen: cell => block.chosen(cell)
                    onPointed: cell => block.pointed(cell)
                }
            }
        }
    }
}
