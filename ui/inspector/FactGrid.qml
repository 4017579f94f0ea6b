// Names and values in as many columns as there is room for.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

// No GridLayout: one whose number of columns depends on its width crashes Qt 6.4.
Item {
    id: holder

    // Objects with a name and a value.
    required property var facts

    implicitHeight: grid.implicitHeight

    Grid {
        id: grid

        readonly property real cell: (holder.width - (columns - 1) * columnSpacing) / columns

        columns: Math.max(1, Math.floor(holder.width / (240 * Theme.scale)))
        columnSpacing: Theme.space6
        rowSpacing: Theme.space1 + 2

        Repeater {
            // By their number: the rows stay while the values change.
            model: holder.facts.length

            RowLayout {
                id: line

                required property int index
                readonly property var fact: holder.facts[index]

                width: grid.cell
                spacing: Theme.space3
                Accessible.role: Accessible.StaticText
                Accessible.name: fact.name + ": " + fact.value

                PlainText {
                    Layout.fillWidth: true
                    secondary: true
                    text: line.fact.name
                    Accessible.ignored: true
                }
                PlainText {
                    text: line.fact.value
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    Accessible.ignored: true
                }
            }
        }
    }
}
