// What is open, how full its context is, and a way to start anew.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

Item {
    id: header

    required property ModelViewModel model
    required property ChatViewModel chat
    required property bool panelShown

    signal openRequested
    signal sidebarRequested
    signal panelRequested

    implicitHeight: Theme.header

    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: Theme.hairline
        color: Theme.line
    }
    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space5
        anchors.rightMargin: Theme.space3
        spacing: Theme.space4

        IconButton {
            Layout.leftMargin: -Theme.space3
            symbol: "sidebar"
            text: qsTr("List of chats")
            hint: qsTr("List of chats (Ctrl+B)")
            onClicked: header.sidebarRequested()
        }
        ModelChip {
            objectName: "modelChip"
            Layout.fillWidth: true
            Layout.maximumWidth: implicitWidth
            model: header.model
            onOpenRequested: header.openRequested()
        }
        Item {
            Layout.fillWidth: true
        }
        ContextMeter {
            visible: header.model.loaded
            used: header.chat.contextUsed
            length: header.model.contextLength
        }
        IconButton {
            symbol: "sliders"
            text: qsTr("System prompt and sampler")
            hint: qsTr("System prompt and sampler (Ctrl+Shift+P)")
            ink: header.panelShown ? Theme.accent : Theme.dim
            onClicked: header.panelRequested()
        }
    }
}
