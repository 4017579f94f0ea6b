// Something that is on or off: its name, a switch, and what it does.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.Switch {
    id: row

    property string explanation: ""
    // What it shows; a click changes `checked` alone, until the one that binds this has followed.
    required property bool on

    checked: on
    onOnChanged: checked = on
    // Not the column's, which is as wide as this row; rows fill what they stand in.
    implicitWidth: 6 * Theme.control
    implicitHeight: implicitContentHeight
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.CheckBox
    Accessible.name: text
    Accessible.description: explanation
    Accessible.checkable: true
    Accessible.checked: checked
    Keys.onReturnPressed: click()
    Keys.onEnterPressed: click()

    function click() {
        row.toggle();
        row.toggled();
    }

    contentItem: Column {
        rightPadding: row.indicator.width + Theme.space3
        spacing: Theme.space1

        PlainText {
            width: parent.width - parent.rightPadding
            text: row.text
            font.weight: Font.Medium
            wrapMode: Text.Wrap
            Accessible.ignored: true
        }
        PlainText {
            visible: row.explanation !== ""
            width: parent.width - parent.rightPadding
            secondary: true
            text: row.explanation
            wrapMode: Text.Wrap
            Accessible.ignored: true
        }
    }
    indicator: Rectangle {
        x: row.width - width
        width: 36
        height: 20
        radius: height / 2
        color: row.checked ? Theme.accent : Theme.sunken
        border.width: row.checked ? 0 : Theme.hairline
        border.color: Theme.dim

        Rectangle {
            x: row.checked ? parent.width - width - 3 : 3
            anchors.verticalCenter: parent.verticalCenter
            width: 14
            height: 14
            radius: width / 2
            color: row.checked ? Theme.accentText : Theme.dim

            Behavior on x {
                NumberAnimation {
                    duration: Theme.quick
                }
            }
        }
        FocusRing {
            visible: row.visualFocus
            inner: Math.round(row.indicator.height / 2)
        }
    }
}
