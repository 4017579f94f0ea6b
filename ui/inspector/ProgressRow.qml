// How far work is, in a line and in words. It keeps its place while there is nothing to tell yet.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Theme

RowLayout {
    id: row

    // From 0 to 1; below 0: nothing to tell yet.
    required property real fraction
    // What is done, and what is known of it.
    required property string what
    property string detail: ""

    spacing: Theme.space3
    opacity: fraction >= 0 ? 1 : 0

    ProgressLine {
        Layout.fillWidth: true
        value: Math.max(0, row.fraction)
        Accessible.name: row.what
        Accessible.description: row.detail
    }
    PlainText {
        secondary: true
        text: row.detail === "" ? row.what : row.detail
        Accessible.ignored: true
    }
}
