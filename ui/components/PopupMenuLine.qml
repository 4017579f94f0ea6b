// A line between groups of a menu.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Theme

MenuSeparator {
    implicitHeight: 2 * Theme.space1 + Theme.hairline
    padding: Theme.space1
    verticalPadding: Theme.space1
    contentItem: Rectangle {
        implicitWidth: 188
        implicitHeight: Theme.hairline
        color: Theme.line
    }
}
