// A menu in the look of Vitrine.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Theme

Menu {
    id: menu

    property int menuWidth: 280

    padding: Theme.space1
    overlap: 1
    implicitWidth: menuWidth
    font.family: Theme.sans
    font.pixelSize: Theme.fontBase

    delegate: PopupMenuItem {}
    background: Item {
        implicitWidth: menu.menuWidth

        Rectangle {
            anchors.fill: parent
            anchors.margins: -3
            anchors.topMargin: 1
            anchors.bottomMargin: -5
            radius: Theme.radiusCard + 3
            color: Theme.shadow
            opacity: 0.5
        }
        Rectangle {
            anchors.fill: parent
            radius: Theme.radiusCard
            color: Theme.surface
            border.width: Theme.hairline
            border.color: Theme.lineStrong
        }
    }
    enter: Transition {
        NumberAnimation {
            property: "opacity"
            from: 0
            to: 1
            duration: Theme.quick
        }
    }
}
