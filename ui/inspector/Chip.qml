// A small rounded button: a tab, a switch, or a word about a state.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Theme

T.AbstractButton {
    id: chip

    property bool current: false
    property string hint: ""
    property string symbol: ""
    property color ink: current ? Theme.accent : Theme.text
    property color ground: current ? Theme.accentSoft : "transparent"

    implicitWidth: implicitContentWidth + leftPadding + rightPadding
    implicitHeight: Theme.control - 6
    leftPadding: Theme.space3
    rightPadding: Theme.space3
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Button
    Accessible.name: text
    Accessible.description: hint
    Keys.onReturnPressed: chip.clicked()
    Keys.onEnterPressed: chip.clicked()

    contentItem: Row {
        spacing: Theme.space1 + 2

        Icon {
            anchors.verticalCenter: parent.verticalCenter
            visible: chip.symbol !== ""
            symbol: chip.symbol
            size: Theme.iconSmall
            color: chip.ink
        }
        PlainText {
            anchors.verticalCenter: parent.verticalCenter
            text: chip.text
            font.pixelSize: Theme.fontSmall
            color: chip.ink
            Accessible.ignored: true
        }
    }
    background: Rectangle {
        radius: height / 2
        color: chip.current ? chip.ground : chip.down ? Theme.pressed : chip.hovered ? Theme.hover : chip.ground
        border.width: Theme.hairline
        border.color: chip.current ? chip.ground : Theme.line

        FocusRing {
            visible: chip.visualFocus
            inner: parent.height / 2
        }
    }
    Hint {
        visible: chip.hovered && chip.hint !== ""
        text: chip.hint
    }
}
