// What to do when no model is open: open a file, drop one, or take one of the last.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

ColumnLayout {
    id: view

    required property ModelViewModel model

    signal openRequested

    spacing: Theme.space4

    Icon {
        Layout.alignment: Qt.AlignHCenter
        symbol: "model"
        size: 40
        color: Theme.accent
    }
    PlainText {
        Layout.alignment: Qt.AlignHCenter
        text: qsTr("Open a model to talk to it")
        font.pixelSize: Theme.fontTitle
        font.weight: Font.DemiBold
        Accessible.role: Accessible.Heading
    }
    PlainText {
        Layout.fillWidth: true
        Layout.maximumWidth: 460
        Layout.alignment: Qt.AlignHCenter
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("A model is one .gguf file. Vitrine runs it on this machine; nothing you type leaves it.")
        color: Theme.dim
        wrapMode: Text.Wrap
        lineHeight: Theme.lineBase
    }
    ActionButton {
        id: open

        Layout.alignment: Qt.AlignHCenter
        Layout.topMargin: Theme.space1
        focus: true
        look: ActionButton.Primary
        symbol: "folder"
        text: qsTr("Open a file…")
        hint: qsTr("Ctrl+O")
        onClicked: view.openRequested()
    }
    DemoView {
        Layout.alignment: Qt.AlignHCenter
        model: view.model
    }
    PlainText {
        Layout.alignment: Qt.AlignHCenter
        secondary: true
        text: qsTr("or drop a file anywhere in this window")
    }
    ColumnLayout {
        Layout.alignment: Qt.AlignHCenter
        Layout.topMargin: Theme.space3
        Layout.fillWidth: true
        Layout.maximumWidth: 460
        visible: view.model.recentFiles.length > 0
        spacing: 0

        PlainText {
            Layout.leftMargin: Theme.space3
            Layout.bottomMargin: Theme.space1
            secondary: true
            text: qsTr("Recent files")
            Accessible.role: Accessible.Heading
        }
        Repeater {
            model: view.model.recentFiles

            T.AbstractButton {
                id: recent

                required property int index
                required property string modelData

                visible: index < 5
                Layout.fillWidth: true
                implicitHeight: 40
                text: view.model.fileName(modelData)
                focusPolicy: Qt.StrongFocus
                Accessible.name: qsTr("Open %1").arg(text)
                Accessible.description: modelData
                Keys.onReturnPressed: recent.clicked()
                Keys.onEnterPressed: recent.clicked()
                onClicked: view.model.choose(modelData)

                contentItem: RowLayout {
                    spacing: Theme.space3

                    PlainText {
                        Layout.leftMargin: Theme.space3
                        Layout.fillWidth: true
                        text: recent.text
                        font.weight: Font.Medium
                        elide: Text.ElideMiddle
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.rightMargin: Theme.space3
                        Layout.maximumWidth: 200
                        secondary: true
                        text: view.model.folderName(recent.modelData)
                        elide: Text.ElideMiddle
                        Accessible.ignored: true
                    }
                }
                background: Rectangle {
                    radius: Theme.radiusControl
                    color: recent.down ? Theme.pressed : recent.hovered ? Theme.hover : "transparent"

                    FocusRing {
                        visible: recent.visualFocus
                    }
                }
            }
        }
    }
}
