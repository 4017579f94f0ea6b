// The search of all weights for bad numbers: a button, its progress, or what it found.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: line

    required property WeightCheckViewModel weights

    visible: weights.possible
    spacing: Theme.space2

    RowLayout {
        Layout.fillWidth: true
        visible: line.weights.result !== ""
        spacing: Theme.space2

        Icon {
            Layout.alignment: Qt.AlignTop
            symbol: line.weights.sound ? "check" : "error"
            size: Theme.iconSmall
            color: line.weights.sound ? Theme.accent : Theme.error
        }
        PlainText {
            objectName: "weightsResult"
            Layout.fillWidth: true
            text: line.weights.result
            wrapMode: Text.Wrap
            elide: Text.ElideNone
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: line.weights.result === "" && !line.weights.running
        secondary: true
        text: qsTr("A NaN or infinite scale spoils every answer. To look for one takes as long as reading the file.")
        wrapMode: Text.Wrap
    }
    PlainText {
        objectName: "weightsFailure"
        Layout.fillWidth: true
        visible: text !== "" && !line.weights.running
        text: line.weights.failure
        color: Theme.error
        wrapMode: Text.Wrap
    }
    ProgressRow {
        objectName: "weightsProgress"
        Layout.fillWidth: true
        visible: line.weights.running
        fraction: line.weights.fraction
        what: qsTr("Reading all weights")
        detail: line.weights.progressText
    }
    // One button for both, so that it keeps the keyboard.
    ActionButton {
        objectName: "checkWeights"
        text: line.weights.running ? qsTr("Cancel") : line.weights.offer
        hint: line.weights.running ? "" : qsTr("For NaN and infinite scales, minima and numbers")
        onClicked: line.weights.running ? line.weights.cancel() : line.weights.start()
    }
}
