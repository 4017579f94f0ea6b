// The bytes of the file: the pane, what is under the cursor, and keys for all of it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: view

    required property InspectorViewModel inspector
    readonly property HexViewModel hex: inspector.hex
    readonly property bool active: pane.activeFocus

    function goTo() {
        bar.goTo();
    }
    function search() {
        bar.search();
    }
    function findNext(forward: bool) {
        bar.findNext(forward);
    }
    function toggleBookmarks() {
        if (bookmarks.visible) {
            bookmarks.visible = false;
            focusBytes();
        } else {
            bookmarks.visible = true;
            bookmarks.enter();
        }
    }
    function focusBytes() {
        pane.forceActiveFocus(Qt.TabFocusReason);
    }
    function copy(form: int) {
        inspector.copy(hex.copied(form));
    }

    spacing: Theme.space2

    HexBar {
        id: bar

        Layout.fillWidth: true
        hex: view.hex
        bookmarks: view.inspector.bookmarks
        onDone: view.focusBytes()
        onCopyRequested: form => view.copy(form)
        onBookmarksRequested: view.toggleBookmarks()
    }
    BookmarkList {
        id: bookmarks

        objectName: "bookmarks"
        Layout.fillWidth: true
        visible: false
        bookmarks: view.inspector.bookmarks
        onDone: view.focusBytes()
        onCloseRequested: view.toggleBookmarks()
    }
    PlainText {
        objectName: "fieldName"
        Layout.fillWidth: true
        text: view.hex.fieldValue === "" ? view.hex.fieldName : view.hex.fieldName + " = " + view.hex.fieldValue
        font.weight: Font.Medium
        elide: Text.ElideMiddle
    }
    Rectangle {
        Layout.fillWidth: true
        Layout.fillHeight: true
        Layout.minimumHeight: 120
        radius: Theme.radiusCard
        color: Theme.surface
        border.width: Theme.hairline
        border.color: Theme.line

        HexPane {
            id: pane

            objectName: "hexPane"
            anchors.fill: parent
            anchors.margins: Theme.space2
            anchors.rightMargin: Theme.space3
            activeFocusOnTab: true
            hex: view.hex
            family: Theme.mono
            fontSize: view.width < 600 * Theme.scale ? Theme.fontTiny : Theme.fontSmall
            text: Theme.text
            dim: Theme.dim
            selected: Theme.selection
            field: Theme.accentSoft
            cursorColor: Theme.accent
            header: Theme.dataHeader
            metadata: Theme.dataMetadata
            directory: Theme.dataDirectory
            clip: true
            Accessible.role: Accessible.Table
            Accessible.name: qsTr("Bytes of the file")
            Accessible.description: spoken
            Accessible.focusable: true
            Keys.onPressed: event => {
                const extend = (event.modifiers & Qt.ShiftModifier) !== 0;
                const whole = (event.modifiers & Qt.ControlModifier) !== 0;
                const inRow = view.hex.cursor % 16;
                const page = 16 * Math.max(1, rowsInView - 1);
                if (event.matches(StandardKey.Copy)) {
                    view.copy(HexViewModel.Hex);
                } else if (event.key === Qt.Key_Left) {
                    view.hex.moveBy(-1, extend);
                } else if (event.key === Qt.Key_Right) {
                    view.hex.moveBy(1, extend);
                } else if (event.key === Qt.Key_Up) {
                    view.hex.moveBy(view.hex.cursor < 16 ? 0 : -16, extend);
                } else if (event.key === Qt.Key_Down) {
                    view.hex.moveBy(view.hex.cursor + 16 < view.hex.fileSize ? 16 : 0, extend);
                } else if (event.key === Qt.Key_PageUp) {
                    view.hex.moveBy(-page, extend);
                } else if (event.key === Qt.Key_PageDown) {
                    view.hex.moveBy(page, extend);
                } else if (event.key === Qt.Key_Home) {
                    view.hex.moveTo(whole ? 0 : view.hex.cursor - inRow, extend);
                } else if (event.key === Qt.Key_End) {
                    view.hex.moveTo(whole ? view.hex.fileSize - 1 : view.hex.cursor - inRow + 15, extend);
                } else if (event.key === Qt.Key_Return || event.key === Qt.Key_Enter) {
                    view.hex.selectField();
                } else {
                    return;
                }
                event.accepted = true;
            }

            MouseArea {
                anchors.fill: parent
                cursorShape: Qt.IBeamCursor
                onPressed: mouse => {
                    pane.forceActiveFocus(Qt.MouseFocusReason);
                    view.hex.moveTo(pane.byteAt(mouse.x, mouse.y), (mouse.modifiers & Qt.ShiftModifier) !== 0);
                }
                onPositionChanged: mouse => view.hex.moveTo(pane.byteAt(mouse.x, Math.max(0, Math.min(height - 1, mouse.y))), true)
                onDoubleClicked: view.hex.selectField()
                onWheel: wheel => pane.topRow -= Math.sign(wheel.angleDelta.y) * 3
            }
        }
        FocusRing {
            visible: pane.activeFocus
            inner: Theme.radiusCard
        }
        ScrollHandle {
            anchors.right: parent.right
            anchors.top: parent.top
            anchors.bottom: parent.bottom
            anchors.margins: 2
            orientation: Qt.Vertical
            size: pane.rowCount > 0 ? pane.rowsInView / pane.rowCount : 1
            position: pane.rowCount > 0 ? pane.topRow / pane.rowCount : 0
            onPositionChanged: {
                if (pressed) {
                    pane.topRow = Math.round(position * pane.rowCount);
                }
            }
        }
    }
    PlainText {
        objectName: "hexNote"
        Layout.fillWidth: true
        secondary: true
        color: view.hex.note !== "" ? Theme.warning : Theme.dim
        text: view.hex.note !== "" ? view.hex.note : view.hex.selectionText !== "" ? view.hex.selectionText : view.hex.cursorText
        wrapMode: Text.Wrap
    }
    ByteReadings {
        Layout.fillWidth: true
        compact: view.height < 600 * Theme.scale
        hex: view.hex
    }
}
