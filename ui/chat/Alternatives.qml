// Which of several siblings is shown: "‹ 2 / 3 ›".
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

Row {
    id: row

    required property int alternative
    required property int alternatives

    signal stepped(int step)

    visible: alternatives > 1
    spacing: 0

    IconButton {
        size: Theme.control - 8
        symbol: "chevron-left"
        text: qsTr("Show the one before")
        enabled: row.alternative > 1
        opacity: enabled ? 1 : 0.4
        onClicked: row.stepped(-1)
    }
    PlainText {
        anchors.verticalCenter: parent.verticalCenter
        secondary: true
        text: qsTr("%1 / %2").arg(row.alternative).arg(row.alternatives)
        Accessible.name: qsTr("Version %1 of %2").arg(row.alternative).arg(row.alternatives)
    }
    IconButton {
        size: Theme.control - 8
        symbol: "chevron-right"
        text: qsTr("Show the next one")
        enabled: row.alternative < row.alternatives
        opacity: enabled ? 1 : 0.4
        onClicked: row.stepped(1)
    }
}
