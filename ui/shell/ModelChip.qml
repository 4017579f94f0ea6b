// The model that is open, as a button: its menu opens others.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

T.AbstractButton {
    id: chip

    required property ModelViewModel model

    signal openRequested

    implicitWidth: implicitContentWidth + leftPadding + rightPadding
    implicitHeight: Theme.control + 2
    leftPadding: Theme.space3
    rightPadding: Theme.space2
    focusPolicy: Qt.StrongFocus
    text: model.loading ? qsTr("Loading %1").arg(model.loadingName) : model.loaded ? model.name : qsTr("No model")
    Accessible.role: Accessible.ButtonMenu
    Accessible.name: qsTr("Model: %1").arg(text)
    Accessible.description: model.summary
    Keys.onReturnPressed: chip.clicked()
    Keys.onEnterPressed: chip.clicked()
    Keys.onDownPressed: chip.clicked()
    onClicked: menu.popup(chip, 0, chip.height + 4)

    contentItem: RowLayout {
        spacing: Theme.space2

        Rectangle {
            implicitWidth: 8
            implicitHeight: 8
            radius: 4
            color: chip.model.loading ? Theme.accent : chip.model.usable ? Theme.good : chip.model.loaded ? Theme.error : "transparent"
            border.width: chip.model.loaded || chip.model.loading ? 0 : 1.5
            border.color: Theme.dim
            Accessible.ignored: true
        }
        PlainText {
            Layout.fillWidth: true
            // The name goes before the rest where there is little room.
            Layout.minimumWidth: Math.min(implicitWidth, Math.max(60, chip.availableWidth - 80))
            text: chip.text
            font.weight: Font.DemiBold
            elide: Text.ElideMiddle
            Accessible.ignored: true
        }
        PlainText {
            Layout.fillWidth: true
            Layout.leftMargin: 2
            visible: text !== ""
            opacity: width > 30 ? 1 : 0
            text: chip.model.loading ? qsTr("%1 %").arg(Math.round(chip.model.loadFraction * 100)) : chip.model.summary
            secondary: true
            Accessible.ignored: true
        }
        Icon {
            symbol: "chevron-down"
            size: Theme.iconSmall
            color: Theme.dim
        }
    }
    background: Rectangle {
        radius: Theme.radiusControl
        color: chip.down ? Theme.pressed : chip.hovered ? Theme.hover : Theme.surface
        border.width: Theme.hairline
        border.color: Theme.line

        FocusRing {
            visible: chip.visualFocus
        }
    }

    ModelMenu {
        id: menu

        model: chip.model
        onOpenRequested: chip.openRequested()
    }
    Hint {
        visible: chip.hovered && !menu.visible && text !== ""
        text: chip.model.details
    }
}
