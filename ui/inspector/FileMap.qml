// The map of the whole file: see FileMapItem for what goes in and comes out.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Inspector

FileMapItem {
    id: map

    colors: InspectorColors
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("File map")
    Accessible.description: spoken
    Accessible.focusable: true

    FocusRing {
        inner: 0
        visible: map.visualFocus
    }
}
