// Something was deleted; it can be taken back for a while.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

RowLayout {
    id: line

    required property string said

    signal undone
    signal dismissed

    visible: said !== ""
    spacing: Theme.space2
    onSaidChanged: {
        if (said !== "") {
            patience.restart();
        }
    }

    Timer {
        id: patience

        interval: 10000
        onTriggered: line.dismissed()
    }
    PlainText {
        Layout.fillWidth: true
        text: line.said
        elide: Text.ElideMiddle
    }
    ActionButton {
        objectName: "undoButton"
        look: ActionButton.Quiet
        text: qsTr("Undo")
        hint: qsTr("Ctrl+Z")
        onClicked: line.undone()
    }
    IconButton {
        symbol: "close"
        text: qsTr("Dismiss")
        onClicked: line.dismissed()
    }
}
