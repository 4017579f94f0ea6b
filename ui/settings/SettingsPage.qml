// Theme, threads, context length and device.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Settings
import Vitrine.Theme

FocusScope {
    id: page

    required property SettingsViewModel settings
    // The loaded model runs with other values than the page shows.
    required property bool reloadNeeded

    signal reloadRequested

    Component.onCompleted: settings.devices.refresh()

    Flickable {
        id: flick

        anchors.fill: parent
        contentWidth: width
        contentHeight: column.implicitHeight + 2 * Theme.space6
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollHandle {}

        ColumnLayout {
            id: column

            x: Math.max(Theme.space6, (flick.width - width) / 2)
            y: Theme.space6
            width: Math.min(Theme.reading, flick.width - 2 * Theme.space6)
            spacing: Theme.space6

            PlainText {
                text: qsTr("Settings")
                font.pixelSize: Theme.fontTitle
                font.weight: Font.DemiBold
                Accessible.role: Accessible.Heading
            }
            SettingRow {
                Layout.fillWidth: true
                title: qsTr("Theme")
                explanation: qsTr("System follows the desktop's light or dark look.")

                ChoiceRow {
                    name: qsTr("Theme")
                    focus: true
                    labels: [qsTr("System"), qsTr("Light"), qsTr("Dark")]
                    values: ["system", "light", "dark"]
                    value: page.settings.theme
                    onChosen: value => page.settings.theme = value
                }
            }
            Separator {}
            SettingRow {
                Layout.fillWidth: true
                title: qsTr("Threads")
                explanation: qsTr("How many threads compute an answer. This machine has %1 cores; more threads than that make it slower.").arg(page.settings.cores)

                NumberField {
                    name: qsTr("Threads")
                    from: 0
                    to: 512
                    zeroText: qsTr("Automatic")
                    value: page.settings.threads
                    onChosen: value => page.settings.threads = value
                }
            }
            Separator {}
            SettingRow {
                Layout.fillWidth: true
                title: qsTr("Context length")
                explanation: qsTr("How many tokens of a conversation the model sees. Automatic is what it was trained for, as far as memory goes; shorter needs less memory.")

                NumberField {
                    name: qsTr("Context length")
                    from: 0
                    to: 16777216
                    stepSize: 1024
                    zeroText: qsTr("Automatic")
                    value: page.settings.contextLength
                    onChosen: value => page.settings.contextLength = value
                }
            }
            SettingRow {
                Layout.fillWidth: true
                title: qsTr("Before loading")
                explanation: qsTr("Ask for the context length, and for the share of a graphics device, always, or only where memory has no room for everything.")

                ChoiceRow {
                    name: qsTr("Ask before loading")
                    labels: [qsTr("Ask if short"), qsTr("Always ask")]
                    values: ["short", "always"]
                    value: page.settings.askContext ? "always" : "short"
                    onChosen: value => page.settings.askContext = value === "always"
                }
            }
            Separator {}
            DeviceChoice {
                Layout.fillWidth: true
                devices: page.settings.devices
                chosen: page.settings.device
                onDeviceChosen: value => page.settings.device = value
            }
            RowLayout {
                Layout.fillWidth: true
                visible: page.reloadNeeded
                spacing: Theme.space3

                Icon {
                    symbol: "info"
                    color: Theme.dim
                }
                PlainText {
                    Layout.fillWidth: true
                    text: qsTr("Threads, context length and device take effect when the model is loaded again.")
                    wrapMode: Text.Wrap
                }
                ActionButton {
                    text: qsTr("Load again")
                    symbol: "reload"
                    onClicked: page.reloadRequested()
                }
            }
            Separator {}
            PlainText {
                Layout.fillWidth: true
                secondary: true
                text: qsTr("Kept in %1").arg(page.settings.filePath)
                elide: Text.ElideMiddle
            }
        }
    }

    component Separator: Rectangle {
        Layout.fillWidth: true
        implicitHeight: Theme.hairline
        color: Theme.line
        Accessible.ignored: true
    }
}
