// The elements of an array: looked up by text or number; tokens with score and kind.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: view

    required property InspectorViewModel inspector
    readonly property ArrayModel elements: inspector.entry.elements

    function search() {
        field.selectAll();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function find(forward: bool) {
        elements.find(field.text, list.currentIndex + (forward ? 1 : -1), forward);
    }
    function select(row: int) {
        const size = elements.sizeAt(row);
        if (size > 0) {
            inspector.selection.move(elements.offsetAt(row), size);
        }
    }

    spacing: Theme.space2

    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space1

        TextLine {
            id: field

            objectName: "elementSearch"
            Layout.fillWidth: true
            name: qsTr("Find an element")
            placeholder: qsTr("Text, or a number; Enter for the next")
            font.family: Theme.mono
            font.pixelSize: Theme.fontCode
            Keys.onReturnPressed: event => view.find(!(event.modifiers & Qt.ShiftModifier))
            Keys.onDownPressed: list.forceActiveFocus(Qt.TabFocusReason)
        }
        IconButton {
            symbol: "up"
            text: qsTr("Previous")
            onClicked: view.find(false)
        }
        IconButton {
            symbol: "down"
            text: qsTr("Next")
            onClicked: view.find(true)
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        color: Theme.warning
        text: view.elements.findNote
        wrapMode: Text.Wrap
    }
    BrowsedList {
        id: list

        objectName: "elementList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Elements")
        model: view.elements
        selectedRow: view.elements.count > 0 ? view.elements.rowAt(view.inspector.selection.offset) : -1
        onBrowsed: row => view.select(row)
        onEntered: row => view.select(row)
        delegate: ListRow {
            id: row

            required property string elementText
            required property int number
            required property string score
            required property string kind

            width: ListView.view ? ListView.view.width : 0
            implicitHeight: Theme.control - 6
            current: ListView.isCurrentItem
            text: spoken([number, elementText, score, kind])
            onClicked: {
                view.select(index);
            }

            contentItem: RowLayout {
                spacing: Theme.space3

                PlainText {
                    Layout.preferredWidth: Math.round(70 * Theme.scale)
                    secondary: true
                    text: row.number
                    font.family: Theme.mono
                    horizontalAlignment: Text.AlignRight
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.fillWidth: true
                    text: row.elementText
                    font.family: Theme.mono
                    font.preferShaping: false
                    font.pixelSize: Theme.fontSmall
                    color: row.current ? Theme.accent : Theme.text
                    Accessible.ignored: true
                }
                PlainText {
                    visible: row.score !== ""
                    Layout.preferredWidth: Math.round(80 * Theme.scale)
                    secondary: true
                    text: row.score
                    font.family: Theme.mono
                    horizontalAlignment: Text.AlignRight
                    Accessible.ignored: true
                }
                PlainText {
                    visible: view.elements.vocabulary
                    Layout.preferredWidth: Math.round(80 * Theme.scale)
                    secondary: true
                    text: row.kind
                    Accessible.ignored: true
                }
            }
        }

        Connections {
            target: view.elements

            function onFound(row: int) {
                view.select(row);
                list.positionViewAtIndex(row, ListView.Center);
            }
        }
    }
    PlainText {
        secondary: true
        text: view.elements.count === 1 ? qsTr("1 element") : qsTr("%L1 elements").arg(view.elements.count)
    }
}
