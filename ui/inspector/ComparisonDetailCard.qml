// The entry or tensor of a comparison that is selected, with the whole of both sides.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    required property ComparisonDetail selected

    signal showRequested

    title: selected.name
    detail: selected.stateText

    PlainText {
        objectName: "comparisonNote"
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        text: card.selected.note
        wrapMode: Text.Wrap
    }
    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        spacing: Theme.space4

        Side {
            objectName: "sideA"
            letter: qsTr("A")
            there: card.selected.inA
            facts: card.selected.factsA
            value: card.selected.valueA
        }
        Rectangle {
            Layout.fillHeight: true
            implicitWidth: Theme.hairline
            color: Theme.line
        }
        Side {
            objectName: "sideB"
            letter: qsTr("B")
            there: card.selected.inB
            facts: card.selected.factsB
            value: card.selected.valueB
        }
    }

    component Side: ColumnLayout {
        id: side

        required property string letter
        required property bool there
        required property string facts
        required property string value

        Layout.fillWidth: true
        Layout.fillHeight: true
        Layout.preferredWidth: 1 // both alike
        spacing: Theme.space1

        PlainText {
            Layout.fillWidth: true
            secondary: true
            font.family: Theme.mono
            text: side.there ? qsTr("%1 · %2").arg(side.letter).arg(side.facts) : qsTr("%1 · not in this file").arg(side.letter)
        }
        Flickable {
            id: flick

            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredHeight: text.implicitHeight
            contentWidth: width
            contentHeight: text.implicitHeight
            boundsBehavior: Flickable.StopAtBounds
            clip: true
            ScrollBar.vertical: ScrollHandle {}

            SelectableText {
                id: text

                width: flick.width - Theme.space3
                content: side.value
                font.family: Theme.mono
                font.preferShaping: false
                font.pixelSize: Theme.fontSmall
                lineHeight: Theme.lineBase
                wrapMode: TextEdit.WrapAtWordBoundaryOrAnywhere
                activeFocusOnTab: side.there
                Accessible.name: qsTr("Value in %1").arg(side.letter)
            }
        }
    }
    Chip {
        objectName: "showInA"
        visible: card.selected.inA
        text: qsTr("Show in A alone")
        hint: qsTr("Closes the comparison and selects it (Enter)")
        onClicked: card.showRequested()
    }
}
