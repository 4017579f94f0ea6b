// Scales and minima of a block: name, what it is, its number.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Flow {
    id: parts

    required property BlockExplorer explorer
    readonly property var lit: explorer.litParts

    spacing: Theme.space2

    Repeater {
        model: parts.explorer.parts.length

        Rectangle {
            id: part

            required property int index
            readonly property var field: parts.explorer.parts[index]
            readonly property color hue: FieldColors.colorOf(field?.kind ?? "")

            implicitWidth: row.implicitWidth + Theme.space3
            implicitHeight: row.implicitHeight + Theme.space1
            radius: Theme.radiusCell
            color: parts.lit.includes(index) ? Qt.rgba(hue.r, hue.g, hue.b, 0.3) : "transparent"
            Accessible.role: Accessible.StaticText
            Accessible.name: field ? qsTr("%1, %2: %3").arg(field.name).arg(field.kindName).arg(field.value) : ""

            Row {
                id: row

                anchors.centerIn: parent
                spacing: Theme.space2

                Rectangle {
                    anchors.verticalCenter: parent.verticalCenter
                    width: Theme.space3
                    height: Theme.space3
                    radius: 3
                    color: part.hue
                }
                PlainText {
                    text: part.field?.name ?? ""
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    Accessible.ignored: true
                }
                PlainText {
                    secondary: true
                    text: part.field?.kindName ?? ""
                    Accessible.ignored: true
                }
                PlainText {
                    text: part.field?.value ?? ""
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    Accessible.ignored: true
                }
            }
            HoverHandler {
                onHoveredChanged: hovered ? parts.explorer.lookAtPart(part.index) : parts.explorer.lookAway()
            }
        }
    }
}
