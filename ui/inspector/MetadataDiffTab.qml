// The metadata of two files side by side.
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
    readonly property MetadataDiffModel entries: comparison.metadata
    readonly property int keyWidth: Math.round(Math.max(180 * Theme.scale, 0.28 * width))
    readonly property int valueWidth: Math.round((width - keyWidth - 2 * Theme.space2 - 2 * Theme.space4) / 2)

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

        objectName: "metadataDiffFilter"
        Layout.fillWidth: true
        name: qsTr("Filter the metadata")
        placeholder: qsTr("Part of a key or value  (Ctrl+F)")
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        text: tab.entries.filter
        onTextEdited: tab.entries.filter = text
        Keys.onDownPressed: tab.focusList()
        Keys.onEscapePressed: event => {
            event.accepted = text !== "";
            tab.entries.filter = "";
            text = "";
        }
    }
    Row {
        Layout.leftMargin: Theme.space2
        Layout.topMargin: Theme.space1
        spacing: Theme.space4

        Title {
            width: tab.keyWidth
            text: qsTr("Key")
        }
        Title {
            width: tab.valueWidth
            text: qsTr("A")
        }
        Title {
            width: tab.valueWidth
            text: qsTr("B")
        }
    }
    BrowsedList {
        id: list

        objectName: "metadataDiffList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Metadata of both files")
        model: tab.entries
        selectedRow: tab.entries.count > 0 ? tab.entries.rowOf(tab.entries.selected) : -1
        onBrowsed: row => tab.entries.selected = tab.entries.pairAt(row)
        onEntered: tab.entered()
        delegate: ListRow {
            id: row

            required property string key
            required property string symbolText
            required property string stateText
            required property string valueA
            required property string valueB
            required property string noteText
            required property bool same
            required property int pair

            width: ListView.view ? ListView.view.width : 0
            implicitHeight: Math.round(44 * Math.max(1, Theme.scale))
            current: pair === tab.entries.selected
            text: spoken([key, stateText, valueA === "" ? "" : qsTr("A: %1").arg(valueA), valueB === "" ? "" : qsTr("B: %1").arg(valueB), noteText])
            onClicked: {
                tab.focusList();
                tab.entries.selected = pair;
            }
            onDoubleClicked: tab.entered()

            contentItem: Row {
                spacing: Theme.space4

                Column {
                    anchors.verticalCenter: parent.verticalCenter
                    width: tab.keyWidth
                    spacing: 2

                    PlainText {
                        width: parent.width
                        text: row.key
                        font.family: Theme.mono
                        font.preferShaping: false
                        font.pixelSize: Theme.fontSmall
                        color: row.current ? Theme.accent : Theme.text
                        elide: Text.ElideMiddle
                        Accessible.ignored: true
                    }
                    DiffState {
                        width: parent.width
                        sign: row.symbolText
                        word: row.stateText
                        same: row.same
                    }
                }
                Column {
                    anchors.verticalCenter: parent.verticalCenter
                    spacing: 2

                    Row {
                        spacing: Theme.space4

                        Side {
                            width: tab.valueWidth
                            text: row.valueA
                            color: row.same ? Theme.dim : Theme.text
                            maximumLineCount: row.noteText === "" ? 2 : 1
                        }
                        Side {
                            width: tab.valueWidth
                            text: row.valueB
                            color: row.same ? Theme.dim : Theme.text
                            maximumLineCount: row.noteText === "" ? 2 : 1
                        }
                    }
                    PlainText {
                        width: 2 * tab.valueWidth + Theme.space4
                        visible: row.noteText !== ""
                        secondary: true
                        text: row.noteText
                        Accessible.ignored: true
                    }
                }
            }
        }

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: Theme.space6
            visible: list.count === 0
            secondary: true
            text: tab.entries.total === 0 ? qsTr("Neither file has metadata.") : tab.entries.differences === 0 && tab.entries.onlyDifferences ? qsTr("The metadata are the same.") : qsTr("No entry has these words.")
        }
    }

    component Title: PlainText {
        secondary: true
        font.weight: Font.DemiBold
        Accessible.role: Accessible.ColumnHeader
    }
    component Side: PlainText {
        font.family: Theme.mono
        font.preferShaping: false
        font.pixelSize: Theme.fontSmall
        wrapMode: Text.WrapAtWordBoundaryOrAnywhere
        Accessible.ignored: true
    }
}
