// Going to an offset, searching, bookmarks and copying, above the bytes.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

RowLayout {
    id: bar

    required property HexViewModel hex
    required property BookmarkModel bookmarks

    // The cursor goes back to the bytes.
    signal done
    signal copyRequested(int form)
    // The list of bookmarks is wanted, or no longer.
    signal bookmarksRequested

    function goTo() {
        place.selectAll();
        place.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function search() {
        pattern.selectAll();
        pattern.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function findNext(forward: bool) {
        if (pattern.text === "") {
            search();
        } else {
            hex.find(pattern.text, forward);
        }
    }

    spacing: Theme.space1

    TextLine {
        id: place

        objectName: "hexGoTo"
        Layout.preferredWidth: Math.round(150 * Theme.scale)
        name: qsTr("Go to offset")
        placeholder: bar.hex.inParts ? qsTr("2:0x400  (Ctrl+G)") : qsTr("Offset  (Ctrl+G)")
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        onAccepted: {
            if (bar.hex.goTo(text)) {
                bar.done();
            }
        }
        Keys.onEscapePressed: bar.done()
    }
    TextLine {
        id: pattern

        objectName: "hexSearch"
        Layout.fillWidth: true
        name: qsTr("Find bytes or text")
        placeholder: qsTr("Text or 47 47 55 46  (Ctrl+F)")
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        Keys.onReturnPressed: event => bar.findNext(!(event.modifiers & Qt.ShiftModifier))
        Keys.onEscapePressed: {
            if (bar.hex.searching) {
                bar.hex.cancelSearch();
            } else {
                bar.done();
            }
        }

        ProgressLine {
            anchors.left: parent.left
            anchors.right: parent.right
            anchors.bottom: parent.bottom
            anchors.margins: 2
            height: 3
            visible: bar.hex.searching && bar.hex.searchFraction > 0
            value: bar.hex.searchFraction
            Accessible.name: qsTr("Searching")
        }
    }
    IconButton {
        symbol: bar.hex.searching ? "stop" : "down"
        text: bar.hex.searching ? qsTr("Stop searching") : qsTr("Find next")
        hint: bar.hex.searching ? qsTr("Stop searching (Esc)") : qsTr("Find next (F3)")
        onClicked: {
            if (bar.hex.searching) {
                bar.hex.cancelSearch();
            } else {
                bar.findNext(true);
            }
        }
    }
    IconButton {
        objectName: "hexBookmark"
        symbol: "bookmark"
        text: bar.bookmarks.current >= 0 ? qsTr("Remove the bookmark") : qsTr("Set a bookmark")
        hint: qsTr("%1 (Ctrl+D)").arg(text)
        ink: bar.bookmarks.current >= 0 ? Theme.accent : Theme.dim
        onClicked: bar.bookmarks.toggle()
    }
    IconButton {
        id: more

        objectName: "hexMenuButton"
        symbol: "more"
        text: qsTr("Copy, and bookmarks")
        onClicked: menu.popup(more, 0, more.height + 4)

        PopupMenu {
            id: menu

            objectName: "hexMenu"
            menuWidth: 320

            PopupMenuItem {
                text: qsTr("Copy as hex")
                symbol: "copy"
                detail: qsTr("Ctrl+C")
                onTriggered: bar.copyRequested(HexViewModel.Hex)
            }
            PopupMenuItem {
                text: qsTr("Copy as C array")
                symbol: "copy"
                onTriggered: bar.copyRequested(HexViewModel.CArray)
            }
            PopupMenuItem {
                text: qsTr("Copy as Python bytes")
                symbol: "copy"
                onTriggered: bar.copyRequested(HexViewModel.Python)
            }
            PopupMenuItem {
                text: qsTr("Copy as text")
                symbol: "copy"
                onTriggered: bar.copyRequested(HexViewModel.Text)
            }
            PopupMenuLine {}
            PopupMenuItem {
                text: bar.bookmarks.count === 0 ? qsTr("Bookmarks") : qsTr("Bookmarks (%L1)").arg(bar.bookmarks.count)
                symbol: "bookmark"
                detail: qsTr("Ctrl+Shift+D")
                onTriggered: bar.bookmarksRequested()
            }
        }
    }
}
