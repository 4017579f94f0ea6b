// One tensor in the picture of the architecture: short name, type or what is wrong, and the type's colour.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

// There are many of them, made while one scrolls: what few need is made by loaders, and no layout is at work.
T.AbstractButton {
    id: cell

    required property string label
    required property string type
    required property string condition
    // "", "error", "warning", "note" or "absent": see ArchitectureModel.
    required property string mark
    required property string words
    // Its tensor is the selected one.
    required property bool current
    // The keyboard is here.
    required property bool cursor
    readonly property bool there: type !== ""
    readonly property bool alarming: mark === "error" || mark === "warning"
    readonly property color ink: mark === "error" ? Theme.error : mark === "warning" ? Theme.warning : Theme.dim

    implicitHeight: Math.round(38 * Theme.scale)
    leftPadding: there ? Theme.space2 + swatch.width + 3 : Theme.space2
    rightPadding: 2
    topPadding: 3
    bottomPadding: 4
    focusPolicy: Qt.NoFocus
    Accessible.role: Accessible.Button
    Accessible.name: words
    Accessible.selected: current

    TypeSwatch {
        id: swatch

        x: Theme.space1 + 2
        anchors.verticalCenter: parent.verticalCenter
        visible: cell.there
        height: Math.round(24 * Theme.scale)
        typeName: cell.type
    }

    contentItem: Item {
        PlainText {
            width: parent.width
            text: cell.label
            font.family: Theme.mono
            font.pixelSize: Theme.fontSmall
            elide: Text.ElideMiddle
            color: cell.mark === "error" ? Theme.error : cell.current ? Theme.accent : cell.there ? Theme.text : Theme.dim
            Accessible.ignored: true
        }
        // qmllint disable unqualified
        Loader {
            anchors.bottom: parent.bottom
            active: cell.alarming
            sourceComponent: Icon {
                symbol: cell.mark === "error" ? "error" : "warning"
                size: Theme.fontTiny + 1
                color: cell.ink
            }
        }
        // qmllint enable unqualified
        PlainText {
            x: cell.alarming ? Theme.fontTiny + 3 : 0
            anchors.bottom: parent.bottom
            width: parent.width - x
            text: cell.condition
            font.pixelSize: Theme.fontTiny
            color: cell.ink
            Accessible.ignored: true
        }
    }
    background: Rectangle {
        radius: Theme.radiusCell
        color: cell.current ? Theme.accentSoft : !cell.there ? "transparent" : Qt.alpha(swatch.color, cell.hovered ? 0.26 : 0.14)
        border.width: cell.current ? Theme.focusWidth : cell.there ? Theme.hairline : 0
        border.color: cell.current ? Theme.accent : cell.mark === "warning" ? Theme.warning : Theme.line

        // qmllint disable unqualified
        Loader {
            anchors.fill: parent
            active: !cell.there && !cell.current
            sourceComponent: DashedFrame {
                ink: cell.ink
            }
        }
        Loader {
            anchors.fill: parent
            active: cell.cursor
            sourceComponent: FocusRing {
                inner: Theme.radiusCell
            }
        }
        // qmllint enable unqualified
    }
}
