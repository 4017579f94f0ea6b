// Gets the demo model: offers it, shows how far it is, says what went wrong.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

ColumnLayout {
    id: view

    required property ModelViewModel model

    spacing: Theme.space2

    ActionButton {
        Layout.alignment: Qt.AlignHCenter
        visible: !view.model.fetchingDemo
        symbol: "download"
        text: qsTr("Get the demo model")
        hint: qsTr("SmolLM2 135M, 95 MB, Apache licence")
        onClicked: view.model.getDemo()
    }
    RowLayout {
        Layout.alignment: Qt.AlignHCenter
        visible: view.model.fetchingDemo
        spacing: Theme.space3

        PlainText {
            secondary: true
            text: view.model.demoProgress
        }
        ProgressLine {
            value: Math.max(0, view.model.demoFraction)
            indeterminate: false
            Accessible.name: qsTr("Getting the demo model")
        }
        ActionButton {
            text: qsTr("Cancel")
            onClicked: view.model.cancelDemo()
        }
    }
}
