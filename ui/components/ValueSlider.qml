// A slider: a thin line, a round handle.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Templates as T
import Vitrine.Theme

T.Slider {
    id: slider

    // For those who can't see it.
    required property string name

    implicitWidth: 160
    implicitHeight: 20
    focusPolicy: Qt.StrongFocus
    Accessible.name: name
    // In steps, so that bindings of the value stay.
    Keys.onPressed: event => {
        const up = event.key === Qt.Key_End;
        if (!up && event.key !== Qt.Key_Home) {
            return;
        }
        event.accepted = true;
        const end = up ? to : from;
        for (let last = NaN; value !== end && value !== last;) {
            last = value;
            if (up) {
                increase();
            } else {
                decrease();
            }
        }
        moved();
    }

    background: Rectangle {
        y: (slider.height - height) / 2
        width: slider.width
        height: 4
        radius: 2
        color: Theme.pressed

        Rectangle {
            width: slider.visualPosition * parent.width
            height: parent.height
            radius: 2
            color: Theme.accent
        }
    }
    handle: Rectangle {
        x: slider.visualPosition * (slider.width - width)
        y: (slider.height - height) / 2
        width: 16
        height: 16
        radius: 8
        color: Theme.surface
        border.width: 2
        border.color: Theme.accent

        FocusRing {
            visible: slider.visualFocus
            inner: 8
        }
    }
}
