// The weights of a block as other types would hold them: bytes and error.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    required property BlockExplorer explorer

    title: qsTr("The same weights as …")

    Repeater {
        model: card.explorer.alternatives.length

        ColumnLayout {
            id: line

            required property int index
            readonly property var other: card.explorer.alternatives[index]
            readonly property bool own: other?.own ?? false

            Layout.fillWidth: true
            spacing: 2
            Accessible.role: Accessible.StaticText
            Accessible.name: other ? qsTr("%1: %2 bytes, error %3 (root mean square), at most %4").arg(other.type).arg(other.bytes).arg(other.rmse).arg(other.largest) : ""

            RowLayout {
                Layout.fillWidth: true
                spacing: Theme.space2

                PlainText {
                    Layout.preferredWidth: 56 * Theme.scale
                    text: line.other?.type ?? ""
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    color: line.own ? Theme.accent : Theme.text
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.fillWidth: true
                    secondary: true
                    text: qsTr("%1 B").arg(line.other?.bytes ?? 0)
                    font.family: Theme.mono
                    Accessible.ignored: true
                }
                PlainText {
                    secondary: true
                    text: line.own ? qsTr("as it is") : qsTr("rmse %1").arg(line.other?.rmse ?? "")
                    font.family: Theme.mono
                    Accessible.ignored: true
                }
            }
            Rectangle {
                Layout.fillWidth: true
                implicitHeight: 4
                radius: 2
                color: Theme.sunken
                Accessible.ignored: true

                Rectangle {
                    width: parent.width * (line.other?.share ?? 0)
                    height: parent.height
                    radius: 2
                    color: line.own ? Theme.accent : Theme.dataOther
                }
            }
        }
    }
}
