// How long the context of a model shall be, asked before it is loaded.
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
    Accessible.name: qsTr("Context length of %1").arg(plan.title)
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
            RowLayout {
                Layout.fillWidth: true
                spacing: Theme.space3

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
                PlainText {
                    Layout.minimumWidth: 110 * Theme.scale
                    horizontalAlignment: Text.AlignRight
                    text: bar.plan.lengthText
                    font.family: Theme.mono
                    font.pixelSize: Theme.fontSmall
                    Accessible.ignored: true
                }
            }
            RowLayout {
                Layout.fillWidth: true
                spacing: Theme.space3

                PlainText {
                    Layout.fillWidth: true
                    text: bar.plan.advice
                    secondary: true
                    color: bar.plan.doubtful ? Theme.warning : Theme.dim
                    wrapMode: Text.Wrap
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
