// One metadata entry in full: what it is for, its value, or its elements.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: view

    required property InspectorViewModel inspector
    readonly property MetadataDetail entry: inspector.entry
    // A template and its example stand side by side.
    required property bool roomForBoth
    // Of a chat template, where only one has room: "source" or "example".
    property string part: "source"
    readonly property bool bothShown: !entry.chatTemplate || roomForBoth

    signal saveRequested

    // Of the value, from 1 on.
    function showLine(line: int) {
        part = "source";
        let start = 0;
        for (let at = 1; at < line && start >= 0; ++at) {
            start = value.text.indexOf("\n", start) + 1;
        }
        const end = value.text.indexOf("\n", start);
        value.select(start, end < 0 ? value.length : end);
        value.forceActiveFocus(Qt.OtherFocusReason);
        flick.contentY = Math.max(0, Math.min(value.positionToRectangle(start).y - flick.height / 3, flick.contentHeight - flick.height));
    }
    function search() {
        if (entry.array) {
            elements.search();
        }
    }

    spacing: Theme.space3

    PlainText {
        Layout.fillWidth: true
        readonly property string facts: view.entry.typeText + "  ·  " + view.entry.place

        secondary: true
        text: view.entry.note === "" ? facts : facts + "  ·  " + view.entry.note
        font.family: Theme.mono
    }
    ChoiceRow {
        objectName: "templateParts"
        visible: view.entry.chatTemplate && !view.roomForBoth
        name: qsTr("Template or rendered example")
        labels: [qsTr("Template"), qsTr("Rendered example")]
        values: ["source", "example"]
        value: view.part
        onChosen: value => view.part = value
    }
    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: !view.entry.array
        spacing: Theme.space3

        Card {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredWidth: 1
            Layout.alignment: Qt.AlignTop
            Layout.maximumHeight: view.entry.chatTemplate ? Infinity : Math.max(64, value.implicitHeight + 2 * Theme.space4 + (view.entry.cutNote === "" ? 0 : Theme.control))
            visible: view.bothShown || view.part === "source"

            Flickable {
                id: flick

                Layout.fillWidth: true
                Layout.fillHeight: true
                contentWidth: width
                contentHeight: value.implicitHeight
                boundsBehavior: Flickable.StopAtBounds
                clip: true
                ScrollBar.vertical: ScrollHandle {}

                SelectableText {
                    id: value

                    objectName: "metadataValue"
                    width: flick.width - Theme.space3
                    content: view.entry.valueText
                    font.family: Theme.mono
                    font.preferShaping: false
                    font.pixelSize: Theme.fontCode
                    lineHeight: Theme.lineBase
                    wrapMode: TextEdit.WrapAtWordBoundaryOrAnywhere
                    activeFocusOnTab: true
                    Accessible.name: qsTr("Value of %1").arg(view.entry.key)

                    TemplateHighlighter {
                        edited: value.textDocument
                        active: view.entry.chatTemplate
                        mark: Theme.codeMeta
                        keyword: Theme.codeKeyword
                        string: Theme.codeString
                        name: Theme.codeType
                        comment: Theme.dim
                    }
                }
            }
            PlainText {
                Layout.fillWidth: true
                visible: text !== ""
                secondary: true
                text: view.entry.cutNote
                wrapMode: Text.Wrap
            }
        }
        TemplateExampleCard {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredWidth: 1
            visible: view.entry.chatTemplate && (view.roomForBoth || view.part === "example")
            example: view.inspector.templateExample
            onCopyRequested: text => view.inspector.copy(text)
            onLineRequested: line => view.showLine(line)
        }
    }
    ArrayView {
        id: elements

        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: view.entry.array
        inspector: view.inspector
    }
    RowLayout {
        Layout.fillHeight: false
        spacing: Theme.space2

        ActionButton {
            visible: !view.entry.array
            symbol: "copy"
            text: qsTr("Copy the value")
            onClicked: view.inspector.copy(view.entry.valueText)
        }
        ActionButton {
            symbol: "download"
            text: qsTr("Save the value…")
            hint: qsTr("Ctrl+S")
            onClicked: view.saveRequested()
        }
    }
    Item {
        Layout.fillHeight: true
        visible: !view.entry.array
    }
}
