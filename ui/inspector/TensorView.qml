// One tensor: facts, statistics, its picture, and a block of it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Flickable {
    id: view

    required property InspectorViewModel inspector
    readonly property TensorDetail tensor: inspector.tensor

    signal saveRequested(int what)

    contentWidth: width
    contentHeight: column.implicitHeight
    boundsBehavior: Flickable.StopAtBounds
    clip: true
    ScrollBar.vertical: ScrollHandle {}

    ColumnLayout {
        id: column

        width: view.width - (view.contentHeight > view.height ? Theme.space4 : 0)
        spacing: Theme.space3

        BlockView {
            Layout.fillWidth: true
            inspector: view.inspector
        }
        RowLayout {
            Layout.fillWidth: true
            visible: view.tensor.blockNote === ""
            spacing: Theme.space3

            Card {
                Layout.fillWidth: true
                Layout.fillHeight: true
                title: qsTr("Weights of this block")

                BarPlot {
                    objectName: "weights"
                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    Layout.minimumHeight: 170 * Theme.scale
                    values: view.tensor.explorer.values
                    highlighted: view.tensor.explorer.litWeight
                    selected: view.tensor.explorer.weight
                    onHovered: index => index >= 0 ? view.tensor.explorer.lookAtWeight(index) : view.tensor.explorer.lookAway()
                    onPicked: index => view.tensor.explorer.weight = index
                }
            }
            StoredAs {
                Layout.fillHeight: true
                Layout.preferredWidth: Math.min(280 * Theme.scale, 0.42 * column.width)
                explorer: view.tensor.explorer
            }
        }
        Card {
            Layout.fillWidth: true
            title: qsTr("The tensor")

            FactGrid {
                Layout.fillWidth: true
                facts: view.tensor.facts
            }
        }
        Card {
            Layout.fillWidth: true
            title: qsTr("Statistics of its weights")

            FactGrid {
                objectName: "statistics"
                Layout.fillWidth: true
                visible: view.tensor.statistics.length > 0
                facts: view.tensor.statistics
            }
            HistogramView {
                objectName: "histogram"
                Layout.fillWidth: true
                visible: view.tensor.histogram.shown
                histogram: view.tensor.histogram
            }
            RowLayout {
                Layout.fillWidth: true
                visible: view.tensor.gathering
                spacing: Theme.space3

                ProgressRow {
                    objectName: "gatherProgress"
                    Layout.fillWidth: true
                    fraction: view.tensor.gatherFraction
                    what: qsTr("Reading the weights")
                }
                ActionButton {
                    visible: view.tensor.gatherFraction >= 0
                    text: qsTr("Cancel")
                    onClicked: view.tensor.cancelGathering()
                }
            }
            PlainText {
                Layout.fillWidth: true
                visible: text !== ""
                secondary: true
                text: view.tensor.statisticsNote
                wrapMode: Text.Wrap
            }
            ActionButton {
                visible: !view.tensor.gathering && view.tensor.statistics.length === 0 && view.tensor.statisticsNote === ""
                text: qsTr("Read the weights")
                hint: qsTr("The tensor is large; this takes a while")
                onClicked: view.tensor.gather()
            }
        }
        TensorPicture {
            objectName: "tensorPicture"
            Layout.fillWidth: true
            inspector: view.inspector
            inSight: visible && y < view.contentY + view.height && y + height > view.contentY
        }
        RowLayout {
            spacing: Theme.space2

            ActionButton {
                symbol: "download"
                text: qsTr("Save as .npy…")
                hint: qsTr("For numpy.load; quantized weights as float32 (Ctrl+S)")
                onClicked: view.saveRequested(ExportViewModel.TensorNpy)
            }
            ActionButton {
                symbol: "download"
                text: qsTr("Save the bytes…")
                hint: qsTr("As they lie in the file")
                onClicked: view.saveRequested(ExportViewModel.TensorRaw)
            }
        }
    }
}
