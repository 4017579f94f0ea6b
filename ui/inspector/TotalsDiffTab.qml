// What the tensors of two files add up to, by type.
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
    readonly property int column: Math.round(Math.min(240 * Theme.scale, (width - 2 * Theme.space2 - 3 * Theme.space4) / 4))

    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    spacing: Theme.space1

    Row {
        Layout.leftMargin: Theme.space2
        spacing: Theme.space4

        Repeater {
            model: [qsTr("Type"), qsTr("A"), qsTr("B"), qsTr("B − A")]

            PlainText {
                required property string modelData
                required property int index

                width: tab.column
                horizontalAlignment: index === 0 ? Text.AlignLeft : Text.AlignRight
                secondary: true
                font.weight: Font.DemiBold
                text: modelData
                Accessible.role: Accessible.ColumnHeader
            }
        }
    }
    BrowsedList {
        id: list

        objectName: "totalsDiffList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Sizes by type")
        model: tab.comparison.totals.length
        delegate: ListRow {
            id: row

            readonly property var line: tab.comparison.totals[index] ?? ({
                    name: "",
                    a: "",
                    b: "",
                    difference: "",
                    same: true
                })

            width: ListView.view ? ListView.view.width : 0
            current: ListView.isCurrentItem && list.activeFocus
            text: spoken([line.name, qsTr("A: %1").arg(line.a), qsTr("B: %1").arg(line.b), line.difference])

            contentItem: Row {
                spacing: Theme.space4

                Row {
                    anchors.verticalCenter: parent.verticalCenter
                    width: tab.column
                    spacing: Theme.space2

                    TypeSwatch {
                        anchors.verticalCenter: parent.verticalCenter
                        // The first two lines are of all types.
                        opacity: row.index < 2 ? 0 : 1
                        typeName: row.line.name
                    }
                    PlainText {
                        text: row.line.name
                        font.pixelSize: Theme.fontSmall
                        font.weight: row.index < 2 ? Font.DemiBold : Font.Normal
                        Accessible.ignored: true
                    }
                }
                Cell {
                    text: row.line.a
                }
                Cell {
                    text: row.line.b
                }
                Cell {
                    text: row.line.difference
                    color: row.line.same ? Theme.dim : Theme.text
                }
            }
        }
    }

    component Cell: PlainText {
        anchors.verticalCenter: parent ? parent.verticalCenter : undefined
        width: tab.column
        horizontalAlignment: Text.AlignRight
        font.family: Theme.mono
        font.pixelSize: Theme.fontSmall
        Accessible.ignored: true
    }
}
