// A field for one line of text.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.TextField {
    id: field

    required property string name
    property string placeholder: ""

    implicitHeight: Theme.control
    leftPadding: Theme.space3
    rightPadding: Theme.space3
    verticalAlignment: TextInput.AlignVCenter
    color: Theme.text
    selectionColor: Theme.selection
    selectedTextColor: Theme.text
    selectByMouse: true
    font.family: Theme.sans
    font.pixelSize: Theme.fontBase
    Accessible.name: name

    background: Rectangle {
        radius: Theme.radiusControl
        color: Theme.surface
        border.width: Theme.hairline
        border.color: field.activeFocus ? Theme.accent : Theme.line
    }
    PlainText {
        anchors.fill: parent
        anchors.leftMargin: field.leftPadding
        visible: field.length === 0 && field.preeditText === ""
        verticalAlignment: Text.AlignVCenter
        text: field.placeholder
        color: Theme.dim
        Accessible.ignored: true
    }
}
