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
    required property bool canStartAnew

    signal openRequested
    signal startAnewRequested

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
            used: header.model.contextUsed
            length: header.model.contextLength
        }
        IconButton {
            symbol: "new-chat"
            text: qsTr("New chat")
            hint: qsTr("New chat (Ctrl+N)")
            enabled: header.canStartAnew
            opacity: enabled ? 1 : 0.45
            onClicked: header.startAnewRequested()
        }
    }
}
