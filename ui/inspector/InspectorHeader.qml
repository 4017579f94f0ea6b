// Which file is shown, what it is, and what can be done with it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Item {
    id: header

    required property InspectorViewModel inspector
    readonly property int problems: inspector.problems.errors + inspector.problems.warnings
    readonly property int notes: inspector.problems.notes
    readonly property bool blocked: inspector.obstacle.shown && !inspector.chatsModel
    readonly property bool onlyNotes: problems === 0 && notes > 0

    signal openRequested
    signal problemsRequested
    signal chatRequested
    signal compareRequested

    implicitHeight: Theme.header

    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: Theme.hairline
        color: Theme.line
    }
    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.space5
        anchors.rightMargin: Theme.space3
        spacing: Theme.space3

        PlainText {
            objectName: "inspectedName"
            Layout.maximumWidth: header.width / 3
            text: header.inspector.name === "" ? qsTr("Inspect") : header.inspector.name
            font.weight: Font.DemiBold
            font.pixelSize: Theme.fontReading
            elide: Text.ElideMiddle
            Accessible.role: Accessible.Heading

            HoverHandler {
                id: hover
            }
            Hint {
                visible: hover.hovered && text !== ""
                text: header.inspector.path
            }
        }
        PlainText {
            objectName: "inspectedFacts"
            Layout.fillWidth: true
            secondary: true
            text: header.inspector.facts
        }
        Chip {
            objectName: "problemsChip"
            visible: header.inspector.shown
            text: header.problems === 1 ? qsTr("1 problem") : header.problems > 0 ? qsTr("%L1 problems").arg(header.problems) : header.notes === 1 ? qsTr("1 note") : header.notes > 0 ? qsTr("%L1 notes").arg(header.notes) : qsTr("no problems")
            symbol: header.onlyNotes ? "info" : header.problems === 0 ? "check" : header.inspector.problems.errors > 0 ? "error" : "warning"
            current: !header.onlyNotes
            ink: header.onlyNotes ? Theme.dim : header.problems === 0 ? Theme.accent : header.inspector.problems.errors > 0 ? Theme.error : Theme.warning
            ground: header.onlyNotes ? "transparent" : header.problems === 0 ? Theme.accentSoft : header.inspector.problems.errors > 0 ? Theme.errorSoft : Theme.warningSoft
            onClicked: header.problemsRequested()
        }
        Chip {
            objectName: "chatWithIt"
            visible: header.inspector.shown
            enabled: !header.inspector.chatsModel
            text: !enabled ? qsTr("In use by the chat") : header.blocked ? qsTr("Not for chat") : qsTr("Chat with it")
            symbol: header.blocked ? "info" : ""
            hint: header.blocked ? header.inspector.obstacle.what + " " + header.inspector.obstacle.remedy : ""
            onClicked: {
                if (header.blocked) {
                    header.problemsRequested(); // where the reason stands
                } else {
                    header.chatRequested();
                }
            }
        }
        IconButton {
            objectName: "compareWith"
            visible: header.inspector.shown
            symbol: "side-by-side"
            text: qsTr("Compare with…")
            hint: qsTr("Compare with another file (Ctrl+Shift+O)")
            onClicked: header.compareRequested()
        }
        IconButton {
            symbol: "folder"
            text: qsTr("Open a file")
            hint: qsTr("Open a file (Ctrl+O)")
            onClicked: header.openRequested()
        }
    }
}
