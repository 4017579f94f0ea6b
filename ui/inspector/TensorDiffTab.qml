// The tensors of two files side by side, and whether their weights are the same.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: tab

    required property FileComparison comparison
    readonly property TensorDiffModel tensors: comparison.tensors
    readonly property DiffWidths widths: DiffWidths {
        available: tab.width
    }

    signal entered

    function search() {
        field.selectAll();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    spacing: Theme.space1

    TextLine {
        id: field

        objectName: "tensorDiffFilter"
        Layout.fillWidth: true
        name: qsTr("Filter the tensors")
        placeholder: qsTr("blk.*.attn_q  type:Q4_K  >100MB  (Ctrl+F)")
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        text: tab.tensors.filter
        onTextEdited: tab.tensors.filter = text
        Keys.onDownPressed: tab.focusList()
        Keys.onEscapePressed: event => {
            event.accepted = text !== "";
            tab.tensors.filter = "";
            text = "";
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        color: Theme.warning
        text: tab.tensors.complaint
        wrapMode: Text.Wrap
    }
    Row {
        Layout.leftMargin: Theme.space2
        spacing: tab.widths.gap

        SortTitle {
            width: tab.widths.name
            sorted: tab.tensors.sortColumn === TensorDiffModel.Name
            descending: tab.tensors.descending
            text: qsTr("Name")
            onClicked: tab.tensors.sortBy(TensorDiffModel.Name)
        }
        Title {
            width: tab.widths.state
            text: qsTr("State")
        }
        Title {
            visible: tab.widths.showShape
            width: tab.widths.shape
            text: qsTr("Shape")
        }
        Title {
            width: tab.widths.type
            text: qsTr("Type A")
        }
        Title {
            width: tab.widths.type
            text: qsTr("Type B")
        }
        Title {
            width: tab.widths.size
            text: qsTr("Size A")
            horizontalAlignment: Text.AlignRight
        }
        Title {
            width: tab.widths.size
            text: qsTr("Size B")
            horizontalAlignment: Text.AlignRight
        }
        SortTitle {
            width: tab.widths.difference
            sorted: tab.tensors.sortColumn === TensorDiffModel.Size
            descending: tab.tensors.descending
            text: qsTr("B − A")
            atRight: true
            Accessible.description: qsTr("Difference of the sizes")
            onClicked: tab.tensors.sortBy(TensorDiffModel.Size)
        }
    }
    BrowsedList {
        id: list

        objectName: "tensorDiffList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Tensors of both files")
        model: tab.tensors
        selectedRow: tab.tensors.count > 0 ? tab.tensors.rowOf(tab.tensors.selected) : -1
        onBrowsed: row => tab.tensors.selected = tab.tensors.pairAt(row)
        onEntered: tab.entered()
        delegate: TensorDiffRow {
            width: ListView.view ? ListView.view.width : 0
            widths: tab.widths
            current: pair === tab.tensors.selected
            onClicked: {
                tab.focusList();
                tab.tensors.selected = pair;
            }
            onDoubleClicked: tab.entered()
        }

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: Theme.space6
            visible: list.count === 0
            secondary: true
            text: tab.tensors.total === 0 ? qsTr("Neither file has tensors.") : tab.tensors.differences === 0 && tab.tensors.onlyDifferences ? qsTr("The tensors are the same.") : qsTr("No tensor fits the filter.")
        }
    }
    WeightsLine {
        Layout.fillWidth: true
        weights: tab.comparison.weights
    }

    component Title: PlainText {
        height: Theme.control - 6
        verticalAlignment: Text.AlignVCenter
        secondary: true
        font.weight: Font.DemiBold
        Accessible.role: Accessible.ColumnHeader
    }
}
