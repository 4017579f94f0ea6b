// The fields of the file's header.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

BrowsedList {
    id: list

    required property InspectorViewModel inspector

    function select(row: int) {
        const field = inspector.headerFields[row];
        if (field !== undefined && field.size > 0) {
            inspector.selection.selectBytes(field.offset, field.size);
        }
    }

    objectName: "headerList"
    name: qsTr("Header")
    model: inspector.headerFields
    spacing: Theme.space1
    onBrowsed: row => select(row)
    onEntered: row => select(row)
    delegate: ListRow {
        id: row

        required property var modelData

        width: ListView.view ? ListView.view.width : 0
        implicitHeight: implicitContentHeight + Theme.space3
        current: ListView.isCurrentItem
        text: modelData.name + ": " + modelData.value
        onClicked: {
            list.currentIndex = index;
            list.select(index);
        }

        contentItem: ColumnLayout {
            spacing: 2

            RowLayout {
                spacing: Theme.space3

                PlainText {
                    Layout.fillWidth: true
                    text: row.modelData.name
                    Accessible.ignored: true
                }
                MagicCells {
                    visible: row.index === 0
                    cells: list.inspector.magic
                }
                PlainText {
                    visible: row.index > 0
                    text: row.modelData.value
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontCode
                    color: row.current ? Theme.accent : Theme.text
                    Accessible.ignored: true
                }
            }
            PlainText {
                Layout.fillWidth: true
                visible: text !== ""
                secondary: true
                text: row.modelData.note
                wrapMode: Text.Wrap
            }
        }
    }
}
