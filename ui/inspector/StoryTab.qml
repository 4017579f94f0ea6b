// How the file is loaded, stage by stage, to be stepped through.
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
    readonly property int stageCount: inspector.stages.length

    function show(row: int) {
        list.currentIndex = row;
        const stage = inspector.stages[row];
        if (stage !== undefined && stage.size > 0) {
            inspector.selection.selectBytes(stage.offset, stage.size);
        }
    }
    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }

    spacing: Theme.space2

    BrowsedList {
        id: list

        objectName: "storyList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        name: qsTr("Load story")
        model: tab.inspector.stages
        spacing: Theme.space1
        onBrowsed: row => tab.show(row)
        onEntered: row => tab.show(row)
        delegate: ListRow {
            id: row

            required property var modelData
            readonly property string detail: modelData.live ? tab.inspector.residency.story : modelData.detail

            width: ListView.view ? ListView.view.width : 0
            implicitHeight: implicitContentHeight + 2 * Theme.space3
            current: ListView.isCurrentItem
            text: qsTr("Stage %1: %2, %4. %3").arg(index + 1).arg(modelData.title).arg(detail).arg(modelData.time)
            onClicked: tab.show(index)

            contentItem: RowLayout {
                spacing: Theme.space3

                Rectangle {
                    Layout.alignment: Qt.AlignTop
                    implicitWidth: 24
                    implicitHeight: 24
                    radius: 12
                    color: row.current ? Theme.accent : Theme.sunken
                    border.width: row.current ? 0 : Theme.hairline
                    border.color: Theme.line

                    PlainText {
                        anchors.centerIn: parent
                        text: row.index + 1
                        font.pixelSize: Theme.fontSmall
                        color: row.current ? Theme.accentText : Theme.text
                        Accessible.ignored: true
                    }
                }
                ColumnLayout {
                    Layout.fillWidth: true
                    Layout.alignment: Qt.AlignTop
                    Layout.topMargin: 3
                    spacing: 2

                    RowLayout {
                        Layout.fillWidth: true

                        PlainText {
                            Layout.fillWidth: true
                            text: row.modelData.title
                            font.weight: Font.DemiBold
                            Accessible.ignored: true
                        }
                        PlainText {
                            secondary: true
                            text: row.modelData.time
                            font.family: Theme.mono
                            Accessible.ignored: true
                        }
                    }
                    PlainText {
                        Layout.fillWidth: true
                        secondary: true
                        text: row.detail
                        wrapMode: Text.Wrap
                        Accessible.ignored: true
                    }
                }
            }
        }
    }
    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space2

        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: tab.inspector.openTime
        }
        ActionButton {
            text: player.running ? qsTr("Pause") : qsTr("Play")
            onClicked: {
                if (!player.running && list.currentIndex + 1 >= tab.stageCount) {
                    list.currentIndex = -1;
                }
                player.running = !player.running;
            }
        }
        ActionButton {
            text: qsTr("Next step")
            onClicked: tab.show((list.currentIndex + 1) % Math.max(1, tab.stageCount))
        }
    }
    Timer {
        id: player

        interval: 1500
        repeat: true
        triggeredOnStart: true
        onTriggered: {
            tab.show(list.currentIndex + 1);
            running = tab.visible && list.currentIndex + 1 < tab.stageCount;
        }
    }
}
