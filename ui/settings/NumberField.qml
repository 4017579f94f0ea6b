// A whole number with steps; its lowest value can stand for a word ("Automatic").
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Theme

T.SpinBox {
    id: field

    required property string name
    // Shown in place of 0.
    property string zeroText: ""

    signal chosen(int value)

    implicitWidth: 190
    implicitHeight: Theme.control + 2
    leftPadding: Theme.space3
    rightPadding: 2 * Theme.control + 2
    editable: true
    font.family: Theme.sans
    font.pixelSize: Theme.fontBase
    inputMethodHints: Qt.ImhDigitsOnly
    Accessible.name: name
    onValueModified: chosen(value)

    textFromValue: (value, locale) => value === 0 && zeroText !== "" ? zeroText : Number(value).toLocaleString(locale, "f", 0)
    valueFromText: (text, locale) => {
        const digits = text.replace(/\D/g, "");
        return digits === "" ? 0 : parseInt(digits, 10);
    }
    validator: RegularExpressionValidator {
        regularExpression: /[^\r\n]*/
    }
    contentItem: TextInput {
        text: field.displayText
        font: field.font
        color: Theme.text
        selectionColor: Theme.selection
        selectedTextColor: Theme.text
        verticalAlignment: Qt.AlignVCenter
        selectByMouse: true
        clip: true
        readOnly: !field.editable
        validator: field.validator
        inputMethodHints: field.inputMethodHints
    }
    background: Rectangle {
        radius: Theme.radiusControl
        color: Theme.surface
        border.width: Theme.hairline
        border.color: Theme.lineStrong

        FocusRing {
            visible: field.activeFocus
        }
    }
    down.indicator: StepButton {
        x: field.width - 2 * width - 1
        sign: "−"
        lit: field.down.hovered
        usable: field.value > field.from
    }
    up.indicator: StepButton {
        x: field.width - width - 1
        sign: "+"
        lit: field.up.hovered
        usable: field.value < field.to
    }

    component StepButton: Rectangle {
        id: step

        required property string sign
        required property bool lit
        required property bool usable

        y: 1
        implicitWidth: Theme.control
        implicitHeight: Theme.control
        radius: Theme.radiusCell
        color: lit && usable ? Theme.hover : "transparent"

        PlainText {
            anchors.centerIn: parent
            text: step.sign
            color: step.usable ? Theme.text : Theme.dim
            Accessible.ignored: true
        }
    }
}
