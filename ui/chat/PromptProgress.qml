// While a long prompt is read: how far.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

RowLayout {
    id: line

    required property bool reading
    required property int done
    required property int total
    // How long it will take, in words; may be empty.
    required property string remaining

    property bool waitedLong: false

    visible: waitedLong && total > 0
    spacing: Theme.space3
    onReadingChanged: {
        waitedLong = false;
        patience.running = reading;
    }

    Timer {
        id: patience

        interval: Theme.patience
        onTriggered: line.waitedLong = line.reading
    }
    PlainText {
        Layout.maximumWidth: line.width / 2
        secondary: true
        text: {
            const said = qsTr("Reading the prompt: %L1 of %L2 tokens").arg(line.done).arg(line.total);
            return line.remaining === "" ? said : said + ", " + line.remaining;
        }
    }
    ProgressLine {
        Layout.preferredWidth: 240
        Layout.leftMargin: Theme.space2
        value: line.total > 0 ? line.done / line.total : 0
        Accessible.name: qsTr("Reading the prompt")
    }
    Item {
        Layout.fillWidth: true
    }
}
