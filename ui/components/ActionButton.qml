// A button with a word and, if wanted, an icon.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.Button {
    id: button

    enum Look {
        Plain,
        Primary,
        Quiet
    }

    property int look: ActionButton.Plain
    property string symbol: ""
    // Shown on hover; where the button is disabled, the reason.
    property string hint: ""
    readonly property bool primary: look === ActionButton.Primary
    readonly property color ink: !enabled ? Theme.dim : primary ? Theme.accentText : look === ActionButton.Quiet ? Theme.accent : Theme.text

    implicitWidth: implicitContentWidth + leftPadding + rightPadding
    implicitHeight: Theme.control
    leftPadding: symbol === "" || text === "" ? Theme.space3 + 2 : Theme.space3
    rightPadding: Theme.space3 + 2
    spacing: Theme.space2 - 2
    font.family: Theme.sans
    font.pixelSize: Theme.fontBase
    font.weight: primary ? Font.DemiBold : Font.Medium
    focusPolicy: Qt.StrongFocus
    Accessible.name: text
    Accessible.description: hint
    Keys.onReturnPressed: button.clicked()
    Keys.onEnterPressed: button.clicked()

    contentItem: Row {
        spacing: button.spacing

        Icon {
            anchors.verticalCenter: parent.verticalCenter
            visible: button.symbol !== ""
            symbol: button.symbol
            size: Theme.iconSmall
            color: button.ink
        }
        PlainText {
            anchors.verticalCenter: parent.verticalCenter
            text: button.text
            font: button.font
            color: button.ink
            Accessible.ignored: true
        }
    }
    background: Rectangle {
        radius: Theme.radiusControl
        color: {
            if (button.primary) {
                return !button.enabled ? Theme.sunken : button.down ? Theme.accentPressed : button.hovered ? Theme.accentHover : Theme.accent;
            }
            if (button.enabled && (button.down || button.hovered)) {
                return button.down ? Theme.pressed : Theme.hover;
            }
            return button.look === ActionButton.Quiet ? "transparent" : Theme.surface;
        }
        border.width: button.look === ActionButton.Plain || !button.enabled && button.primary ? Theme.hairline : 0
        border.color: button.enabled ? Theme.lineStrong : Theme.line

        FocusRing {
            visible: button.visualFocus
        }
    }

    // A disabled control gets no hover of its own.
    HoverHandler {
        id: hover
        enabled: true
    }
    Hint {
        visible: hover.hovered && button.hint !== ""
        text: button.hint
    }
}
