// How a file begins that could not be opened: its magic, what it is instead, its first bytes.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    required property InspectorViewModel inspector
    readonly property var lines: inspector.firstLines

    visible: lines.length > 0
    title: qsTr("How the file begins")
    detail: inspector.name

    MagicCells {
        objectName: "foreignMagic"
        cells: card.inspector.magic
    }
    PlainText {
        objectName: "foreignWhat"
        Layout.fillWidth: true
        visible: text !== ""
        text: card.inspector.failure
        wrapMode: Text.Wrap
    }
    Column {
        Layout.fillWidth: true
        spacing: 2

        Repeater {
            model: card.lines.length

            Flow {
                id: line

                required property int index
                readonly property var bytes: card.lines[index]

                width: parent ? parent.width : 0
                spacing: Theme.space3
                Accessible.role: Accessible.StaticText
                Accessible.name: bytes.offset + ": " + bytes.hex + ", " + bytes.text

                PlainText {
                    text: line.bytes.offset
                    secondary: true
                    font.family: Theme.mono
                    Accessible.ignored: true
                }
                PlainText {
                    text: line.bytes.hex
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    Accessible.ignored: true
                }
                PlainText {
                    text: line.bytes.text
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    color: Theme.accent
                    Accessible.ignored: true
                }
            }
        }
    }
}
