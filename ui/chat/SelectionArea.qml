// The mouse over a conversation: selecting across its rows, following links. Lies below the rows, whose texts let it
// through.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat

MouseArea {
    id: area

    required property ListView view
    required property TextSelection selection
    // Where the link under the pointer goes; empty without one.
    property string link: ""
    property int clicks: 0

    signal menuRequested
    // The pointer is beyond the edge while it selects.
    signal scrollRequested(real pages)

    // Tells which text is at a place of the view.
    function place(x: real, y: real, act: var) {
        const inside = Math.max(view.originY, Math.min(y + view.contentY, view.originY + view.contentHeight - 1));
        const item = view.itemAtIndex(view.indexAt(view.width / 2, inside)) as RowFrame;
        if (item !== null && item.text !== null) {
            const at = item.text.mapFromItem(view.contentItem, x + view.contentX, inside);
            act(item.index, item.text.offsetAt(at.x, at.y));
        }
    }
    function linkAt(x: real, y: real): string {
        const item = view.itemAt(view.width / 2, y + view.contentY) as RowFrame;
        if (item === null || item.text === null) {
            return "";
        }
        const at = item.text.mapFromItem(view.contentItem, x + view.contentX, y + view.contentY);
        return item.text.contains(at) ? item.text.linkAt(at.x, at.y) : "";
    }
    function extend() {
        place(mouseX, mouseY, (row, offset) => selection.extend(row, offset));
    }

    parent: view.contentItem
    z: -1
    y: view.contentY
    width: view.width
    height: view.height
    hoverEnabled: true
    preventStealing: true
    acceptedButtons: Qt.LeftButton | Qt.RightButton
    cursorShape: link !== "" ? Qt.PointingHandCursor : Qt.IBeamCursor
    onPositionChanged: event => {
        if (pressed && pressedButtons === Qt.LeftButton) {
            if (clicks < 2) {
                extend();
            }
            edge.speed = event.y < 0 ? event.y : Math.max(0, event.y - height);
        } else {
            link = linkAt(event.x, event.y);
        }
    }
    onPressed: event => {
        view.forceActiveFocus(Qt.MouseFocusReason);
        if (event.button === Qt.RightButton) {
            menuRequested();
            return;
        }
        clicks = again.running ? clicks + 1 : 1;
        again.restart();
        place(event.x, event.y, (row, offset) => {
            if (event.modifiers & Qt.ShiftModifier) {
                selection.extend(row, offset);
            } else if (clicks === 2) {
                selection.selectWord(row, offset);
            } else if (clicks > 2) {
                selection.selectRow(row);
            } else {
                selection.begin(row, offset);
            }
        });
    }
    onReleased: edge.speed = 0
    onCanceled: edge.speed = 0
    onClicked: event => {
        const target = linkAt(event.x, event.y);
        if (event.button === Qt.LeftButton && target !== "" && selection.empty) {
            Qt.openUrlExternally(target);
        }
    }

    Timer {
        id: again

        interval: Application.styleHints.mouseDoubleClickInterval
    }
    // Selecting goes on beyond the edge.
    Timer {
        id: edge

        property real speed: 0

        interval: 16
        repeat: true
        running: speed !== 0 && area.pressed
        onTriggered: {
            area.scrollRequested(speed / 4 / Math.max(1, area.view.height));
            area.extend();
        }
    }
}
