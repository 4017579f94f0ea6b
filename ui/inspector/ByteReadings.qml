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

    implicitHeight: column.implicitHeight

    Column {
        id: column

        spacing: Theme.space1

        PlainText {
            secondary: true
            text: qsTr("The bytes at the cursor as numbers: little-endian, big-endian")
        }
        Grid {
            id: grid

            readonly property real cell: (holder.width - (columns - 1) * columnSpacing) / columns

            columns: Math.max(1, Math.floor(holder.width / (330 * Theme.scale)))
            columnSpacing: Theme.space5
            rowSpacing: 2

            Repeater {
                model: holder.hex.readings

                RowLayout {
                    id: line

                    required property var modelData

                    width: grid.cell
                    spacing: Theme.space2
                    Accessible.role: Accessible.StaticText
                    Accessible.name: modelData.big === "" ? modelData.name + ": " + modelData.little : qsTr("%1: %2, big-endian %3").arg(modelData.name).arg(modelData.little).arg(modelData.big)

                    PlainText {
                        Layout.preferredWidth: Math.round(34 * Theme.scale)
                        secondary: true
                        text: line.modelData.name
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        Layout.preferredWidth: 1
                        text: line.modelData.little
                        font.family: Theme.mono
                        font.pixelSize: Theme.fontSmall
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        Layout.preferredWidth: 1
                        text: line.modelData.big
                        secondary: true
                        font.family: Theme.mono
                        Accessible.ignored: true
                    }
                }
            }
        }
    }
}
