// One setting: its name and what it does at the left, its control at the right.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

// By anchors: a layout of Qt 6.4 leaves the control where it was when the words wrap anew.
Item {
    id: row

    required property string title
    required property string explanation
    default property alias control: holder.data

    implicitHeight: Math.max(words.implicitHeight, holder.height)

    ColumnLayout {
        id: words

        anchors.left: parent.left
        anchors.right: holder.left
        anchors.rightMargin: Theme.space6
        anchors.verticalCenter: parent.verticalCenter
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

        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        width: childrenRect.width
        height: childrenRect.height
    }
}
