// How this chat is steered: its system prompt and sampler, each with what it does.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

FocusScope {
    id: panel

    required property SteeringViewModel steering

    signal closed

    Rectangle {
        anchors.fill: parent
        color: Theme.background

        Rectangle {
            width: Theme.hairline
            height: parent.height
            color: Theme.line
        }
    }
    Flickable {
        id: flick

        anchors.fill: parent
        anchors.leftMargin: 1
        contentWidth: width
        contentHeight: column.implicitHeight + 2 * Theme.space4
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollHandle {}

        ColumnLayout {
            id: column

            x: Theme.space4
            y: Theme.space4
            width: flick.width - 2 * Theme.space4
            spacing: Theme.space4

            RowLayout {
                Layout.fillWidth: true

                PlainText {
                    Layout.fillWidth: true
                    text: qsTr("This chat")
                    font.weight: Font.DemiBold
                    Accessible.role: Accessible.Heading
                }
                IconButton {
                    symbol: "close"
                    text: qsTr("Close")
                    onClicked: panel.closed()
                }
            }
            PlainText {
                text: qsTr("System prompt")
                font.weight: Font.Medium
            }
            T.TextArea {
                id: system

                objectName: "systemPrompt"
                Layout.fillWidth: true
                Layout.preferredHeight: Math.max(96, Math.min(260, contentHeight + topPadding + bottomPadding))
                focus: true
                clip: true
                padding: Theme.space3
                wrapMode: TextEdit.Wrap
                textFormat: TextEdit.PlainText
                selectByMouse: true
                color: Theme.text
                selectionColor: Theme.selection
                selectedTextColor: Theme.text
                font.family: Theme.sans
                font.pixelSize: Theme.fontBase
                text: panel.steering.systemPrompt
                Accessible.name: qsTr("System prompt")
                onTextChanged: panel.steering.systemPrompt = text
                Keys.onTabPressed: nextItemInFocusChain().forceActiveFocus(Qt.TabFocusReason)
                Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                background: Rectangle {
                    radius: Theme.radiusControl
                    color: Theme.surface
                    border.width: Theme.hairline
                    border.color: system.activeFocus ? Theme.accent : Theme.lineStrong
                }

                Connections {
                    target: panel.steering

                    function onSteeringChanged() {
                        if (system.text !== panel.steering.systemPrompt) {
                            system.text = panel.steering.systemPrompt;
                        }
                    }
                }
            }
            PlainText {
                Layout.fillWidth: true
                Layout.topMargin: -Theme.space2
                secondary: true
                wrapMode: Text.Wrap
                text: qsTr("Stands before the conversation: who the model is and how it should answer.")
            }
            SwitchRow {
                objectName: "thinkingSwitch"
                Layout.fillWidth: true
                visible: panel.steering.thinkingOffered
                text: qsTr("Think before answering")
                explanation: qsTr("The model reasons first. Answers take longer and are often better.")
                on: panel.steering.thinking
                onToggled: panel.steering.thinking = checked
            }
            RowLayout {
                Layout.fillWidth: true

                PlainText {
                    Layout.fillWidth: true
                    text: qsTr("Sampler")
                    font.weight: Font.DemiBold
                    Accessible.role: Accessible.Heading
                }
                ActionButton {
                    look: ActionButton.Quiet
                    text: qsTr("Reset all")
                    hint: qsTr("To the defaults of the model, or of Vitrine")
                    enabled: panel.steering.anyChanged
                    onClicked: panel.steering.resetAll()
                }
            }
            Repeater {
                model: panel.steering

                SamplerRow {
                    Layout.fillWidth: true
                    onChosen: value => panel.steering.set(index, value)
                    onResetRequested: panel.steering.reset(index)
                }
            }
            RowLayout {
                Layout.fillWidth: true
                visible: panel.steering.plainPrompt

                PlainText {
                    Layout.fillWidth: true
                    wrapMode: Text.Wrap
                    secondary: true
                    text: qsTr("This chat uses a plain prompt in place of the model's template.")
                }
                ActionButton {
                    text: qsTr("Use the template")
                    onClicked: panel.steering.plainPrompt = false
                }
            }
        }
    }
}
