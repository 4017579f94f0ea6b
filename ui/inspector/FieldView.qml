// What the selected bytes are, where they belong to neither a tensor nor the metadata.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: view

    required property HexViewModel hex

    title: hex.fieldName
    detail: hex.cursorText

    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        text: view.hex.fieldValue
        font.family: Theme.mono
        font.pixelSize: Theme.fontCode
        wrapMode: Text.WrapAnywhere
    }
    PlainText {
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        text: view.hex.selectionText
    }
    ByteReadings {
        Layout.fillWidth: true
        hex: view.hex
    }
}
