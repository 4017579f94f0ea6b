// One of a few: buttons side by side, arrow keys move the choice.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

FocusScope {
    id: choice

    // Words to show, and the value each stands for.
    required property list<string> labels
    required property list<string> values
    required property string value
    required property string name

    signal chosen(string value)

    implicitWidth: row.implicitWidth + 2 * row.anchors.margins
    implicitHeight: Theme.control + 2
    activeFocusOnTab: true
    Accessible.role: Accessible.Grouping
    Accessible.name: name
    Keys.onLeftPressed: step(-1)
    Keys.onRightPressed: step(1)

    function step(by: int) {
        const next = values.indexOf(value) + by;
        if (next >= 0 && next < values.length) {
            chosen(values[next]);
        }
    }

    Rectangle {
        anchors.fill: parent
        radius: Theme.radiusControl
        color: Theme.sunken
        border.width: Theme.hairline
        border.color: Theme.line

        FocusRing {
            visible: choice.activeFocus
        }
    }
    Row {
        id: row

        anchors.fill: parent
        anchors.margins: 2

        Repeater {
            model: choice.labels

            T.AbstractButton {
                id: button

                required property int index
                required property string modelData
                readonly property bool current: choice.values[index] === choice.value

                implicitWidth: implicitContentWidth + 2 * Theme.space3
                height: row.height
                text: modelData
                focusPolicy: Qt.NoFocus
                Accessible.role: Accessible.RadioButton
                Accessible.name: text
                Accessible.checkable: true
                Accessible.checked: current
                onClicked: choice.chosen(choice.values[index])

                contentItem: PlainText {
                    text: button.text
                    horizontalAlignment: Text.AlignHCenter
                    verticalAlignment: Text.AlignVCenter
                    font.weight: button.current ? Font.DemiBold : Font.Normal
                    color: button.current ? Theme.text : Theme.dim
                    Accessible.ignored: true
                }
                background: Rectangle {
                    radius: Theme.radiusCell
                    color: button.current ? Theme.surface : button.hovered ? Theme.hover : "transparent"
                    border.width: button.current ? Theme.hairline : 0
                    border.color: Theme.lineStrong
                }
            }
        }
    }
}
