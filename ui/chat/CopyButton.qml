// Copies a text and says so for a moment.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

IconButton {
    id: button

    property bool done: false

    size: 28
    symbol: done ? "check" : "copy"
    ink: done ? Theme.accent : Theme.dim
    hint: done ? qsTr("Copied") : text
    onClicked: {
        done = true;
        back.restart();
    }

    Timer {
        id: back

        interval: 1500
        onTriggered: button.done = false
    }
}
