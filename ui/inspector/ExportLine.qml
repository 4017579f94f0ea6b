// How far saving is, what was saved, or why it was not.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: line

    required property ExportViewModel exports

    visible: exports.running || exports.done !== "" || exports.notice.shown
    spacing: 0

    RowLayout {
        Layout.fillWidth: true
        visible: line.exports.running
        spacing: Theme.space3

        PlainText {
            text: qsTr("Saving")
            secondary: true
        }
        ProgressLine {
            Layout.fillWidth: true
            value: Math.max(0, line.exports.fraction)
            Accessible.name: qsTr("Saving")
        }
        ActionButton {
            text: qsTr("Cancel")
            onClicked: line.exports.cancel()
        }
    }
    RowLayout {
        Layout.fillWidth: true
        visible: !line.exports.running && line.exports.done !== ""
        spacing: Theme.space2

        Icon {
            symbol: "check"
            size: Theme.iconSmall
            color: Theme.accent
        }
        PlainText {
            objectName: "exportDone"
            Layout.fillWidth: true
            secondary: true
            text: line.exports.done
        }
        IconButton {
            symbol: "close"
            text: qsTr("Dismiss")
            onClicked: line.exports.dismiss()
        }
    }
    Banner {
        Layout.fillWidth: true
        visible: !line.exports.running && line.exports.notice.shown
        message: line.exports.notice.what
        place: line.exports.notice.where
        advice: line.exports.notice.remedy
        onDismissed: line.exports.dismiss()
    }
}
