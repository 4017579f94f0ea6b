// The four bytes that make a file a GGUF, each with its check.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Components
import Vitrine.Theme

Row {
    id: row

    // Maps of hex, text, wanted and right.
    required property var cells

    function words(cell: var): string {
        if (cell.right) {
            return qsTr("%1 is right").arg(cell.wanted);
        }
        return cell.hex === "" ? qsTr("%1 is missing").arg(cell.wanted) : qsTr("%1 (%2) in place of %3").arg(cell.hex).arg(cell.text).arg(cell.wanted);
    }

    spacing: Theme.space2
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("The first four bytes: %1").arg(cells.map(cell => words(cell)).join(", "))

    Repeater {
        // By their number: the cells stay while the file changes.
        model: row.cells.length

        Rectangle {
            id: box

            required property int index
            readonly property var cell: row.cells[index]

            width: column.implicitWidth + 2 * Theme.space3
            height: column.implicitHeight + 2 * Theme.space1
            radius: Theme.radiusCell
            color: cell.right ? Theme.accentSoft : Theme.errorSoft
            Accessible.ignored: true

            Column {
                id: column

                anchors.centerIn: parent

                PlainText {
                    anchors.horizontalCenter: parent.horizontalCenter
                    text: box.cell.hex === "" ? "–" : box.cell.hex
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontCode
                    Accessible.ignored: true
                }
                Row {
                    anchors.horizontalCenter: parent.horizontalCenter
                    spacing: 2

                    Icon {
                        anchors.verticalCenter: parent.verticalCenter
                        symbol: box.cell.right ? "check" : "close"
                        size: Theme.iconSmall - 4
                        color: box.cell.right ? Theme.accent : Theme.error
                    }
                    PlainText {
                        text: box.cell.wanted
                        font.family: Theme.mono
                        font.pixelSize: Theme.fontSmall
                        color: box.cell.right ? Theme.accent : Theme.error
                        Accessible.ignored: true
                    }
                }
            }
        }
    }
}
