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
        Row {
            width: parent.width
            spacing: Theme.space4

            TensorTreemap {
                objectName: "measured treemap"
                width: (parent.width - Theme.space4) / 2
                height: 320
                file: scene.file
                selectedOffset: 10000000
            }
            TensorTreemap {
                width: (parent.width - Theme.space4) / 2
                height: 320
                file: scene.file
                coloring: TensorTreemap.ByBits
            }
        }
        Row {
            width: parent.width
            spacing: Theme.space4

            HeatMap {
                objectName: "measured heat map"
                width: (parent.width - Theme.space4) * 0.4
                height: 320
                source: "made up"
                columns: 4096
                rows: 4096
                selectedRow: 700
                selectedColumn: 1000
            }
            HeatMap {
                objectName: "deep heat map"
                width: (parent.width - Theme.space4) * 0.35
                height: 320
                source: "made up"
                columns: 12
                rows: 14
                coloring: HeatMap.Sequential
            }
            BarPlot {
                width: (parent.width - Theme.space4) * 0.25 - Theme.space4
                height: 320
                values: Array.from({ length: 32 }, (_, i) => Math.sin(i * 1.7) + 0.4 * Math.cos(i * 5.1))
                highlighted: 3
            }
        }
    }
}
