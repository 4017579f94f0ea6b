// A button that is one icon; its name is spoken and shown as a tooltip.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.AbstractButton {
    id: button

    required property string symbol
    property int size: Theme.control
    property int iconSize: size < Theme.control ? Theme.iconSmall : Theme.iconSize
    property string hint: text
    property color ink: Theme.dim

    implicitWidth: size
    implicitHeight: size
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Button
    Accessible.name: text
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            symbol: button.symbol
            size: button.iconSize
            color: button.hovered && button.enabled ? Theme.text : button.ink
        }
    }
    background: Rectangle {
        radius: Theme.radiusControl
        color: button.down ? Theme.pressed : button.hovered ? Theme.hover : "transparent"

        FocusRing {
            visible: button.visualFocus
        }
    }

    Hint {
        visible: button.hovered && button.hint !== ""
        text: button.hint
    }
}
