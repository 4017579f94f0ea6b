// The bookmarks of the file: go to one, name it, remove it. Keys do all of it.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    required property BookmarkModel bookmarks
    // The row whose name is being written; -1 for none.
    property int renamed: -1
    readonly property int shownRows: 4

    // The bytes of a bookmark are wanted.
    signal done
    signal closeRequested

    function enter() {
        list.forceActiveFocus(Qt.ShortcutFocusReason);
        if (list.currentIndex < 0 && list.count > 0) {
            list.currentIndex = Math.max(0, bookmarks.current);
        }
    }
    function rename(row: int) {
        if (row >= 0) {
            renamed = row;
            name.text = bookmarks.nameOf(row);
            name.selectAll();
            name.forceActiveFocus(Qt.OtherFocusReason);
        }
    }
    function remove(row: int) {
        renamed = -1;
        bookmarks.remove(row);
        list.currentIndex = Math.min(row, list.count - 1);
    }
    function endRename(write: bool) {
        const row = renamed;
        renamed = -1;
        if (write) {
            bookmarks.rename(row, name.text);
        }
        list.currentIndex = row;
        list.forceActiveFocus(Qt.OtherFocusReason);
    }

    title: qsTr("Bookmarks")
    detail: bookmarks.full ? qsTr("%L1, no room for more").arg(bookmarks.count) : qsTr("Set with Ctrl+D, next with F4")
    onVisibleChanged: renamed = -1

    BrowsedList {
        id: list

        readonly property int rowHeight: Theme.control - 2

        objectName: "bookmarkList"
        Layout.fillWidth: true
        Layout.preferredHeight: Math.max(1, Math.min(card.shownRows, count)) * rowHeight
        name: qsTr("Bookmarks")
        model: card.bookmarks
        selectedRow: card.bookmarks.current
        onBrowsed: row => card.bookmarks.browse(row)
        onEntered: row => {
            card.bookmarks.goTo(row);
            card.done();
        }
        Keys.onDeletePressed: card.remove(currentIndex)
        Keys.onEscapePressed: card.closeRequested()
        Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_F2 || event.matches(StandardKey.Undo)
        Keys.onPressed: event => {
            if (event.key === Qt.Key_F2) {
                card.rename(currentIndex);
                event.accepted = true;
            } else if (event.matches(StandardKey.Undo)) {
                card.bookmarks.undo();
                event.accepted = true;
            }
        }
        delegate: ListRow {
            id: row

            required property string offsetText
            required property string name
            required property string field

            width: ListView.view ? ListView.view.width : 0
            current: ListView.isCurrentItem
            text: spoken([name, offsetText, field])
            onClicked: {
                list.currentIndex = index;
                card.bookmarks.goTo(index);
                card.done();
            }

            contentItem: RowLayout {
                spacing: Theme.space2

                PlainText {
                    text: row.offsetText
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    color: row.current ? Theme.accent : Theme.text
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.fillWidth: true
                    text: row.name === "" ? row.field : row.name
                    secondary: row.name === ""
                    Accessible.ignored: true
                }
                IconButton {
                    size: Theme.control - 8
                    symbol: "edit"
                    text: qsTr("Name the bookmark")
                    hint: qsTr("Name the bookmark (F2)")
                    focusPolicy: Qt.NoFocus
                    onClicked: card.rename(row.index)
                }
                IconButton {
                    size: Theme.control - 8
                    symbol: "delete"
                    text: qsTr("Remove the bookmark")
                    hint: qsTr("Remove the bookmark (Del)")
                    focusPolicy: Qt.NoFocus
                    onClicked: card.remove(row.index)
                }
            }
        }

        PlainText {
            visible: list.count === 0
            secondary: true
            height: list.height
            verticalAlignment: Text.AlignVCenter
            leftPadding: Theme.space2
            text: qsTr("None yet.")
        }
    }
    TextLine {
        id: name

        objectName: "bookmarkName"
        Layout.fillWidth: true
        visible: card.renamed >= 0
        name: qsTr("Name of the bookmark")
        placeholder: qsTr("Name  (Enter keeps it)")
        maximumLength: 80
        onAccepted: card.endRename(true)
        Keys.onEscapePressed: card.endRename(false)
    }
    RowLayout {
        Layout.fillWidth: true
        visible: card.bookmarks.removedText !== ""
        spacing: Theme.space2

        PlainText {
            Layout.fillWidth: true
            text: card.bookmarks.removedText
            elide: Text.ElideMiddle
        }
        ActionButton {
            objectName: "undoBookmark"
            look: ActionButton.Quiet
            text: qsTr("Undo")
            hint: qsTr("Ctrl+Z")
            onClicked: card.bookmarks.undo()
        }
        IconButton {
            symbol: "close"
            text: qsTr("Dismiss")
            onClicked: card.bookmarks.forgetRemoved()
        }
    }
}
