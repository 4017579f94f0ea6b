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
    property bool labelled: true
    // As the current page's name is written: a page that becomes current must not change the rail.
    readonly property real labelWidth: metrics.advanceWidth

    implicitWidth: Math.max(56, labelled ? labelWidth : 0)
    implicitHeight: Math.max(52, labelled ? Math.ceil(metrics.height) + 38 : 0)
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.PageTab
    Accessible.name: text
    Accessible.selected: current
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    TextMetrics {
        id: metrics

        text: button.text
        font.family: Theme.sans
        font.pixelSize: Theme.fontTiny
        font.weight: Font.DemiBold
    }

    contentItem: Item {
        Icon {
            anchors.horizontalCenter: parent.horizontalCenter
            y: button.labelled ? 8 : (parent.height - height) / 2
            symbol: button.symbol
            size: button.labelled ? Theme.iconSize : Math.round(1.4 * Theme.iconSize)
            color: button.current ? Theme.accent : Theme.dim
        }
        PlainText {
            visible: button.labelled
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
