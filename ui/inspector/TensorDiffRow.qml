// One tensor of two files in their table.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ListRow {
    id: row

    required property DiffWidths widths
    required property string name
    required property string symbolText
    required property string stateText
    required property string shapeText
    required property string typeA
    required property string typeB
    required property string sizeA
    required property string sizeB
    required property string differenceText
    required property bool same
    required property int pair

    rightPadding: Theme.space4
    text: spoken([name, stateText, shapeText, typeA === "" ? "" : qsTr("A: %1, %2").arg(typeA).arg(sizeA), typeB === "" ? "" : qsTr("B: %1, %2").arg(typeB).arg(sizeB)])

    Hint {
        visible: row.hovered
        text: qsTr("%1\n%2 · %3").arg(row.name).arg(row.shapeText).arg(row.stateText)
    }

    contentItem: Row {
        spacing: row.widths.gap

        Cell {
            width: row.widths.name
            text: row.name
            color: row.current ? Theme.accent : Theme.text
            elide: Text.ElideMiddle
        }
        DiffState {
            anchors.verticalCenter: parent.verticalCenter
            width: row.widths.state
            sign: row.symbolText
            word: row.stateText
            same: row.same
        }
        Cell {
            visible: row.widths.showShape
            width: row.widths.shape
            text: row.shapeText
        }
        Type {
            width: row.widths.type
            name: row.typeA
        }
        Type {
            width: row.widths.type
            name: row.typeB
        }
        Cell {
            width: row.widths.size
            horizontalAlignment: Text.AlignRight
            text: row.sizeA === "" ? "–" : row.sizeA
        }
        Cell {
            width: row.widths.size
            horizontalAlignment: Text.AlignRight
            text: row.sizeB === "" ? "–" : row.sizeB
        }
        Cell {
            width: row.widths.difference
            horizontalAlignment: Text.AlignRight
            text: row.differenceText
            color: row.differenceText === "=" ? Theme.dim : Theme.text
        }
    }

    component Cell: PlainText {
        anchors.verticalCenter: parent ? parent.verticalCenter : undefined
        secondary: true
        font.family: Theme.mono
        Accessible.ignored: true
    }
    component Type: Item {
        id: type

        required property string name

        anchors.verticalCenter: parent ? parent.verticalCenter : undefined
        implicitHeight: word.implicitHeight

        TypeSwatch {
            id: swatch

            anchors.verticalCenter: parent.verticalCenter
            visible: type.name !== ""
            typeName: type.name
        }
        PlainText {
            id: word

            x: swatch.width + Theme.space1 + 2
            width: type.width - x
            text: type.name === "" ? "–" : type.name
            font.family: Theme.mono
            font.pixelSize: Theme.fontSmall
            Accessible.ignored: true
        }
    }
}
