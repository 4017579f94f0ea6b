// Text that can be selected and copied, but not changed; never interpreted as markup.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Theme

TextEdit {
    id: edit

    readOnly: true
    selectByMouse: true
    selectByKeyboard: true
    persistentSelection: false
    textFormat: TextEdit.PlainText
    wrapMode: TextEdit.Wrap
    color: Theme.text
    selectionColor: Theme.selection
    selectedTextColor: Theme.text
    font.family: Theme.sans
    font.pixelSize: Theme.fontReading
    activeFocusOnTab: false
    Accessible.role: Accessible.StaticText
    Accessible.name: text
    Accessible.readOnly: true

    HoverHandler {
        cursorShape: Qt.IBeamCursor
    }
}
