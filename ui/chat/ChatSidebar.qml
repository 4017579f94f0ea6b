// The list of chats: searching, opening, renaming, deleting.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

FocusScope {
    id: sidebar

    required property ChatListModel chats

    signal newChatRequested
    // A chat was opened: the cursor goes to the message box.
    signal opened

    function search() {
        field.selectAll();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function choose(row: int) {
        sidebar.chats.open(row);
        field.text = "";
        sidebar.opened();
    }

    Rectangle {
        anchors.fill: parent
        color: Theme.background

        Rectangle {
            anchors.right: parent.right
            width: Theme.hairline
            height: parent.height
            color: Theme.line
        }
    }
    ColumnLayout {
        anchors.fill: parent
        anchors.margins: Theme.space3
        anchors.bottomMargin: Theme.space2
        spacing: Theme.space2

        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.space1

            TextLine {
                id: field

                objectName: "chatSearch"
                Layout.fillWidth: true
                name: qsTr("Search chats")
                placeholder: qsTr("Search chats  (Ctrl+K)")
                onTextChanged: sidebar.chats.query = text
                Keys.onDownPressed: list.currentIndex = Math.min(list.count - 1, list.currentIndex + 1)
                Keys.onUpPressed: list.currentIndex = Math.max(0, list.currentIndex - 1)
                Keys.onReturnPressed: {
                    if (list.count > 0) {
                        sidebar.choose(Math.max(0, list.currentIndex));
                    }
                }
                Keys.onEscapePressed: {
                    text = "";
                    sidebar.opened();
                }
            }
            IconButton {
                symbol: "plus"
                text: qsTr("New chat")
                hint: qsTr("New chat (Ctrl+N)")
                onClicked: sidebar.newChatRequested()
            }
        }
        ListView {
            id: list

            objectName: "chatList"
            Layout.fillWidth: true
            Layout.fillHeight: true
            activeFocusOnTab: true
            model: sidebar.chats
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Chats")
            ScrollBar.vertical: ScrollHandle {}
            onCountChanged: currentIndex = sidebar.chats.query === "" ? sidebar.chats.currentRow : 0
            Keys.onReturnPressed: sidebar.choose(currentIndex)
            Keys.onDeletePressed: sidebar.chats.remove(currentIndex)
            Keys.onPressed: event => {
                if (event.key === Qt.Key_F2 && currentItem !== null) {
                    (currentItem as ChatEntry).rename();
                    event.accepted = true;
                }
            }
            section.property: "section"
            delegate: ChatEntry {
                width: ListView.view ? ListView.view.width : 0
                highlighted: ListView.isCurrentItem && (list.activeFocus || field.activeFocus)
                onChosen: sidebar.choose(index)
                onRenamed: title => sidebar.chats.rename(index, title)
                onRemoved: sidebar.chats.remove(index)
            }

            PlainText {
                anchors.horizontalCenter: parent.horizontalCenter
                y: Theme.space6
                width: parent.width - 2 * Theme.space3
                visible: list.count === 0
                secondary: true
                horizontalAlignment: Text.AlignHCenter
                wrapMode: Text.Wrap
                text: sidebar.chats.query === "" ? qsTr("Chats appear here, as you write them.") : qsTr("No chat has these words.")
            }
        }
        UndoLine {
            Layout.fillWidth: true
            said: sidebar.chats.undoText
            onUndone: sidebar.chats.undoRemove()
            onDismissed: sidebar.chats.dismissUndo()
        }
    }
}
