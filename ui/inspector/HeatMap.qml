// Values or block scales of a tensor as colours: see HeatMapItem for what goes in and comes out.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Inspector

HeatMapItem {
    id: map

    colors: InspectorColors
    Accessible.role: Accessible.Graphic
    Accessible.name: source === "" ? qsTr("Heat map") : qsTr("Heat map of %1").arg(source)
    Accessible.description: spoken
    Accessible.focusable: true

    FocusRing {
        inner: 0
        visible: map.visualFocus
    }
}
