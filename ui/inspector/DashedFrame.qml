// A dashed outline: here is something that is not there.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Shapes
import Vitrine.Theme

Shape {
    id: frame

    required property color ink
    readonly property real inset: Theme.hairline / 2
    readonly property real rightEdge: width - inset
    readonly property real bottomEdge: height - inset
    readonly property int radius: Theme.radiusCell

    ShapePath {
        strokeColor: frame.ink
        strokeWidth: Theme.hairline
        strokeStyle: ShapePath.DashLine
        dashPattern: [4, 3]
        fillColor: "transparent"
        startX: frame.radius
        startY: frame.inset

        PathLine {
            x: frame.rightEdge - frame.radius
            y: frame.inset
        }
        PathQuad {
            x: frame.rightEdge
            y: frame.radius
            controlX: frame.rightEdge
            controlY: frame.inset
        }
        PathLine {
            x: frame.rightEdge
            y: frame.bottomEdge - frame.radius
        }
        PathQuad {
            x: frame.rightEdge - frame.radius
            y: frame.bottomEdge
            controlX: frame.rightEdge
            controlY: frame.bottomEdge
        }
        PathLine {
            x: frame.radius
            y: frame.bottomEdge
        }
        PathQuad {
            x: frame.inset
            y: frame.bottomEdge - frame.radius
            controlX: frame.inset
            controlY: frame.bottomEdge
        }
        PathLine {
            x: frame.inset
            y: frame.radius
        }
        PathQuad {
            x: frame.radius
            y: frame.inset
            controlX: frame.inset
            controlY: frame.inset
        }
    }
}
