// All shortcuts on one card.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

Popup {
    id: sheet

    readonly property var lines: [[qsTr("New chat"), "Ctrl+N"], [qsTr("Switch chat"), "Ctrl+K"], [qsTr("Find in this chat"), "Ctrl+F"], [qsTr("List of chats"), "Ctrl+B"], [qsTr("System prompt and sampler"), "Ctrl+Shift+P"], [qsTr("Open a model"), "Ctrl+O"], [qsTr("Message box"), "Ctrl+L"], [qsTr("Send"), "Enter"], [qsTr("New line"), "Shift+Enter"], [qsTr("Edit the last question"), qsTr("Up, in an empty box")], [qsTr("Answer again"), "Ctrl+R"], [qsTr("Copy the last answer"), "Ctrl+Shift+C"], [qsTr("Stop, close"), "Esc"], [qsTr("Larger, smaller, usual text"), "Ctrl++  Ctrl+−  Ctrl+0"], [qsTr("Inspect a file"), "Ctrl+I"], [qsTr("Settings"), "Ctrl+,"], [qsTr("This card"), "Ctrl+/"], [qsTr("Quit"), "Ctrl+Q"]]

    anchors.centerIn: parent
    modal: false
    focus: true
    padding: Theme.space5
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutside
    background: Rectangle {
        radius: Theme.radiusBubble
        color: Theme.surface
        border.width: Theme.hairline
        border.color: Theme.lineStrong
    }
    ColumnLayout {
        spacing: Theme.space2

        PlainText {
            text: qsTr("Keyboard shortcuts")
            font.pixelSize: Theme.fontHeading
            font.weight: Font.DemiBold
            Layout.bottomMargin: Theme.space2
            Accessible.role: Accessible.Heading
        }
        Repeater {
            model: sheet.lines.length

            RowLayout {
                id: line

                required property int index

                spacing: Theme.space6
                Accessible.role: Accessible.ListItem
                Accessible.name: sheet.lines[index][0] + ": " + sheet.lines[index][1]

                PlainText {
                    Layout.fillWidth: true
                    Layout.minimumWidth: 220
                    text: sheet.lines[line.index][0]
                    Accessible.ignored: true
                }
                PlainText {
                    text: sheet.lines[line.index][1]
                    font.family: Theme.mono
                    color: Theme.dim
                    Accessible.ignored: true
                }
            }
        }
    }
}
