// Find in this chat: a field, how many there are, the next and the one before.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

Rectangle {
    id: bar

    required property TextSelection selection
    readonly property alias text: finder.text
    property bool shown: false

    signal rowFound(int row)
    signal closed

    function open() {
        shown = true;
        field.selectAll();
        field.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function close() {
        shown = false;
        closed();
    }
    function go(step: int) {
        const row = finder.go(step);
        if (row >= 0) {
            rowFound(row);
        }
    }

    visible: shown
    width: row.implicitWidth + 2 * Theme.space2
    height: Theme.control + Theme.space2
    radius: Theme.radiusControl
    color: Theme.surface
    border.width: Theme.hairline
    border.color: Theme.lineStrong

    ConversationFinder {
        id: finder

        selection: bar.selection
        text: field.text
    }
    RowLayout {
        id: row

        anchors.centerIn: parent
        spacing: Theme.space1

        TextLine {
            id: field

            objectName: "findField"
            implicitWidth: 220
            name: qsTr("Find in this chat")
            placeholder: qsTr("Find in this chat")
            Keys.onReturnPressed: event => bar.go(event.modifiers & Qt.ShiftModifier ? -1 : 1)
            Keys.onEscapePressed: bar.close()
        }
        PlainText {
            Layout.minimumWidth: 64
            horizontalAlignment: Text.AlignHCenter
            secondary: true
            text: field.text === "" ? "" : finder.count === 0 ? qsTr("not found") : finder.current > 0 ? qsTr("%1 of %2").arg(finder.current).arg(finder.count) : qsTr("%1 found").arg(finder.count)
        }
        IconButton {
            symbol: "up"
            text: qsTr("The one before")
            hint: qsTr("Shift+Enter")
            onClicked: bar.go(-1)
        }
        IconButton {
            symbol: "down"
            text: qsTr("The next one")
            hint: qsTr("Enter")
            onClicked: bar.go(1)
        }
        IconButton {
            symbol: "close"
            text: qsTr("Close")
            hint: qsTr("Esc")
            onClicked: bar.close()
        }
    }
}
