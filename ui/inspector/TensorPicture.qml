// The picture of a tensor: its block scales or values as a heat map, with what the colours mean.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: view

    required property InspectorViewModel inspector
    // Nothing is computed for a picture that nobody sees.
    required property bool inSight
    readonly property TensorPictureModel picture: inspector.picture
    readonly property TensorDetail tensor: inspector.tensor
    readonly property bool ofScales: picture.what === TensorPictureModel.Scales
    property string pointedAt: ""

    function numberText(number: real): string {
        return Number(number).toLocaleString(Qt.locale(), "g", 3);
    }
    // The weight that was chosen here stays, within its block.
    function follow() {
        const first = tensor.block * picture.blockColumns;
        const isThere = map.selectedRow === tensor.row && map.selectedColumn >= first && map.selectedColumn < first + picture.blockColumns;
        if (!isThere) {
            map.selectedRow = tensor.row;
            map.selectedColumn = first;
        }
    }

    title: ofScales ? qsTr("Block scales of the tensor") : qsTr("Values of the tensor")
    detail: picture.sizeText === "" ? "" : (ofScales ? qsTr("%1, zoom to single blocks") : qsTr("%1, zoom to single weights")).arg(picture.sizeText)

    Binding {
        target: view.picture
        property: "active"
        value: view.inSight
    }
    Connections {
        target: view.tensor
        function onBlockChanged() {
            view.follow();
        }
    }
    Connections {
        target: view.picture
        function onChanged() {
            view.pointedAt = "";
            view.follow();
        }
    }
    RowLayout {
        Layout.fillWidth: true
        visible: map.visible
        spacing: Theme.space3

        ChoiceRow {
            objectName: "pictureChoice"
            visible: view.picture.hasScales
            name: qsTr("What the picture shows")
            labels: [qsTr("Block scales"), qsTr("Values")]
            values: ["scales", "values"]
            value: view.ofScales ? "scales" : "values"
            onChosen: value => view.picture.what = value === "scales" ? TensorPictureModel.Scales : TensorPictureModel.Values
        }
        PlainText {
            objectName: "pointedAt"
            Layout.fillWidth: true
            visible: view.picture.fraction < 0
            horizontalAlignment: Text.AlignRight
            text: view.pointedAt !== "" ? view.pointedAt : qsTr("Point at a cell to read its number")
            secondary: view.pointedAt === ""
            elide: Text.ElideRight
        }
        PlainText {
            Layout.fillWidth: true
            visible: view.picture.fraction >= 0
            horizontalAlignment: Text.AlignRight
            secondary: true
            text: qsTr("Reading the weights")
            Accessible.ignored: true
        }
        ProgressLine {
            visible: view.picture.fraction >= 0
            value: Math.max(0, view.picture.fraction)
            Accessible.name: qsTr("Reading the weights")
        }
    }
    HeatMap {
        id: map

        objectName: "tensorHeatMap"
        Layout.fillWidth: true
        // Few rows need no tall picture.
        Layout.preferredHeight: Math.round(Math.min(260, Math.max(48, 30 * view.picture.rows)))
        visible: view.picture.note === "" && view.picture.rows > 0
        activeFocusOnTab: true
        source: view.picture.key
        rows: view.picture.rows
        columns: view.picture.columns
        coloring: view.ofScales ? HeatMapItem.Sequential : HeatMapItem.Diverging
        grid: view.picture.grid
        Accessible.name: view.title
        onNeedsRegion: (x, y, w, h, cellsX, cellsY) => view.picture.show(x, y, w, h, cellsX, cellsY)
        onHovered: (row, column) => view.pointedAt = row < 0 ? "" : view.picture.numberText(row, column)
        onPicked: (row, column) => view.tensor.selectBlock(row, Math.floor(column / view.picture.blockColumns))
    }
    RowLayout {
        Layout.fillWidth: true
        visible: map.visible
        opacity: view.picture.drawn ? 1 : 0
        spacing: Theme.space2

        PlainText {
            text: view.numberText(map.shownLow)
            font.family: Theme.mono
            font.pixelSize: Theme.fontSmall
            Accessible.name: qsTr("Colours from %1").arg(text)
        }
        Rectangle {
            Layout.preferredWidth: Math.round(120 * Theme.scale)
            Layout.preferredHeight: Theme.space3
            radius: Theme.space1
            gradient: view.ofScales ? sequential : diverging
            Accessible.ignored: true

            Gradient {
                id: diverging

                orientation: Gradient.Horizontal
                GradientStop { position: 0; color: Theme.diverging[0] }
                GradientStop { position: 0.25; color: Theme.diverging[1] }
                GradientStop { position: 0.5; color: Theme.diverging[2] }
                GradientStop { position: 0.75; color: Theme.diverging[3] }
                GradientStop { position: 1; color: Theme.diverging[4] }
            }
            Gradient {
                id: sequential

                orientation: Gradient.Horizontal
                GradientStop { position: 0; color: Theme.sequential[0] }
                GradientStop { position: 0.5; color: Theme.sequential[1] }
                GradientStop { position: 1; color: Theme.sequential[2] }
            }
        }
        PlainText {
            text: view.numberText(map.shownHigh)
            font.family: Theme.mono
            font.pixelSize: Theme.fontSmall
            Accessible.name: qsTr("Colours to %1").arg(text)
        }
        Rectangle {
            Layout.leftMargin: Theme.space2
            Layout.preferredWidth: Theme.space3
            Layout.preferredHeight: Theme.space3
            visible: view.picture.badCells > 0
            radius: Theme.space1
            color: Theme.error
            Accessible.ignored: true
        }
        PlainText {
            visible: view.picture.badCells > 0
            text: qsTr("not a number")
        }
        PlainText {
            Layout.fillWidth: true
            horizontalAlignment: Text.AlignRight
            secondary: true
            elide: Text.ElideRight
            text: view.ofScales ? (view.picture.exact ? qsTr("How large each scale is, without its sign") : qsTr("The largest scale within a pixel, without its sign")) : view.picture.exact ? "" : qsTr("The mean of the weights within a pixel")
        }
    }
    PlainText {
        objectName: "pictureNote"
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        text: view.picture.note
        wrapMode: Text.Wrap
    }
}
