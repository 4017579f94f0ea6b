// A picture of a layout: the fields in their order, with their sizes in bytes and where they begin.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

// Wider boxes hold more bytes, though not to scale: a field of 2 bytes has to have room for its name.
Flow {
    id: strip

    // As format_strip::listed.
    required property var parts

    function ink(kind: string): color {
        switch (kind) {
        case "header":
            return Theme.dataHeader;
        case "metadata":
            return Theme.dataMetadata;
        case "directory":
            return Theme.dataDirectory;
        default:
            return FieldColors.colorOf(kind);
        }
    }

    spacing: 2
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("Layout: %1").arg(parts.map(part => part.name + " " + part.bytes).join(", "))

    Repeater {
        model: strip.parts

        Rectangle {
            id: box

            required property var modelData
            readonly property color hue: strip.ink(modelData.kind)

            width: Math.round(Math.max(label.implicitWidth, place.implicitWidth) + 2 * Theme.space2 + modelData.share * 0.25 * strip.width)
            height: label.implicitHeight + place.implicitHeight + Theme.space2
            radius: Theme.radiusCell / 2
            color: Qt.rgba(hue.r, hue.g, hue.b, 0.22)

            Rectangle {
                width: parent.width
                height: 3
                color: box.hue
            }
            PlainText {
                id: label

                x: Theme.space2
                y: Theme.space1 + 1
                text: box.modelData.name + " " + box.modelData.size
                font.family: Theme.mono
                font.pixelSize: Theme.fontSmall
                Accessible.ignored: true
            }
            PlainText {
                id: place

                x: Theme.space2
                anchors.top: label.bottom
                text: qsTr("at %1").arg(box.modelData.at)
                font.pixelSize: Theme.fontTiny
                color: Theme.dim
                Accessible.ignored: true
            }
            HoverHandler {
                id: pointer
            }
            Hint {
                visible: pointer.hovered && box.Window.window !== null
                text: qsTr("%1: %2 from byte %3 on").arg(box.modelData.name).arg(box.modelData.bytes).arg(box.modelData.at)
            }
        }
    }
}
