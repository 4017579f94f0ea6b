// What comparing two files came to, and what can be done with it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Item {
    id: header

    required property FileComparison comparison

    signal copyRequested
    signal otherRequested
    signal closeRequested

    implicitHeight: Theme.header

    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: Theme.hairline
        color: Theme.line
    }
    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space5
        anchors.rightMargin: Theme.space3
        spacing: Theme.space2

        PlainText {
            text: qsTr("Two files")
            font.weight: Font.DemiBold
            font.pixelSize: Theme.fontReading
            Accessible.role: Accessible.Heading
        }
        Icon {
            Layout.leftMargin: Theme.space2
            visible: header.comparison.ready
            symbol: header.comparison.same ? "check" : "side-by-side"
            size: Theme.iconSmall
            color: header.comparison.same ? Theme.accent : Theme.warning
        }
        PlainText {
            objectName: "comparisonVerdict"
            Layout.fillWidth: true
            secondary: true
            text: header.comparison.ready ? header.comparison.verdict : header.comparison.busy ? qsTr("Reading both files") : ""

            HoverHandler {
                id: over
            }
            Hint {
                visible: over.hovered && text !== ""
                text: header.comparison.verdict
            }
        }
        Chip {
            objectName: "copyComparison"
            property bool done: false

            visible: header.comparison.ready
            text: done ? qsTr("Copied") : qsTr("Copy as Markdown")
            symbol: done ? "check" : "copy"
            hint: qsTr("The differences as a text for a bug report (Ctrl+Shift+M)")
            onClicked: {
                header.copyRequested();
                done = true;
                back.restart();
            }

            Timer {
                id: back

                interval: 1500
                onTriggered: (parent as Chip).done = false
            }
        }
        IconButton {
            objectName: "swapFiles"
            visible: header.comparison.ready
            symbol: "swap"
            text: qsTr("Swap A and B")
            onClicked: header.comparison.swap()
        }
        IconButton {
            objectName: "otherFile"
            symbol: "folder"
            text: qsTr("Compare with another file")
            hint: qsTr("Compare with another file (Ctrl+Shift+O)")
            onClicked: header.otherRequested()
        }
        IconButton {
            objectName: "closeComparison"
            symbol: "close"
            text: qsTr("Close the comparison")
            hint: qsTr("Close the comparison (Esc)")
            onClicked: header.closeRequested()
        }
    }
}
