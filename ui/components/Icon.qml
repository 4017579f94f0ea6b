// One of the project's icons, tinted by the theme.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.impl
import Vitrine.Theme

IconImage {
    id: icon

    // File name under resources/icons without ending.
    required property string symbol
    property int size: Theme.iconSize

    source: symbol === "" ? "" : "qrc:/qt/qml/Vitrine/Components/icons/" + symbol + ".svg"
    sourceSize.width: size
    sourceSize.height: size
    width: size
    height: size
    color: Theme.text
    Accessible.ignored: true
}
