// A number out of so many, counted from 0; Enter goes there.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

Row {
    id: chooser

    required property string name
    required property double place
    required property double count

    signal chosen(double place)

    spacing: Theme.space1 + 2

    TextLine {
        id: field

        width: Math.round(76 * Theme.scale)
        height: Theme.control - 4
        name: chooser.name
        text: chooser.place
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        inputMethodHints: Qt.ImhDigitsOnly
        validator: RegularExpressionValidator {
            regularExpression: /[0-9]{1,15}/
        }
        onAccepted: {
            chooser.chosen(Number(text));
            text = Qt.binding(() => chooser.place.toString());
        }
        onActiveFocusChanged: {
            if (!activeFocus) {
                text = Qt.binding(() => chooser.place.toString());
            }
        }
    }
    PlainText {
        anchors.verticalCenter: parent.verticalCenter
        secondary: true
        text: qsTr("of %L1").arg(chooser.count)
    }
}
