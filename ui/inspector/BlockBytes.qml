// The bytes of a block, coloured by what their bits are for.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

// The arrow keys walk through the bytes.
FocusScope {
    id: bytes

    required property BlockExplorer explorer
    readonly property var lit: explorer.litBytes
    property int cursor: 0
    readonly property int perLine: Math.max(1, Math.floor(width / (cell + Theme.space1)))
    readonly property int cell: Math.round(30 * Theme.scale)

    function walk(by: int) {
        cursor = Math.max(0, Math.min(explorer.bytes.length - 1, cursor + by));
        explorer.lookAtByte(cursor);
    }

    implicitHeight: flow.implicitHeight
    activeFocusOnTab: explorer.bytes.length > 0
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Bytes of the block")
    Accessible.description: explorer.about
    Keys.onLeftPressed: walk(-1)
    Keys.onRightPressed: walk(1)
    Keys.onUpPressed: walk(-perLine)
    Keys.onDownPressed: walk(perLine)
    onActiveFocusChanged: {
        if (activeFocus) {
            walk(0);
        } else {
            explorer.lookAway();
        }
    }

    Flow {
        id: flow

        width: bytes.width
        spacing: Theme.space1

        Repeater {
            model: bytes.explorer.bytes.length

            Rectangle {
                id: box

                required property int index
                readonly property var entry: bytes.explorer.bytes[index]
                readonly property color hue: FieldColors.colorOf(entry?.kind ?? "")
                readonly property bool lit: bytes.lit.includes(index)

                width: bytes.cell
                height: bytes.cell
                radius: Theme.radiusCell
                color: Qt.rgba(hue.r, hue.g, hue.b, lit ? 0.5 : 0.18)
                border.width: lit ? Theme.focusWidth : 0
                border.color: hue
                Accessible.role: Accessible.ListItem
                Accessible.name: entry ? entry.name + " " + entry.hex : ""

                PlainText {
                    anchors.centerIn: parent
                    text: box.entry?.hex ?? ""
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    Accessible.ignored: true
                }
                FocusRing {
                    visible: bytes.activeFocus && bytes.cursor === box.index
                }
                HoverHandler {
                    onHoveredChanged: hovered ? bytes.explorer.lookAtByte(box.index) : bytes.explorer.lookAway()
                }
                TapHandler {
                    onTapped: {
                        bytes.cursor = box.index;
                        bytes.forceActiveFocus(Qt.MouseFocusReason);
                        bytes.explorer.lookAtByte(box.index);
                        if (bytes.explorer.litWeight >= 0) {
                            bytes.explorer.weight = bytes.explorer.litWeight;
                        }
                    }
                }
            }
        }
    }
}
