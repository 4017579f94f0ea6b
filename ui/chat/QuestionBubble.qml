// What the person asked.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

Item {
    id: row

    required property string question

    implicitHeight: bubble.height
    Accessible.role: Accessible.ListItem
    Accessible.name: qsTr("You: %1").arg(question)

    Rectangle {
        id: bubble

        readonly property int room: row.width - 2 * Theme.space6

        anchors.right: parent.right
        width: text.width + 2 * Theme.space4
        height: text.height + 2 * (Theme.space2 + 2)
        radius: Theme.radiusBubble
        color: Theme.sunken
        border.width: Theme.dark ? Theme.hairline : 0
        border.color: Theme.line

        SelectableText {
            id: text

            x: Theme.space4
            anchors.verticalCenter: parent.verticalCenter
            anchors.verticalCenterOffset: leading / 2
            content: row.question
            width: Math.min(measure.implicitWidth + 1, bubble.room - 2 * Theme.space4)
        }
        // The width the text would like; a wrapping TextEdit doesn't tell.
        PlainText {
            id: measure

            visible: false
            text: row.question.length > 500 ? row.question.slice(0, 500) : row.question
            font: text.font
        }
    }
}
