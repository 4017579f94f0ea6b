// A message in place: what happened, where, and what to do about it.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Theme

FocusScope {
    id: banner

    // One sentence: what is wrong.
    required property string message
    // File, offset, key or tensor; empty when unknown.
    property string place: ""
    // What the person can do.
    property string advice: ""
    property string actionText: ""
    // Leads to the place.
    property string linkText: ""
    property bool severe: true

    signal actionTriggered
    signal linkTriggered
    signal dismissed

    implicitHeight: box.implicitHeight
    Accessible.role: Accessible.AlertMessage
    Accessible.name: message + " " + place + " " + advice

    Rectangle {
        id: box

        anchors.fill: parent
        implicitHeight: row.implicitHeight + 2 * Theme.space3
        radius: Theme.radiusCard
        color: banner.severe ? Theme.errorSoft : Theme.warningSoft
        border.width: Theme.hairline
        border.color: banner.severe ? Theme.errorLine : Theme.warningLine

        RowLayout {
            id: row

            anchors.fill: parent
            anchors.margins: Theme.space3
            anchors.leftMargin: Theme.space4
            spacing: Theme.space3

            Icon {
                Layout.alignment: Qt.AlignTop
                symbol: banner.severe ? "error" : "warning"
                color: banner.severe ? Theme.error : Theme.warning
            }
            ColumnLayout {
                Layout.fillWidth: true
                Layout.alignment: Qt.AlignVCenter
                spacing: Theme.space1

                SelectableText {
                    Layout.fillWidth: true
                    content: banner.message
                    font.pixelSize: Theme.fontBase
                    lineHeight: Theme.lineBase
                    font.weight: Font.DemiBold
                }
                SelectableText {
                    Layout.fillWidth: true
                    visible: content !== ""
                    content: banner.place
                    color: Theme.dim
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    lineHeight: Theme.lineBase
                    wrapMode: TextEdit.WrapAnywhere
                }
                SelectableText {
                    Layout.fillWidth: true
                    visible: content !== ""
                    content: banner.advice
                    font.pixelSize: Theme.fontBase
                    lineHeight: Theme.lineBase
                }
            }
            ActionButton {
                Layout.alignment: Qt.AlignVCenter
                visible: banner.linkText !== ""
                look: ActionButton.Quiet
                text: banner.linkText
                onClicked: banner.linkTriggered()
            }
            ActionButton {
                Layout.alignment: Qt.AlignVCenter
                visible: banner.actionText !== ""
                text: banner.actionText
                onClicked: banner.actionTriggered()
            }
            IconButton {
                Layout.alignment: Qt.AlignVCenter
                symbol: "close"
                text: qsTr("Dismiss")
                onClicked: banner.dismissed()
            }
        }
    }
}
