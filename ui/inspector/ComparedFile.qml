// One of two files that are compared: its letter, name and facts, and its map.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: side

    required property FileComparison comparison
    required property bool first
    readonly property string letter: first ? qsTr("A") : qsTr("B")
    readonly property string name: first ? comparison.nameA : comparison.nameB
    property bool withMap: true

    // A pair of tensors, by its number.
    signal picked(int pair)

    spacing: 2

    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: false
        spacing: Theme.space2

        Rectangle {
            implicitWidth: Theme.space5
            implicitHeight: Theme.space5
            radius: Theme.radiusCell
            color: Theme.accentSoft
            Accessible.ignored: true

            PlainText {
                anchors.centerIn: parent
                text: side.letter
                font.pixelSize: Theme.fontSmall
                font.weight: Font.DemiBold
                color: Theme.accent
                Accessible.ignored: true
            }
        }
        PlainText {
            objectName: "comparedName" + side.letter
            Layout.maximumWidth: side.width / 2
            text: side.name
            font.weight: Font.DemiBold
            elide: Text.ElideMiddle
            Accessible.name: qsTr("%1: %2").arg(side.letter).arg(side.name)

            HoverHandler {
                id: hover
            }
            Hint {
                visible: hover.hovered && text !== ""
                text: side.first ? side.comparison.pathA : side.comparison.pathB
            }
        }
        PlainText {
            objectName: "comparedFacts" + side.letter
            Layout.fillWidth: true
            secondary: true
            text: side.first ? side.comparison.factsA : side.comparison.factsB
        }
    }
    FileMap {
        objectName: "comparedMap" + side.letter
        // Both maps have the same scale.
        Layout.preferredWidth: Math.max(24, Math.round(side.width * Math.min(1, side.first ? side.comparison.ratio : 1 / side.comparison.ratio)))
        visible: side.withMap
        file: side.first ? side.comparison.fileA : side.comparison.fileB
        selectedOffset: side.first ? side.comparison.detail.offsetA : side.comparison.detail.offsetB
        selectedSize: side.first ? side.comparison.detail.sizeA : side.comparison.detail.sizeB
        Accessible.name: qsTr("File map of %1").arg(side.letter)
        onPicked: (offset, size, tensorIndex) => side.picked(side.comparison.tensors.pairOf(tensorIndex, side.first))
    }
}
