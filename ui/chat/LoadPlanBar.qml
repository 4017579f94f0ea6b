// How long the context of a model shall be, and how much of it goes to the device, asked before it
// is loaded.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

FocusScope {
    id: bar

    required property LoadPlanViewModel plan

    visible: plan.asking
    implicitHeight: box.implicitHeight
    Accessible.role: Accessible.Grouping
    Accessible.name: qsTr("Memory plan of %1").arg(plan.title)
    onVisibleChanged: {
        if (visible) {
            slider.forceActiveFocus(Qt.TabFocusReason);
        }
    }
    Keys.onReturnPressed: plan.accept()
    Keys.onEnterPressed: plan.accept()
    Keys.onEscapePressed: plan.dismiss()

    Rectangle {
        id: box

        anchors.fill: parent
        implicitHeight: content.implicitHeight + 2 * Theme.space4
        radius: Theme.radiusCard
        color: Theme.surface
        border.width: Theme.hairline
        border.color: Theme.lineStrong

        ColumnLayout {
            id: content

            anchors.fill: parent
            anchors.margins: Theme.space4
            spacing: Theme.space2

            RowLayout {
                Layout.fillWidth: true
                spacing: Theme.space3

                PlainText {
                    Layout.fillWidth: true
                    text: bar.plan.title
                    font.weight: Font.DemiBold
                    elide: Text.ElideMiddle
                }
                PlainText {
                    text: bar.plan.memoryText
                    secondary: true
                }
            }
            GridLayout {
                Layout.fillWidth: true
                columns: 3
                columnSpacing: Theme.space3
                rowSpacing: Theme.space1

                PlainText {
                    text: qsTr("Context")
                    Accessible.ignored: true
                }
                ValueSlider {
                    id: slider

                    objectName: "contextSlider"
                    Layout.fillWidth: true
                    focus: true
                    name: qsTr("Context length: %1").arg(bar.plan.lengthText)
                    Accessible.description: bar.plan.memoryText + ". " + bar.plan.advice
                    from: 0
                    to: Math.max(1, bar.plan.choices - 1)
                    stepSize: 1
                    snapMode: ValueSlider.SnapAlways
                    value: bar.plan.choice
                    onMoved: bar.plan.choice = Math.round(value)
                }
                Figure {
                    text: bar.plan.lengthText
                }
                PlainText {
                    visible: bar.plan.hasDevice
                    text: qsTr("Device")
                    Accessible.ignored: true
                }
                ValueSlider {
                    objectName: "layerSlider"
                    Layout.fillWidth: true
                    visible: bar.plan.hasDevice
                    name: qsTr("Layers on %1: %2").arg(bar.plan.deviceName).arg(bar.plan.layersText)
                    Accessible.description: bar.plan.deviceText
                    from: 0
                    to: Math.max(1, bar.plan.allLayers)
                    stepSize: 1
                    snapMode: ValueSlider.SnapAlways
                    value: bar.plan.layers
                    onMoved: bar.plan.layers = Math.round(value)
                }
                Figure {
                    visible: bar.plan.hasDevice
                    text: bar.plan.layersText
                }
            }
            PlainText {
                objectName: "deviceText"
                Layout.fillWidth: true
                visible: bar.plan.hasDevice
                text: bar.plan.deviceText
                secondary: true
                color: bar.plan.deviceDoubtful ? Theme.warning : Theme.dim
                wrapMode: Text.Wrap
            }
            GridLayout {
                Layout.fillWidth: true
                // Large text gets a line of its own.
                columns: width > 600 * Theme.scale ? 2 : 1
                columnSpacing: Theme.space3
                rowSpacing: Theme.space1

                PlainText {
                    Layout.fillWidth: true
                    text: bar.plan.advice
                    secondary: true
                    color: bar.plan.doubtful ? Theme.warning : Theme.dim
                    wrapMode: Text.Wrap
                }
                RowLayout {
                    Layout.alignment: Qt.AlignRight
                    spacing: Theme.space3

                    ActionButton {
                        objectName: "fitLayers"
                        visible: bar.plan.hasDevice && !bar.plan.layersFit
                        look: ActionButton.Quiet
                        text: qsTr("As many layers as fit")
                        onClicked: bar.plan.fitLayers()
                    }
                    ActionButton {
                        look: ActionButton.Quiet
                        text: qsTr("Don't load")
                        hint: qsTr("Esc")
                        onClicked: bar.plan.dismiss()
                    }
                    ActionButton {
                        objectName: "acceptPlan"
                        look: ActionButton.Primary
                        text: qsTr("Load")
                        hint: qsTr("Enter")
                        onClicked: bar.plan.accept()
                    }
                }
            }
        }
    }

    // A value with its unit, at the end of a line.
    component Figure: PlainText {
        Layout.minimumWidth: 110 * Theme.scale
        horizontalAlignment: Text.AlignRight
        font.family: Theme.mono
        font.pixelSize: Theme.fontSmall
        Accessible.ignored: true
    }
}
