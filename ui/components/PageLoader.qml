// A part of the window that is made when it is first wanted, then kept.
// SPDX-License-Identifier: Apache-2.0
import QtQuick

Loader {
    active: false
    onVisibleChanged: active = active || visible
    Component.onCompleted: active = visible
}
