// Says that the model does not see what stands above.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

RowFrame {
    id: mark

    required property int leftOut

    Accessible.role: Accessible.StaticText
    Accessible.name: said.text

    RowLayout {
        width: mark.room
        spacing: Theme.space3

        Rectangle {
            Layout.fillWidth: true
            implicitHeight: Theme.hairline
            color: Theme.warningLine
        }
        PlainText {
            id: said

            Layout.maximumWidth: mark.room - 80
            secondary: true
            color: Theme.warning
            wrapMode: Text.Wrap
            text: mark.leftOut === 1 ? qsTr("The context is full: the model no longer sees the message above") : qsTr("The context is full: the model no longer sees the %1 messages above").arg(mark.leftOut)
            Accessible.ignored: true
        }
        Rectangle {
            Layout.fillWidth: true
            implicitHeight: Theme.hairline
            color: Theme.warningLine
        }
    }
}
