// The rail of pages at the left. A page that is not built yet is not here.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Theme

Rectangle {
    id: rail

    required property string page
    // Names below the icons, where there is room for all of them; else they are in the tooltips.
    readonly property bool labelled: Math.max(chat.labelWidth, inspect.labelWidth, settings.labelWidth) <= width - 2 * Theme.space1

    signal chosen(string page)

    width: Theme.rail
    color: Theme.sunken
    Accessible.role: Accessible.PageTabList
    Accessible.name: qsTr("Pages")

    Rectangle {
        anchors.right: parent.right
        width: Theme.hairline
        height: parent.height
        color: Theme.line
    }
    ColumnLayout {
        anchors.fill: parent
        anchors.topMargin: Theme.space3
        anchors.bottomMargin: Theme.space3
        spacing: Theme.space1

        RailButton {
            id: chat

            Layout.alignment: Qt.AlignHCenter
            labelled: rail.labelled
            text: qsTr("Chat")
            symbol: "chat"
            hint: qsTr("Chat (Ctrl+L)")
            current: rail.page === "chat"
            onClicked: rail.chosen("chat")
        }
        RailButton {
            id: inspect

            Layout.alignment: Qt.AlignHCenter
            labelled: rail.labelled
            text: qsTr("Inspect")
            symbol: "inspect"
            hint: qsTr("Inspect (Ctrl+I)")
            current: rail.page === "inspect"
            onClicked: rail.chosen("inspect")
        }
        Item {
            Layout.fillHeight: true
        }
        RailButton {
            id: settings

            Layout.alignment: Qt.AlignHCenter
            labelled: rail.labelled
            text: qsTr("Settings")
            symbol: "settings"
            hint: qsTr("Settings (Ctrl+,)")
            current: rail.page === "settings"
            onClicked: rail.chosen("settings")
        }
    }
}
