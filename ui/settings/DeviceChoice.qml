// What models run on: one of a list, each with what it can do and why it is or isn't used.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Settings
import Vitrine.Theme

ColumnLayout {
    id: section

    required property DeviceModel devices
    required property string chosen

    signal deviceChosen(string value)

    spacing: Theme.space2
    Accessible.role: Accessible.Grouping
    Accessible.name: qsTr("Device")

    PlainText {
        Layout.fillWidth: true
        text: qsTr("Device")
        font.weight: Font.DemiBold
    }
    PlainText {
        Layout.fillWidth: true
        text: qsTr("What models run on. A graphics device is tested once before it is used; where it fails in the middle of an answer, the CPU goes on.")
        secondary: true
        wrapMode: Text.Wrap
    }
    // No layout: those of Qt 6.4 may look at rows that are gone when the list changes.
    Column {
        id: rows

        Layout.fillWidth: true
        spacing: section.spacing

        Repeater {
            model: section.devices

            T.RadioButton {
                id: row

                required property string value
                required property string title
                required property string facts
                required property string features
                required property string reason
                required property bool usable

                width: rows.width
                implicitHeight: implicitContentHeight + topPadding + bottomPadding
                topPadding: Theme.space2
                bottomPadding: Theme.space2
                leftPadding: Theme.space3 + Theme.iconSize + Theme.space3
                rightPadding: Theme.space3
                enabled: usable
                autoExclusive: false
                checked: value === section.chosen
                focusPolicy: Qt.StrongFocus
                text: title
                Accessible.role: Accessible.RadioButton
                Accessible.name: title
                Accessible.description: joined(joined(facts, features), reason)
                Accessible.checkable: true
                Accessible.checked: checked
                Keys.onReturnPressed: choose()
                Keys.onEnterPressed: choose()
                Keys.onUpPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                Keys.onDownPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                onClicked: choose()

                function joined(first: string, second: string): string {
                    return first === "" ? second : second === "" ? first : first + ". " + second;
                }
                function choose() {
                    section.deviceChosen(value);
                    checked = Qt.binding(() => row.value === section.chosen);
                }

                contentItem: ColumnLayout {
                    spacing: 2

                    PlainText {
                        Layout.fillWidth: true
                        text: row.title
                        color: row.usable ? Theme.text : Theme.dim
                        font.weight: row.checked ? Font.DemiBold : Font.Normal
                        Accessible.ignored: true
                    }
                    Line {
                        text: row.facts
                    }
                    Line {
                        text: row.features
                    }
                    Line {
                        text: row.reason
                    }
                }
                indicator: Rectangle {
                    x: Theme.space3 + (Theme.iconSize - width) / 2
                    y: row.topPadding + 1
                    width: Theme.iconSmall
                    height: width
                    radius: width / 2
                    color: "transparent"
                    border.width: row.checked ? Theme.focusWidth : Theme.hairline
                    border.color: row.checked ? Theme.accent : row.usable ? Theme.dim : Theme.line

                    Rectangle {
                        anchors.centerIn: parent
                        visible: row.checked
                        width: parent.width / 2
                        height: width
                        radius: width / 2
                        color: Theme.accent
                    }
                }
                background: Rectangle {
                    radius: Theme.radiusControl
                    color: row.hovered && row.usable ? Theme.hover : Theme.surface
                    border.width: Theme.hairline
                    border.color: row.checked ? Theme.accent : Theme.line

                    FocusRing {
                        visible: row.visualFocus
                    }
                }
            }
        }
    }
    PlainText {
        Layout.fillWidth: true
        visible: section.devices.problem !== ""
        text: section.devices.problem
        secondary: true
        wrapMode: Text.Wrap
    }

    component Line: PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        wrapMode: Text.Wrap
        Accessible.ignored: true
    }
}
