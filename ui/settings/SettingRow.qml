// One setting: its name and what it does at the left, its control at the right.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

RowLayout {
    id: row

    required property string title
    required property string explanation
    default property alias control: holder.data

    spacing: Theme.space6

    ColumnLayout {
        Layout.fillWidth: true
        Layout.alignment: Qt.AlignVCenter
        spacing: Theme.space1

        PlainText {
            Layout.fillWidth: true
            text: row.title
            font.weight: Font.DemiBold
        }
        PlainText {
            Layout.fillWidth: true
            text: row.explanation
            secondary: true
            wrapMode: Text.Wrap
        }
    }
    Item {
        id: holder

        Layout.alignment: Qt.AlignVCenter
        implicitWidth: childrenRect.width
        implicitHeight: childrenRect.height
    }
}
