// A chat template at work: a short conversation as the model would read it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    required property TemplateExample example

    signal copyRequested(string text)
    // The place in the template where it failed.
    signal lineRequested(int line)

    title: qsTr("Rendered example")

    RowLayout {
        Layout.fillWidth: true
        visible: card.example.running
        spacing: Theme.space2

        Spinner {}
        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: qsTr("Rendering a short conversation")
        }
    }
    Flickable {
        id: flick

        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: card.example.text !== ""
        contentWidth: width
        contentHeight: rendered.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollHandle {}

        SelectableText {
            id: rendered

            objectName: "templateExample"
            width: flick.width - Theme.space3
            content: card.example.text
            font.family: Theme.mono
            font.preferShaping: false
            font.pixelSize: Theme.fontCode
            lineHeight: Theme.lineBase
            wrapMode: TextEdit.WrapAtWordBoundaryOrAnywhere
            activeFocusOnTab: true
            Accessible.name: qsTr("Rendered example")

            SpanHighlighter {
                edited: rendered.textDocument
                marks: card.example.marks
                ink: Theme.codeMeta
            }
        }
    }
    PlainText {
        objectName: "templateNote"
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        text: card.example.note
        wrapMode: Text.Wrap
    }
    PlainText {
        objectName: "templateError"
        Layout.fillWidth: true
        visible: text !== ""
        text: card.example.error
        color: Theme.error
        wrapMode: Text.Wrap
    }
    Item {
        Layout.fillHeight: true
        visible: card.example.text === ""
    }
    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: false
        spacing: Theme.space2

        ActionButton {
            objectName: "copyExample"
            visible: card.example.text !== ""
            symbol: "copy"
            text: qsTr("Copy the example")
            onClicked: card.copyRequested(card.example.text)
        }
        ActionButton {
            objectName: "showTemplateLine"
            visible: card.example.errorLine > 0
            text: qsTr("Show line %L1").arg(card.example.errorLine)
            onClicked: card.lineRequested(card.example.errorLine)
        }
    }
}
