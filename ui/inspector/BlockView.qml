// One block of a tensor: which one, its bytes, and the weights they stand for.
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
    PlainText {
        objectName: "blockBytes"
        Layout.fillWidth: true
        visible: text !== ""
        text: view.tensor.blockBytes
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        wrapMode: Text.Wrap
        Accessible.name: qsTr("Bytes: %1").arg(text)
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        text: view.tensor.blockValuesText
        font.family: Theme.mono
        secondary: true
        wrapMode: Text.Wrap
        Accessible.name: qsTr("Weights: %1").arg(text)
    }
}
