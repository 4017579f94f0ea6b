// One tensor in the table; the first of a layer stands below the layer's name.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ListRow {
    id: row

    required property TensorWidths widths
    required property string name
    required property string shapeText
    required property string typeText
    required property string bitsText
    required property string offsetText
    required property string sizeText
    required property string shareText
    required property int tensor
    required property bool broken
    readonly property bool heads: ListView.section !== "" && ListView.section !== ListView.previousSection
    readonly property int head: heads ? Theme.control - 4 : 0

    implicitHeight: Theme.control - 2 + head
    topPadding: head
    topInset: head
    text: qsTr("%1, %2, %3, %4 bits per weight, %5, %6 of the file").arg(name).arg(shapeText).arg(typeText).arg(bitsText).arg(sizeText).arg(shareText)

    PlainText {
        x: Theme.space2
        visible: row.heads
        height: row.head
        verticalAlignment: Text.AlignBottom
        bottomPadding: 3
        secondary: true
        text: row.ListView.section
        font.weight: Font.DemiBold
    }
    Hint {
        visible: row.hovered
        text: qsTr("%1\n%2 · %3 · %4 at %5 · %6 of the file").arg(row.name).arg(row.typeText).arg(row.shapeText).arg(row.sizeText).arg(row.offsetText).arg(row.shareText)
    }

    contentItem: RowLayout {
        spacing: row.widths.gap

        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.space2

            TypeSwatch {
                typeName: row.typeText
            }
            PlainText {
                Layout.fillWidth: true
                text: row.name
                font.family: Theme.mono
                font.pixelSize: Theme.fontSmall
                color: row.broken ? Theme.error : row.current ? Theme.accent : Theme.text
                Accessible.ignored: true
            }
            Icon {
                visible: row.broken
                symbol: "error"
                size: Theme.iconSmall
                color: Theme.error
            }
        }
        Cell {
            visible: row.widths.showShape
            Layout.preferredWidth: row.widths.shape
            text: row.shapeText
        }
        Cell {
            Layout.preferredWidth: row.widths.type
            text: row.typeText
            color: Theme.text
        }
        Cell {
            visible: row.widths.showBits
            Layout.preferredWidth: row.widths.bits
            horizontalAlignment: Text.AlignRight
            text: row.bitsText
        }
        Cell {
            visible: row.widths.wide
            Layout.preferredWidth: row.widths.offset
            text: row.offsetText
        }
        Cell {
            Layout.preferredWidth: row.widths.size
            horizontalAlignment: Text.AlignRight
            text: row.sizeText
        }
    }

    component Cell: PlainText {
        secondary: true
        font.family: Theme.mono
        Accessible.ignored: true
    }
}
