// Whether the weights of two files are the same: what was found, or how far comparing is.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: line

    required property WeightsComparison weights

    spacing: Theme.space1

    RowLayout {
        Layout.fillWidth: true
        Layout.minimumHeight: Theme.control
        spacing: Theme.space3

        PlainText {
            objectName: "weightsSummary"
            Layout.fillWidth: !line.weights.running
            secondary: true
            text: line.weights.summary
        }
        ProgressLine {
            id: progress

            Layout.fillWidth: true
            visible: line.weights.running
            Accessible.name: qsTr("Comparing the weights")

            // A method of the other thread's progress has no binding of its own.
            Connections {
                target: line.weights

                function onProgressed() {
                    progress.value = line.weights.fraction;
                }
                function onChanged() {
                    progress.value = line.weights.fraction;
                }
            }
        }
        Chip {
            objectName: "cancelWeights"
            visible: line.weights.running
            text: qsTr("Cancel")
            onClicked: line.weights.cancel()
        }
        Chip {
            objectName: "compareWeights"
            visible: line.weights.offered
            text: qsTr("Compare the weights")
            hint: qsTr("Reads both files from begin to end")
            onClicked: line.weights.start()
        }
    }
    Banner {
        Layout.fillWidth: true
        visible: line.weights.notice.shown
        message: line.weights.notice.what
        place: line.weights.notice.where
        advice: line.weights.notice.remedy
        onDismissed: line.weights.dismiss()
    }
}
