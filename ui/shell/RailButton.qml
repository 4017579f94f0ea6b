// One page in the rail: icon above its name.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Theme

T.AbstractButton {
    id: button

    required property string symbol
    required property string hint
    required property bool current

    implicitWidth: 56
    implicitHeight: 52
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.PageTab
    Accessible.name: text
    Accessible.selected: current
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    contentItem: Item {
        Icon {
            anchors.horizontalCenter: parent.horizontalCenter
            y: 8
            symbol: button.symbol
            color: button.current ? Theme.accent : Theme.dim
        }
        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            anchors.bottom: parent.bottom
            anchors.bottomMargin: 6
            text: button.text
            font.pixelSize: Theme.fontTiny
            font.weight: button.current ? Font.DemiBold : Font.Normal
            color: button.current ? Theme.accent : Theme.dim
            Accessible.ignored: true
        }
    }
    background: Rectangle {
        radius: Theme.radiusCard
        color: button.current ? Theme.accentSoft : button.down ? Theme.pressed : button.hovered ? Theme.hover : "transparent"

        FocusRing {
            visible: button.visualFocus
            inner: Theme.radiusCard
        }
    }
    Hint {
        visible: button.hovered
        text: button.hint
    }
}
