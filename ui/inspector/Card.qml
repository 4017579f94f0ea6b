// A part of a page on a ground of its own, with a title.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

Rectangle {
    id: card

    property string title: ""
    property string detail: ""
    default property alias content: column.data

    implicitWidth: column.implicitWidth + 2 * Theme.space3
    implicitHeight: column.implicitHeight + 2 * Theme.space3
    radius: Theme.radiusCard
    color: Theme.surface
    border.width: Theme.hairline
    border.color: Theme.line

    ColumnLayout {
        id: column

        anchors.fill: parent
        anchors.margins: Theme.space3
        spacing: Theme.space2

        RowLayout {
            Layout.fillWidth: true
            visible: card.title !== ""
            spacing: Theme.space3

            PlainText {
                Layout.fillWidth: true
                text: card.title
                font.weight: Font.DemiBold
                Accessible.role: Accessible.Heading
            }
            // Never hidden: what appears in a hidden layout is not laid out when that is shown.
            PlainText {
                secondary: true
                text: card.detail
                Accessible.ignored: text === ""
            }
        }
    }
}
