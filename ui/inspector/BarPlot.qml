// Numbers as bars: see BarPlotItem for what goes in and comes out.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Inspector

BarPlotItem {
    id: plot

    colors: InspectorColors
    Accessible.role: Accessible.Chart
    Accessible.name: qsTr("Bars")
    Accessible.description: spoken
    Accessible.focusable: true

    FocusRing {
        inner: 0
        visible: plot.visualFocus
    }
}
