// The tensors by size: see TensorTreemapItem for what goes in and comes out.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Inspector

TensorTreemapItem {
    id: map

    colors: InspectorColors
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("Treemap of the tensors")
    Accessible.description: spoken
    Accessible.focusable: true

    FocusRing {
        inner: 0
        visible: map.visualFocus
    }
}
