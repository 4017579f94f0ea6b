// The bytes under the cursor as every number type, both byte orders, and as text.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

// No GridLayout: see FactGrid.
Item {
    id: holder

    required property HexViewModel hex
    // For little room: one byte order.
    property bool compact: false
    readonly property var readings: hex.readings

    implicitHeight: column.implicitHeight

    Column {
        id: column

        spacing: Theme.space1

        PlainText {
            secondary: true
            text: holder.compact ? qsTr("The bytes at the cursor as numbers, little-endian") : qsTr("The bytes at the cursor as numbers: little-endian, big-endian")
        }
        Grid {
            id: grid

            readonly property real cell: (holder.width - (columns - 1) * columnSpacing) / columns

            columns: Math.max(1, Math.floor(holder.width / ((holder.compact ? 200 : 330) * Theme.scale)))
            columnSpacing: Theme.space5
            rowSpacing: 2

            Repeater {
                // By their number: the rows stay while the values change.
                model: holder.readings.length

                RowLayout {
                    id: line

                    required property int index
                    readonly property var reading: holder.readings[index]

                    width: grid.cell
                    spacing: Theme.space2
                    Accessible.role: Accessible.StaticText
                    Accessible.name: reading.big === "" ? reading.name + ": " + reading.little : qsTr("%1: %2, big-endian %3").arg(reading.name).arg(reading.little).arg(reading.big)

                    PlainText {
                        Layout.preferredWidth: Math.round(34 * Theme.scale)
                        secondary: true
                        text: line.reading.name
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        Layout.preferredWidth: 1
                        text: line.reading.little
                        font.family: Theme.mono
                        font.pixelSize: Theme.fontSmall
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        Layout.preferredWidth: 1
                        visible: !holder.compact
                        text: line.reading.big
                        secondary: true
                        font.family: Theme.mono
                        Accessible.ignored: true
                    }
                }
            }
        }
    }
}
