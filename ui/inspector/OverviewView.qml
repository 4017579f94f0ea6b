// The file as a whole: its tensor types and what they take, its KV cache. Shown while nothing is selected.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: view

    required property InspectorViewModel inspector

    signal reportRequested

    spacing: Theme.space3

    Card {
        Layout.fillWidth: true
        title: qsTr("Types of the tensors")
        detail: view.inspector.openTime

        Repeater {
            model: view.inspector.totals

            RowLayout {
                id: line

                required property var modelData

                Layout.fillWidth: true
                spacing: Theme.space3
                Accessible.role: Accessible.StaticText
                Accessible.name: [modelData.name, modelData.tensors, modelData.size, modelData.share].join(", ")

                HoverHandler {
                    id: pointer
                }
                Hint {
                    visible: pointer.hovered && text !== ""
                    text: line.modelData.about
                }
                TypeSwatch {
                    typeName: line.modelData.name
                }
                PlainText {
                    Layout.preferredWidth: Math.round(72 * Theme.scale)
                    text: line.modelData.name
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontCode
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.fillWidth: true
                    secondary: true
                    text: line.modelData.tensors === "1" ? qsTr("1 tensor") : qsTr("%1 tensors").arg(line.modelData.tensors)
                    Accessible.ignored: true
                }
                PlainText {
                    text: line.modelData.size
                    Accessible.ignored: true
                }
                PlainText {
                    Layout.preferredWidth: Math.round(64 * Theme.scale)
                    horizontalAlignment: Text.AlignRight
                    text: line.modelData.share
                    Accessible.ignored: true
                }
            }
        }
        PlainText {
            visible: view.inspector.totals.length === 0
            secondary: true
            text: qsTr("The file has no tensors.")
        }
    }
    CacheCard {
        Layout.fillWidth: true
        file: view.inspector.file
    }
    ActionButton {
        objectName: "saveReport"
        symbol: "download"
        text: qsTr("Save a report…")
        hint: qsTr("Metadata, types and problems as Markdown, to be attached to a bug report")
        onClicked: view.reportRequested()
    }
    PlainText {
        Layout.fillWidth: true
        secondary: true
        wrapMode: Text.Wrap
        text: qsTr("Choose a tensor, a metadata entry or a byte to see it here.")
    }
}
