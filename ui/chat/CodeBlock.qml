// Code on a sunken card, with its language and a copy button.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Components
import Vitrine.Theme

Rectangle {
    id: card

    required property string content
    required property string language

    signal copyRequested(string text)

    implicitHeight: top.height + flick.height + Theme.space3
    radius: Theme.radiusCard
    color: Theme.sunken
    border.width: Theme.hairline
    border.color: Theme.line
    Accessible.role: Accessible.Grouping
    Accessible.name: language === "" ? qsTr("Code") : qsTr("Code, %1").arg(language)

    Item {
        id: top

        width: parent.width
        height: 36

        PlainText {
            anchors.left: parent.left
            anchors.leftMargin: Theme.space4
            anchors.right: copy.left
            anchors.verticalCenter: parent.verticalCenter
            text: card.language === "" ? qsTr("code") : card.language
            font.family: Theme.mono
            font.pixelSize: Theme.fontSmall
            color: Theme.dim
            Accessible.ignored: true
        }
        CopyButton {
            id: copy

            anchors.right: parent.right
            anchors.rightMargin: Theme.space1
            anchors.verticalCenter: parent.verticalCenter
            text: qsTr("Copy the code")
            onClicked: card.copyRequested(card.content)
        }
    }
    // Code keeps its lines; long ones are scrolled to.
    Flickable {
        id: flick

        anchors.top: top.bottom
        x: Theme.space4
        width: parent.width - 2 * Theme.space4
        height: text.implicitHeight + (bar.size < 1 ? bar.height : 0)
        contentWidth: text.implicitWidth
        contentHeight: text.implicitHeight
        flickableDirection: Flickable.HorizontalFlick
        boundsBehavior: Flickable.StopAtBounds
        interactive: contentWidth > width
        clip: true
        ScrollBar.horizontal: ScrollHandle {
            id: bar
        }

        SelectableText {
            id: text

            content: card.content
            wrapMode: TextEdit.NoWrap
            font.family: Theme.mono
            font.pixelSize: Theme.fontCode
            lineHeight: Theme.lineCode
        }
    }
}
