// What the colours of the maps stand for; what has no room is left out.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Item {
    id: legend

    // As InspectorViewModel.legend.
    required property var entries
    // Tensors by their bits per weight instead of their types.
    property bool byBits: false
    // Of sections that are no tensors too.
    property bool withSections: true
    property int coloring: 0
    readonly property var bits: [2, 3, 4, 5, 6, 8, 16, 32]

    // `revision` changes when the colours do.
    function ink(entry: var, revision: int): color {
        if (entry.type >= 0) {
            return InspectorColors.typeColor(entry.type);
        }
        return InspectorColors[entry.part];
    }
    function scaleInk(bitsPerWeight: real, revision: int): color {
        return InspectorColors.bitsColor(bitsPerWeight);
    }
    function shown(): var {
        if (byBits) {
            return bits.map(each => ({
                        name: qsTr("%L1 bits").arg(each),
                        bits: each
                    }));
        }
        return entries.filter(entry => withSections || entry.type >= 0);
    }

    implicitHeight: row.implicitHeight
    clip: true
    Accessible.role: Accessible.Grouping
    Accessible.name: qsTr("Colours of the map")

    Connections {
        function onChanged() {
            legend.coloring += 1;
        }

        target: InspectorColors
    }
    Row {
        id: row

        x: Math.max(0, legend.width - width)
        spacing: Theme.space3

        Repeater {
            model: legend.shown()

            Row {
                id: entry

                required property var modelData

                opacity: x + width <= legend.width ? 1 : 0
                spacing: Theme.space1 + 2

                Rectangle {
                    anchors.verticalCenter: parent.verticalCenter
                    width: 10
                    height: 10
                    radius: 3
                    color: legend.byBits ? legend.scaleInk(entry.modelData.bits, legend.coloring) : legend.ink(entry.modelData, legend.coloring)
                    Accessible.ignored: true
                }
                HoverHandler {
                    id: pointer
                }
                Hint {
                    visible: pointer.hovered && entry.opacity > 0 && text !== ""
                    text: entry.modelData.about ?? ""
                }
                PlainText {
                    secondary: true
                    text: entry.modelData.name
                    Accessible.ignored: entry.opacity === 0
                }
            }
        }
    }
}
