// Where the page has no file: what to do, how the file began that is none, or that one is being read.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

FocusScope {
    id: view

    required property InspectorViewModel inspector

    signal openRequested

    CenteredScroll {
        anchors.fill: parent
        visible: !view.inspector.opening
        focus: visible

        Column {
            width: parent.width
            spacing: Theme.space6

            ForeignFile {
                width: Math.min(parent.width, 620 * Theme.scale)
                anchors.horizontalCenter: parent.horizontalCenter
                inspector: view.inspector
            }
            EmptyView {
                width: parent.width
                focus: true
                onOpenRequested: view.openRequested()
            }
        }
    }
    Row {
        anchors.centerIn: parent
        visible: view.inspector.opening
        spacing: Theme.space3

        Spinner {
            anchors.verticalCenter: parent.verticalCenter
        }
        PlainText {
            anchors.verticalCenter: parent.verticalCenter
            secondary: true
            text: qsTr("Reading the file's header and directory")
        }
    }
}
