// The inspector's maps in one window, to measure and to look at.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Inspector
import Vitrine.Theme

Window {
    id: scene

    required property inspectedFile file
    property string mode: "light"

    onModeChanged: Theme.mode = mode
    width: 1440
    height: 900
    color: Theme.background

    Column {
        x: Theme.space6
        width: parent.width - 2 * Theme.space6
        topPadding: Theme.space4
        spacing: Theme.space4

        FileMap {
            objectName: "measured to scale"
            width: parent.width
            file: scene.file
            residency: new Uint8Array(256).map((_, i) => i % 8 < 5 ? 255 : i % 8 === 5 ? 128 : 0).buffer
        }
        FileMap {
            objectName: "measured logarithmic"
            width: parent.width
            file: scene.file
            mode: FileMap.Logarithmic
            marks: [30, 1000]
            selectedOffset: 0
            selectedSize: 24
        }
        TensorTreemap {
            objectName: "measured treemap"
            width: parent.width
            height: 340
            file: scene.file
            selectedOffset: 10000000
        }
        TensorTreemap {
            objectName: "measured treemap by bits"
            width: parent.width
            height: 340
            file: scene.file
            coloring: TensorTreemap.ByBits
        }
    }
}
