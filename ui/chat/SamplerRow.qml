// One value of the sampler: name, number, slider, and what it does.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

ColumnLayout {
    id: row

    required property int index
    required property string name
    required property string explanation
    required property double value
    required property double usual
    required property double from
    required property double to
    required property double step
    required property int decimals
    required property bool changed
    // A range too wide to drag through is typed.
    readonly property bool wide: to - from > 1e6

    signal chosen(double value)
    signal resetRequested

    function shown(number: double): string {
        return number.toFixed(decimals);
    }

    spacing: Theme.space1

    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space1

        PlainText {
            Layout.fillWidth: true
            text: row.name
            font.weight: Font.Medium
        }
        IconButton {
            visible: row.changed
            size: Theme.control - 6
            symbol: "reload"
            text: qsTr("Reset %1 to %2").arg(row.name).arg(row.shown(row.usual))
            onClicked: row.resetRequested()
        }
        TextLine {
            id: field

            Layout.preferredWidth: row.wide ? 140 : 72
            implicitHeight: Theme.control - 4
            name: row.name
            horizontalAlignment: TextInput.AlignRight
            font.family: Theme.mono
            font.pixelSize: Theme.fontSmall
            text: row.shown(row.value)
            onEditingFinished: {
                const number = parseFloat(text.replace(",", "."));
                if (isFinite(number) && row.shown(number) !== row.shown(row.value)) {
                    row.chosen(number);
                }
                text = Qt.binding(() => row.shown(row.value));
            }
        }
    }
    ValueSlider {
        Layout.fillWidth: true
        visible: !row.wide
        from: row.from
        to: row.to
        stepSize: row.step
        value: row.value
        name: row.name
        Accessible.description: row.explanation
        onMoved: row.chosen(value)
    }
    PlainText {
        Layout.fillWidth: true
        secondary: true
        wrapMode: Text.Wrap
        text: row.explanation
        Accessible.ignored: true
    }
}
