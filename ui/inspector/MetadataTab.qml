// The metadata of the file as a table with a filter.
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
    readonly property MetadataModel entries: inspector.metadata
    readonly property bool wide: width > 620
    readonly property int typeWidth: Math.round(104 * Theme.scale)

    signal saveRequested

    function search() {
        field.selectAll();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    spacing: Theme.space2

    TextLine {
        id: field

        objectName: "metadataFilter"
        Layout.fillWidth: true
        name: qsTr("Filter the metadata")
        placeholder: qsTr("Part of a key or value  (Ctrl+F)")
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        onTextChanged: tab.entries.filter = text
        Keys.onDownPressed: list.forceActiveFocus(Qt.TabFocusReason)
        Keys.onEscapePressed: event => {
            event.accepted = text !== "";
            text = "";
        }
    }
    BrowsedList {
        id: list

        objectName: "metadataList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Metadata")
        model: tab.entries
        selectedRow: tab.entries.count > 0 ? tab.entries.rowOf(tab.inspector.selection.metadata) : -1
        onBrowsed: row => tab.inspector.selection.browseMetadata(tab.entries.entryAt(row))
        onEntered: row => tab.inspector.selection.selectMetadata(tab.entries.entryAt(row))
        delegate: ListRow {
            id: row

            required property string key
            required property string typeText
            required property string valueText
            required property string note
            required property string offsetText
            required property string sizeText
            required property string about
            required property int entry

            width: ListView.view ? ListView.view.width : 0
            implicitHeight: Math.round(44 * Math.max(1, Theme.scale))
            current: entry === tab.inspector.selection.metadata
            text: spoken([key, typeText, valueText, note])
            onClicked: tab.inspector.selection.selectMetadata(entry)

            Hint {
                visible: row.hovered
                text: row.key + "\n" + row.about
            }

            contentItem: RowLayout {
                spacing: Theme.space3

                ColumnLayout {
                    Layout.fillWidth: true
                    spacing: 1

                    PlainText {
                        Layout.fillWidth: true
                        text: row.key
                        font.family: Theme.mono
                        font.preferShaping: false
                        font.pixelSize: Theme.fontSmall
                        color: row.current ? Theme.accent : Theme.text
                        elide: Text.ElideMiddle
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        secondary: true
                        text: row.note === "" ? row.valueText : row.valueText + "  →  " + row.note
                        font.family: Theme.mono
                        font.preferShaping: false
                        Accessible.ignored: true
                    }
                }
                PlainText {
                    visible: tab.width > 420 * Theme.scale
                    Layout.preferredWidth: tab.typeWidth
                    secondary: true
                    text: row.typeText
                    font.family: Theme.mono
                    Accessible.ignored: true
                }
                PlainText {
                    visible: tab.wide
                    Layout.preferredWidth: Math.round(92 * Theme.scale)
                    secondary: true
                    text: row.offsetText
                    font.family: Theme.mono
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.preferredWidth: Math.round(62 * Theme.scale)
                    horizontalAlignment: Text.AlignRight
                    secondary: true
                    text: row.sizeText
                    Accessible.ignored: true
                }
            }
        }

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: Theme.space6
            visible: list.count === 0
            secondary: true
            text: tab.entries.total === 0 ? qsTr("The file has no metadata.") : qsTr("No entry has these words.")
        }
    }
    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: false
        spacing: Theme.space2

        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: tab.entries.count < tab.entries.total ? qsTr("%L1 of %L2 shown").arg(tab.entries.count).arg(tab.entries.total) : tab.entries.total === 1 ? qsTr("1 entry") : qsTr("%L1 entries").arg(tab.entries.total)
        }
        Chip {
            objectName: "saveMetadata"
            text: qsTr("Save all as JSON…")
            symbol: "download"
            onClicked: tab.saveRequested()
        }
    }
}
