// How many tokens of the context are in use.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

Row {
    id: meter

    required property int used
    required property int length
    readonly property real share: length > 0 ? used / length : 0
    // Close to full: said by colour and by the sentence in the tooltip.
    readonly property bool tight: share > 0.9

    spacing: Theme.space2 + 2

    PlainText {
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("Context")
        secondary: true
        Accessible.ignored: true
    }
    ProgressLine {
        anchors.verticalCenter: parent.verticalCenter
        value: meter.share
        fill: meter.tight ? Theme.warning : Theme.accent
        Accessible.name: qsTr("Context in use")
    }
    PlainText {
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("%L1 / %L2").arg(meter.used).arg(meter.length)
        secondary: true
        color: meter.tight ? Theme.warning : Theme.dim
        Accessible.name: qsTr("%L1 of %L2 tokens of the context in use").arg(meter.used).arg(meter.length)
    }
    HoverHandler {
        id: hover
    }
    Hint {
        visible: hover.hovered
        text: {
            const said = qsTr("%L1 of %L2 tokens are in use. A token is a piece of a word; the context is what the model sees of the conversation.").arg(meter.used).arg(meter.length);
            return meter.tight ? said + " " + qsTr("It is nearly full: the oldest messages will be left out soon.") : said;
        }
    }
}
