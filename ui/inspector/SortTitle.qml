// The title of a column; pressing it sorts.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Theme

T.AbstractButton {
    id: title

    required property bool sorted
    required property bool descending
    property bool atRight: false

    implicitWidth: 40
    implicitHeight: Theme.control - 6
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.ColumnHeader
    Accessible.name: !sorted ? qsTr("Sort by %1").arg(text) : descending ? qsTr("%1, sorted downwards").arg(text) : qsTr("%1, sorted upwards").arg(text)
    Keys.onReturnPressed: title.clicked()
    Keys.onEnterPressed: title.clicked()

    contentItem: Item {
        Row {
            anchors.verticalCenter: parent.verticalCenter
            x: title.atRight ? parent.width - width : 0
            spacing: 2

            PlainText {
                text: title.text
                font.pixelSize: Theme.fontSmall
                font.weight: Font.DemiBold
                color: title.hovered || title.sorted ? Theme.text : Theme.dim
                Accessible.ignored: true
            }
            Icon {
                visible: title.sorted
                symbol: title.descending ? "down" : "up"
                size: 12
                color: Theme.accent
            }
        }
    }
    background: Item {
        FocusRing {
            visible: title.visualFocus
            inner: 2
        }
    }
}
