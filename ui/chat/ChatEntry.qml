// One chat in the list.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Theme

T.ItemDelegate {
    id: entry

    required property int index
    required property string title
    required property string excerpt
    required property bool current
    required property bool answering
    property bool renaming: false
    // The first of its day stands below the day's name.
    readonly property bool heads: ListView.section !== "" && ListView.section !== ListView.previousSection
    readonly property int head: heads ? Theme.control : 0

    signal chosen
    signal renamed(string title)
    signal removed

    function rename() {
        renaming = true;
        field.text = title;
        field.selectAll();
        field.forceActiveFocus(Qt.OtherFocusReason);
    }

    implicitHeight: (excerpt === "" ? Theme.control + 4 : Theme.control + 20) + head
    topPadding: head
    topInset: head
    text: title
    focusPolicy: Qt.NoFocus
    Accessible.role: Accessible.ListItem
    Accessible.name: answering ? qsTr("%1, being answered").arg(title) : title
    Accessible.selected: current
    onClicked: chosen()

    background: Rectangle {
        radius: Theme.radiusControl
        color: entry.current ? Theme.accentSoft : entry.hovered ? Theme.hover : "transparent"

        FocusRing {
            visible: entry.highlighted
        }
    }
    contentItem: Item {
        Column {
            anchors.verticalCenter: parent.verticalCenter
            x: Theme.space2
            width: parent.width - x - (entry.hovered || entry.answering ? Theme.control : Theme.space2)
            visible: !entry.renaming

            PlainText {
                width: parent.width
                text: entry.title
                color: entry.current ? Theme.accent : Theme.text
                font.weight: entry.current ? Font.Medium : Font.Normal
                Accessible.ignored: true
            }
            PlainText {
                width: parent.width
                visible: entry.excerpt !== ""
                secondary: true
                text: entry.excerpt
                Accessible.ignored: true
            }
        }
        Spinner {
            anchors.right: parent.right
            anchors.rightMargin: Theme.space2
            anchors.verticalCenter: parent.verticalCenter
            visible: entry.answering && !entry.hovered
        }
        IconButton {
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            visible: entry.hovered && !entry.renaming
            size: Theme.control - 4
            symbol: "more"
            text: qsTr("Rename or delete")
            onClicked: menu.popup()
        }
    }
    TextLine {
        id: field

        anchors.fill: parent
        anchors.topMargin: entry.head
        visible: entry.renaming
        name: qsTr("Title of the chat")
        Keys.onReturnPressed: {
            entry.renaming = false;
            entry.renamed(text);
        }
        Keys.onEscapePressed: entry.renaming = false
        onActiveFocusChanged: {
            if (!activeFocus) {
                entry.renaming = false;
            }
        }
    }
    PlainText {
        visible: entry.heads
        height: entry.head
        leftPadding: Theme.space2
        verticalAlignment: Text.AlignVCenter
        secondary: true
        text: entry.ListView.section
        Accessible.role: Accessible.Heading
    }
    PopupMenu {
        id: menu

        PopupMenuItem {
            text: qsTr("Rename")
            symbol: "edit"
            detail: qsTr("F2")
            onTriggered: entry.rename()
        }
        PopupMenuItem {
            text: qsTr("Delete")
            symbol: "delete"
            detail: qsTr("Del")
            onTriggered: entry.removed()
        }
    }
    TapHandler {
        acceptedButtons: Qt.RightButton
        onTapped: menu.popup()
    }
}
