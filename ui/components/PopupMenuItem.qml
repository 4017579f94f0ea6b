// One line of a menu: icon, words, and a shortcut or detail at the right.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Theme

MenuItem {
    id: item

    property string symbol: ""
    property string detail: ""

    // The arrow keys pass over what is not there.
    enabled: visible
    implicitHeight: visible ? Theme.control + 2 : 0
    leftPadding: Theme.space2
    rightPadding: Theme.space3
    spacing: Theme.space2
    font.family: Theme.sans
    font.pixelSize: Theme.fontBase
    Accessible.role: Accessible.MenuItem
    Accessible.name: text
    Accessible.description: detail

    indicator: null
    arrow: null
    contentItem: RowLayout {
        spacing: item.spacing

        Icon {
            visible: item.symbol !== ""
            symbol: item.symbol
            size: Theme.iconSmall
            color: item.enabled ? Theme.text : Theme.dim
        }
        PlainText {
            Layout.fillWidth: true
            text: item.text
            font: item.font
            color: item.enabled ? Theme.text : Theme.dim
            elide: Text.ElideMiddle
            Accessible.ignored: true
        }
        PlainText {
            visible: text !== ""
            secondary: true
            text: item.detail
            elide: Text.ElideMiddle
            Layout.maximumWidth: item.width / 3
            Accessible.ignored: true
        }
    }
    background: Rectangle {
        radius: Theme.radiusCell
        color: item.highlighted ? Theme.hover : "transparent"
    }
}
