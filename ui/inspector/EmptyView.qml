// What to do when no file is shown.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

ColumnLayout {
    id: view

    signal openRequested

    spacing: Theme.space4

    Icon {
        Layout.alignment: Qt.AlignHCenter
        symbol: "inspect"
        size: 40
        color: Theme.accent
    }
    PlainText {
        Layout.alignment: Qt.AlignHCenter
        text: qsTr("See what is inside a model")
        font.pixelSize: Theme.fontTitle
        font.weight: Font.DemiBold
        Accessible.role: Accessible.Heading
    }
    PlainText {
        Layout.fillWidth: true
        Layout.maximumWidth: 460
        Layout.alignment: Qt.AlignHCenter
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("From the whole file down to the bits of one weight: header, metadata, tensors, bytes. Broken files open as far as they go.")
        color: Theme.dim
        wrapMode: Text.Wrap
        lineHeight: Theme.lineBase
    }
    ActionButton {
        objectName: "inspectOpen"
        Layout.alignment: Qt.AlignHCenter
        focus: true
        look: ActionButton.Primary
        symbol: "folder"
        text: qsTr("Open a file…")
        hint: qsTr("Ctrl+O")
        onClicked: view.openRequested()
    }
}
