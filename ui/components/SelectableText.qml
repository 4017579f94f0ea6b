// Text that can be selected and copied, but not changed; never interpreted as markup.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

TextEdit {
    id: edit

    // What is shown. Where it only grows, the text grows too: what is laid out already stays, and so does a selection.
    property string content: ""
    // Line height as a share of the font size.
    property real lineHeight: Theme.lineReading
    property string shown: ""

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
    Accessible.name: content
    Accessible.readOnly: true

    onContentChanged: {
        if (shown !== "" && content.startsWith(shown)) {
            insert(length, content.slice(shown.length));
        } else {
            text = content;
        }
        shown = content;
    }

    FontMetrics {
        id: metrics

        font: edit.font
    }
    LineSpacing {
        document: edit.textDocument
        percent: 100 * edit.lineHeight * edit.font.pixelSize / metrics.height
    }
    HoverHandler {
        cursorShape: Qt.IBeamCursor
    }
}
