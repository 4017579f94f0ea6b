// The tensors of the file: as a table with filter, order and groups, or as a picture of the architecture.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: tab

    required property InspectorViewModel inspector
    // "table" or "architecture".
    property string look: "table"
    readonly property bool table: look === "table"
    readonly property TensorModel tensors: inspector.tensors
    readonly property TensorWidths widths: TensorWidths {
        available: tab.width
    }

    function search() {
        look = "table";
        field.selectAll();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function focusList() {
        if (table) {
            list.forceActiveFocus(Qt.TabFocusReason);
        } else {
            picture.focusList();
        }
    }

    spacing: Theme.space1

    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: false
        Layout.bottomMargin: Theme.space1
        spacing: Theme.space2

        ChoiceRow {
            objectName: "tensorLook"
            name: qsTr("Table or architecture")
            labels: [qsTr("Table"), qsTr("Architecture")]
            values: ["table", "architecture"]
            value: tab.look
            onChosen: value => tab.look = value
        }
        Item {
            Layout.fillWidth: true
        }
        Chip {
            objectName: "nextOdd"
            visible: !tab.table && tab.inspector.architecture.odd > 0
            text: qsTr("Next marked")
            hint: qsTr("Goes to the next tensor with a mark (N; Shift+N goes back)")
            onClicked: picture.goToOdd(true)
        }
        Chip {
            objectName: "groupByLayer"
            visible: tab.table
            text: qsTr("By layer")
            hint: qsTr("Tensors of a layer stand together")
            current: tab.tensors.grouped
            Accessible.checkable: true
            Accessible.checked: current
            onClicked: tab.tensors.grouped = !tab.tensors.grouped
        }
    }
    TextLine {
        id: field

        objectName: "tensorFilter"
        Layout.fillWidth: true
        visible: tab.table
        name: qsTr("Filter the tensors")
        placeholder: qsTr("blk.*.attn_q  type:Q4_K  >100MB  (Ctrl+F)")
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        onTextChanged: tab.tensors.filter = text
        Keys.onDownPressed: list.forceActiveFocus(Qt.TabFocusReason)
        Keys.onEscapePressed: event => {
            event.accepted = text !== "";
            text = "";
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: tab.table && text !== ""
        secondary: true
        color: Theme.warning
        text: tab.tensors.complaint
        wrapMode: Text.Wrap
    }
    // No RowLayout: one that is made before there is room leaves columns that come later at its start.
    Row {
        Layout.leftMargin: Theme.space2
        visible: tab.table
        spacing: tab.widths.gap

        ColumnTitle {
            width: tab.widths.name
            tensors: tab.tensors
            column: TensorModel.Name
            text: qsTr("Name")
        }
        ColumnTitle {
            visible: tab.widths.showShape
            width: tab.widths.shape
            tensors: tab.tensors
            column: TensorModel.Shape
            text: qsTr("Shape")
        }
        ColumnTitle {
            width: tab.widths.type
            tensors: tab.tensors
            column: TensorModel.Type
            text: qsTr("Type")
        }
        ColumnTitle {
            visible: tab.widths.showBits
            width: tab.widths.bits
            tensors: tab.tensors
            column: TensorModel.Bits
            text: qsTr("bits")
            atRight: true
        }
        ColumnTitle {
            visible: tab.widths.wide
            width: tab.widths.offset
            tensors: tab.tensors
            column: TensorModel.Offset
            text: qsTr("Offset")
        }
        ColumnTitle {
            width: tab.widths.size
            tensors: tab.tensors
            column: TensorModel.Size
            text: qsTr("Size")
            atRight: true
        }
    }
    BrowsedList {
        id: list

        objectName: "tensorList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: tab.table
        name: qsTr("Tensors")
        model: tab.tensors
        selectedRow: tab.tensors.count > 0 ? tab.tensors.rowOf(tab.inspector.selection.tensor) : -1
        onBrowsed: row => tab.inspector.selection.browseTensor(tab.tensors.tensorAt(row))
        onEntered: row => tab.inspector.selection.selectTensor(tab.tensors.tensorAt(row))
        section.property: "layer"
        delegate: TensorRow {
            width: ListView.view ? ListView.view.width : 0
            widths: tab.widths
            current: tensor === tab.inspector.selection.tensor
            onClicked: tab.inspector.selection.selectTensor(tensor)
        }

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: Theme.space6
            visible: list.count === 0
            secondary: true
            text: tab.tensors.total === 0 ? qsTr("The file has no tensors.") : qsTr("No tensor fits the filter.")
        }
    }
    PlainText {
        objectName: "tensorSummary"
        Layout.fillWidth: true
        visible: tab.table
        secondary: true
        text: tab.tensors.summary
    }
    ArchitectureView {
        id: picture

        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: !tab.table
        inspector: tab.inspector
    }
}
