// Text in the interface: never interpreted as markup.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Theme

Text {
    property bool secondary: false

    textFormat: Text.PlainText
    color: secondary ? Theme.dim : Theme.text
    font.family: Theme.sans
    font.pixelSize: secondary ? Theme.fontSmall : Theme.fontBase
    elide: Text.ElideRight
    Accessible.role: Accessible.StaticText
    Accessible.name: text
}
