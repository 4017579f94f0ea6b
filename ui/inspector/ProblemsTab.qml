// What is wrong with the file: how bad, what, where, and what to do.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: tab

    required property InspectorViewModel inspector

    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    spacing: Theme.space3

    BrowsedList {
        id: list

        objectName: "problemList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Problems")
        model: tab.inspector.problems
        spacing: Theme.space1
        onBrowsed: row => tab.inspector.showProblem(row)
        onEntered: row => tab.inspector.showProblem(row)
        delegate: ListRow {
            id: row

            required property string severity
            required property string what
            required property string place
            required property string remedy
            readonly property string severityText: severity === "error" ? qsTr("Error") : severity === "warning" ? qsTr("Warning") : qsTr("Note")

            width: ListView.view ? ListView.view.width : 0
            topPadding: Theme.space2
            bottomPadding: Theme.space2
            implicitHeight: implicitContentHeight + topPadding + bottomPadding
            current: ListView.isCurrentItem
            text: spoken([severityText, what, place, remedy])
            onClicked: {
                list.currentIndex = index;
                tab.inspector.showProblem(index);
            }

            contentItem: RowLayout {
                spacing: Theme.space3

                Icon {
                    Layout.alignment: Qt.AlignTop
                    symbol: row.severity === "note" ? "info" : row.severity
                    color: row.severity === "error" ? Theme.error : row.severity === "warning" ? Theme.warning : Theme.dim
                }
                ColumnLayout {
                    Layout.fillWidth: true
                    Layout.alignment: Qt.AlignTop
                    spacing: 2

                    PlainText {
                        Layout.fillWidth: true
                        text: row.what
                        wrapMode: Text.Wrap
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        visible: text !== ""
                        text: row.place
                        secondary: true
                        font.family: Theme.mono
                        wrapMode: Text.WrapAnywhere
                        Accessible.ignored: true
                    }
                    PlainText {
                        Layout.fillWidth: true
                        visible: text !== ""
                        text: row.remedy
                        secondary: true
                        wrapMode: Text.Wrap
                        Accessible.ignored: true
                    }
                }
            }
        }

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: Theme.space6
            visible: list.count === 0
            secondary: true
            text: qsTr("Nothing is wrong with this file.")
        }
    }
    WeightCheckLine {
        objectName: "weightCheck"
        Layout.fillWidth: true
        Layout.fillHeight: false
        weights: tab.inspector.weights
    }
}
