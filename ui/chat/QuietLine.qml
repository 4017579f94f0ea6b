// A warning that does not interrupt: one line, dim, with a sign.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

RowLayout {
    id: line

    required property string message
    property string symbol: "warning"

    visible: message !== ""
    spacing: Theme.space2
    Accessible.role: Accessible.StaticText
    Accessible.name: message

    Icon {
        Layout.alignment: Qt.AlignTop
        symbol: line.symbol
        size: Theme.iconSmall
        color: Theme.warning
    }
    PlainText {
        Layout.fillWidth: true
        text: line.message
        secondary: true
        wrapMode: Text.Wrap
        maximumLineCount: 3
        Accessible.ignored: true
    }
}
