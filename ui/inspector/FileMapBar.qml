// The map of the whole file: its scale, its colours, what is under the pointer, what is in memory.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

FocusScope {
    id: bar

    required property InspectorViewModel inspector
    readonly property InspectorSelection selection: inspector.selection
    readonly property ResidencyViewModel residency: inspector.residency
    readonly property real selected: selection.size > 0 ? selection.offset : -1
    property string mode: "scale"
    property bool byBits: false
    property int treemapHeight: 150
    // The map alone, where the page has little height for so large a text.
    property bool compact: false
    readonly property bool tiles: mode === "treemap"
    property string hoveredText: ""

    function pick(offset: real, size: real, tensor: int) {
        if (tensor >= 0) {
            selection.selectTensor(tensor);
        } else {
            selection.selectBytes(offset, size);
        }
    }
    function hover(at: real, size: real, owner: string) {
        hoveredText = at < 0 ? "" : inspector.placeText(at, size, owner);
    }

    implicitHeight: content.implicitHeight + Theme.space2 + Theme.space2
    onModeChanged: hoveredText = ""

    ColumnLayout {
        id: content

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.leftMargin: Theme.space4
        anchors.rightMargin: Theme.space4
        y: Theme.space2
        spacing: 2

        RowLayout {
            Layout.fillWidth: true
            visible: !bar.compact
            spacing: Theme.space3

            PlainText {
                text: qsTr("File map")
                font.weight: Font.DemiBold
                Accessible.role: Accessible.Heading
            }
            ChoiceRow {
                objectName: "mapMode"
                implicitHeight: Theme.control - 4
                name: qsTr("Scale of the map")
                labels: [qsTr("to scale"), qsTr("logarithmic"), qsTr("treemap")]
                values: ["scale", "log", "treemap"]
                value: bar.mode
                onChosen: value => bar.mode = value
            }
            Chip {
                objectName: "mapByBits"
                visible: bar.tiles
                text: qsTr("By bits")
                hint: qsTr("Colours by bits per weight instead of by type")
                current: bar.byBits
                Accessible.checkable: true
                Accessible.checked: current
                onClicked: bar.byBits = !bar.byBits
            }
            MapLegend {
                objectName: "mapLegend"
                Layout.fillWidth: true
                entries: bar.inspector.legend
                byBits: bar.tiles && bar.byBits
                withSections: !bar.tiles
            }
        }
        FileMap {
            id: strip

            objectName: "fileMap"
            Layout.fillWidth: true
            Layout.bottomMargin: 2
            visible: !bar.tiles
            focus: !bar.tiles
            file: bar.inspector.file
            mode: bar.mode === "log" ? FileMapItem.Logarithmic : FileMapItem.ToScale
            selectedOffset: bar.selected
            selectedSize: bar.selection.size
            marks: bar.inspector.problems.offsets
            residency: bar.residency.cells
            onPicked: (offset, size, tensorIndex) => bar.pick(offset, size, tensorIndex)
            onHovered: (at, offset, size, name) => bar.hover(at, size, name)
            onFileChanged: bar.hoveredText = ""
            onActiveFocusChanged: bar.hoveredText = ""
        }
        TensorTreemap {
            id: treemap

            objectName: "tensorTreemap"
            Layout.fillWidth: true
            Layout.topMargin: Theme.space1
            Layout.bottomMargin: Theme.space1
            implicitHeight: bar.treemapHeight
            visible: bar.tiles
            focus: bar.tiles
            file: bar.inspector.file
            coloring: bar.byBits ? TensorTreemapItem.ByBits : TensorTreemapItem.ByType
            selectedOffset: bar.selected
            onPicked: (offset, size, tensorIndex) => bar.pick(offset, size, tensorIndex)
            onHovered: (offset, size, name) => bar.hover(offset, size, name)
            onActiveFocusChanged: bar.hoveredText = ""
        }
        RowLayout {
            Layout.fillWidth: true
            visible: !bar.compact
            spacing: Theme.space3

            PlainText {
                objectName: "mapLine"
                Layout.fillWidth: true
                Layout.minimumHeight: Theme.space5
                verticalAlignment: Text.AlignVCenter
                secondary: true
                text: bar.hoveredText !== "" ? bar.hoveredText : bar.residency.summary
                Accessible.description: bar.residency.source

                HoverHandler {
                    id: over
                }
                Hint {
                    visible: over.hovered && text !== ""
                    text: bar.residency.source
                }
            }
            Chip {
                objectName: "mapFit"
                visible: bar.tiles ? treemap.zoomed : strip.zoomed
                implicitHeight: Theme.space5
                text: qsTr("Whole file")
                hint: qsTr("Shows all of it again (0)")
                onClicked: {
                    strip.fit();
                    treemap.fit();
                }
            }
            PlainText {
                objectName: "mapRange"
                visible: !bar.tiles
                secondary: true
                font.family: Theme.mono
                text: bar.inspector.rangeText(strip.firstByte, strip.lastByte)
                Accessible.name: qsTr("In view: %1").arg(text)
            }
        }
    }
    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: Theme.hairline
        color: Theme.line
    }
}
