// A line between parts of an answer.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Theme

RowFrame {
    id: rule

    Accessible.role: Accessible.Separator

    Rectangle {
        width: rule.room
        height: Theme.hairline
        color: Theme.lineStrong
    }
}
