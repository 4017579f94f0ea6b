// One block of a tensor: which one, its bytes and fields, and how they make a weight.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: view

    required property InspectorViewModel inspector
    readonly property TensorDetail tensor: inspector.tensor
    readonly property BlockExplorer explorer: tensor.explorer

    title: qsTr("Block")
    detail: tensor.blockSummary

    RowLayout {
        Layout.fillWidth: true
        visible: view.tensor.blockNote === ""
        spacing: Theme.space2

        PlainText {
            text: qsTr("Row")
            secondary: true
        }
        PlaceField {
            objectName: "blockRow"
            name: qsTr("Row")
            place: view.tensor.row
            count: view.tensor.rows
            onChosen: place => view.tensor.selectBlock(place, view.tensor.block)
        }
        PlainText {
            text: qsTr("Block")
            secondary: true
        }
        PlaceField {
            objectName: "blockNumber"
            name: qsTr("Block")
            place: view.tensor.block
            count: view.tensor.blocksPerRow
            onChosen: place => view.tensor.selectBlock(view.tensor.row, place)
        }
        Item {
            Layout.fillWidth: true
        }
        IconButton {
            symbol: "chevron-left"
            text: qsTr("Block before")
            onClicked: view.tensor.selectBlock(view.tensor.row, view.tensor.block - 1)
        }
        IconButton {
            objectName: "nextBlock"
            symbol: "chevron-right"
            text: qsTr("Next block")
            onClicked: view.tensor.selectBlock(view.tensor.row, view.tensor.block + 1)
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        text: view.tensor.blockNote
        wrapMode: Text.Wrap
    }
    BlockBytes {
        objectName: "blockBytes"
        Layout.fillWidth: true
        explorer: view.explorer
    }
    BlockParts {
        Layout.fillWidth: true
        visible: view.explorer.parts.length > 0
        explorer: view.explorer
    }
    PlainText {
        objectName: "blockRecipe"
        Layout.fillWidth: true
        visible: view.explorer.formula !== ""
        text: view.explorer.recipe !== "" ? view.explorer.recipe : view.explorer.formula
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        wrapMode: Text.Wrap
    }
    // Room for two lines: what stands below doesn't jump while the pointer moves.
    PlainText {
        objectName: "blockAbout"
        Layout.fillWidth: true
        Layout.minimumHeight: 2 * Math.round(Theme.fontSmall * Theme.lineReading)
        visible: view.explorer.formula !== ""
        secondary: true
        text: view.explorer.about !== "" ? view.explorer.about : view.explorer.formula
        font.family: Theme.mono
        wrapMode: Text.Wrap
        maximumLineCount: 2
        elide: Text.ElideRight
    }
}
