// A file is being loaded: which, what is being done, how far, and a way out.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowLayout {
    id: view

    required property ModelViewModel model

    spacing: Theme.space4

    ColumnLayout {
        Layout.fillWidth: true
        spacing: Theme.space2

        PlainText {
            Layout.fillWidth: true
            text: qsTr("Loading %1").arg(view.model.loadingName)
            font.weight: Font.DemiBold
            elide: Text.ElideMiddle
        }
        ProgressLine {
            Layout.fillWidth: true
            value: view.model.loadFraction
            Accessible.name: qsTr("Loading")
        }
        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: qsTr("%1 · %2 %").arg(view.model.loadStage).arg(Math.round(view.model.loadFraction * 100))
        }
    }
    ActionButton {
        text: qsTr("Cancel")
        onClicked: view.model.cancelLoad()
    }
}
