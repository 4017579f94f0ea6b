// Takes files dropped anywhere in the window, and says so while one hovers.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

DropArea {
    id: area

    signal filesDropped(var files)

    keys: ["text/uri-list"]
    onDropped: drop => {
        if (drop.hasUrls) {
            drop.accept(Qt.CopyAction);
            area.filesDropped(drop.urls);
        }
    }

    Rectangle {
        anchors.fill: parent
        visible: area.containsDrag
        color: Theme.background
        opacity: 0.92
    }
    Rectangle {
        anchors.fill: parent
        anchors.margins: Theme.space4
        visible: area.containsDrag
        radius: Theme.radiusBubble
        color: "transparent"
        border.width: Theme.focusWidth
        border.color: Theme.accent

        Column {
            anchors.centerIn: parent
            spacing: Theme.space3

            Icon {
                anchors.horizontalCenter: parent.horizontalCenter
                symbol: "model"
                size: 40
                color: Theme.accent
            }
            PlainText {
                text: qsTr("Drop a model to open it, or text to attach it")
                font.pixelSize: Theme.fontTitle
                font.weight: Font.DemiBold
            }
        }
    }
}
