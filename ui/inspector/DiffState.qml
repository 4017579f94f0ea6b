// Whether something is the same in two files: a sign and a word, the colour only beside them.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Theme

Row {
    id: state

    required property string sign
    required property string word
    required property bool same
    readonly property color ink: same ? Theme.dim : Theme.warning

    spacing: Theme.space1 + 2
    Accessible.ignored: true

    PlainText {
        width: 12
        horizontalAlignment: Text.AlignHCenter
        text: state.sign
        font.family: Theme.mono
        font.pixelSize: Theme.fontSmall
        font.weight: Font.DemiBold
        color: state.ink
        Accessible.ignored: true
    }
    PlainText {
        width: state.width - x
        text: state.word
        font.pixelSize: Theme.fontSmall
        color: state.ink
        Accessible.ignored: true
    }
}
