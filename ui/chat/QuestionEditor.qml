// A question in a box, to change and ask again: Enter sends, Esc leaves it as it was.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Theme

Rectangle {
    id: editor

    required property bool active
    required property string initial
    required property bool canSend

    signal accepted(string text)
    signal cancelled

    implicitHeight: column.implicitHeight + 2 * Theme.space3
    height: visible ? implicitHeight : 0
    radius: Theme.radiusBubble
    color: Theme.surface
    border.width: Theme.hairline
    border.color: Theme.accent
    onActiveChanged: {
        if (active) {
            area.text = initial;
            area.cursorPosition = area.length;
            area.forceActiveFocus(Qt.OtherFocusReason);
        }
    }

    ColumnLayout {
        id: column

        x: Theme.space3
        y: Theme.space3
        width: parent.width - 2 * Theme.space3
        spacing: Theme.space2

        T.TextArea {
            id: area

            objectName: "questionEditor"
            Layout.fillWidth: true
            implicitHeight: contentHeight
            wrapMode: TextEdit.Wrap
            textFormat: TextEdit.PlainText
            selectByMouse: true
            color: Theme.text
            selectionColor: Theme.selection
            selectedTextColor: Theme.text
            font.family: Theme.sans
            font.pixelSize: Theme.fontReading
            Accessible.name: qsTr("Edited question")
            Keys.onEscapePressed: editor.cancelled()
            Keys.onReturnPressed: event => {
                if (event.modifiers & Qt.ShiftModifier) {
                    insert(cursorPosition, "\n");
                } else if (editor.canSend && text.trim() !== "") {
                    editor.accepted(text);
                }
            }
        }
        RowLayout {
            Layout.alignment: Qt.AlignRight
            spacing: Theme.space2

            ActionButton {
                text: qsTr("Cancel")
                hint: qsTr("Esc")
                onClicked: editor.cancelled()
            }
            ActionButton {
                look: ActionButton.Primary
                text: qsTr("Ask again")
                hint: qsTr("Enter")
                enabled: editor.canSend && area.text.trim() !== ""
                onClicked: editor.accepted(area.text)
            }
        }
    }
}
