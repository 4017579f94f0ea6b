// The parts of a file as tabs; arrow keys go from one to the next.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

FocusScope {
    id: tabs

    required property list<string> names
    required property list<string> labels
    property string current: names[0]

    signal chosen(string name)

    function step(by: int) {
        const next = names.indexOf(current) + by;
        if (next >= 0 && next < names.length) {
            chosen(names[next]);
        }
    }

    function fitRows() {
        implicitHeight = flow.implicitHeight;
    }

    implicitHeight: Theme.control - 6
    activeFocusOnTab: true
    Accessible.role: Accessible.PageTabList
    Accessible.name: qsTr("Parts of the file")
    Keys.onLeftPressed: step(-1)
    Keys.onRightPressed: step(1)

    FocusRing {
        visible: tabs.activeFocus
    }
    Flow {
        id: flow

        width: parent.width
        spacing: Theme.space1 + 2
        // Later: what changes while the layout around arranges its items is lost on it.
        onImplicitHeightChanged: Qt.callLater(tabs.fitRows) // qmllint disable

        Repeater {
            model: tabs.labels

            Chip {
                required property int index
                required property string modelData

                objectName: "tab-" + tabs.names[index]
                text: modelData
                current: tabs.names[index] === tabs.current
                hint: qsTr("Alt+%1").arg(index + 1)
                focusPolicy: Qt.NoFocus
                Accessible.role: Accessible.PageTab
                Accessible.selected: current
                onClicked: tabs.chosen(tabs.names[index])
            }
        }
    }
}
