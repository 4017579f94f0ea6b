// A calculator: what the KV cache takes for so many tokens.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    property alias file: calculator.file

    title: qsTr("Memory of the KV cache")
    detail: qsTr("keys and values of every token, kept while it answers")

    CacheCalculator {
        id: calculator
    }
    RowLayout {
        Layout.fillWidth: true
        visible: calculator.rows.length > 0
        spacing: Theme.space2

        PlainText {
            text: qsTr("Context")
            secondary: true
        }
        TextLine {
            objectName: "cacheContext"
            Layout.preferredWidth: Math.round(96 * Theme.scale)
            implicitHeight: Theme.control - 4
            name: qsTr("Tokens of context")
            text: calculator.context
            font.family: Theme.mono
            font.pixelSize: Theme.fontCode
            inputMethodHints: Qt.ImhDigitsOnly
            validator: IntValidator {
                bottom: 1
                top: 268435456
            }
            onTextEdited: {
                if (acceptableInput) {
                    calculator.context = parseInt(text);
                }
            }
        }
        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: calculator.trained > 0 ? qsTr("tokens; trained for %L1").arg(calculator.trained) : qsTr("tokens")
        }
    }
    Repeater {
        model: calculator.rows.length

        RowLayout {
            id: line

            required property int index
            readonly property var row: calculator.rows[index]

            Layout.fillWidth: true
            spacing: Theme.space3
            Accessible.role: Accessible.StaticText
            Accessible.name: row ? qsTr("%1: %2, %3 a token").arg(row.type).arg(row.size).arg(row.perToken) : ""

            PlainText {
                Layout.preferredWidth: Math.round(72 * Theme.scale)
                text: line.row?.type ?? ""
                font.family: Theme.mono
                font.pixelSize: Theme.fontCode
                Accessible.ignored: true
            }
            PlainText {
                Layout.fillWidth: true
                secondary: true
                text: qsTr("%1 a token").arg(line.row?.perToken ?? "")
                Accessible.ignored: true
            }
            PlainText {
                text: line.row?.size ?? ""
                Accessible.ignored: true
            }
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        wrapMode: Text.Wrap
        text: calculator.formula
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        wrapMode: Text.Wrap
        text: calculator.note
    }
}
