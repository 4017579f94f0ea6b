// How the weights of a tensor are spread: bars, axis, and what the one pointed at stands for.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: view

    required property WeightHistogram histogram
    property int pointed: -1

    spacing: Theme.space1

    Connections {
        target: view.histogram
        function onChanged() {
            view.pointed = -1;
        }
    }
    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space3

        PlainText {
            objectName: "histogramBin"
            Layout.fillWidth: true
            text: view.pointed >= 0 ? view.histogram.binText(view.pointed) : qsTr("Point at a bar to read its range and count")
            secondary: view.pointed < 0
            elide: Text.ElideRight
        }
        ChoiceRow {
            objectName: "histogramScale"
            name: qsTr("Scale of the counts")
            labels: [qsTr("Linear"), qsTr("Logarithmic")]
            values: ["linear", "logarithmic"]
            value: view.histogram.logarithmic ? "logarithmic" : "linear"
            onChosen: value => view.histogram.logarithmic = value === "logarithmic"
        }
    }
    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space2

        Item {
            Layout.fillHeight: true
            implicitWidth: Math.max(most.implicitWidth, none.implicitWidth)
            Accessible.ignored: true

            PlainText {
                id: most

                anchors.right: parent.right
                secondary: true
                text: view.histogram.mostText
                font.family: Theme.mono
                Accessible.ignored: true
            }
            PlainText {
                id: none

                anchors.right: parent.right
                anchors.bottom: parent.bottom
                secondary: true
                text: "0"
                font.family: Theme.mono
                Accessible.ignored: true
            }
        }
        Item {
            Layout.fillWidth: true
            implicitHeight: Math.round(120 * Theme.scale)

            Rectangle {
                x: view.histogram.spreadFrom * parent.width
                width: Math.max(1, (view.histogram.spreadTo - view.histogram.spreadFrom) * parent.width)
                height: parent.height
                color: Theme.accentSoft
                Accessible.ignored: true
            }
            Rectangle {
                x: Math.round(view.histogram.zeroAt * parent.width)
                visible: view.histogram.zeroAt >= 0
                width: Theme.hairline
                height: parent.height
                color: Theme.line
                Accessible.ignored: true
            }
            BarPlot {
                id: plot

                objectName: "histogramBars"
                anchors.fill: parent
                values: view.histogram.heights
                Accessible.name: qsTr("Histogram of the weights")
                Accessible.description: view.pointed >= 0 ? view.histogram.binText(view.pointed) : view.histogram.spoken
                onHovered: index => view.pointed = index
            }
        }
    }
    Item {
        id: axis

        readonly property real from: plot.parent.x
        readonly property real zero: from + view.histogram.zeroAt * plot.width

        Layout.fillWidth: true
        implicitHeight: low.implicitHeight
        Accessible.ignored: true

        PlainText {
            id: low

            x: axis.from
            secondary: true
            text: view.histogram.lowText
            font.family: Theme.mono
            Accessible.ignored: true
        }
        PlainText {
            x: axis.zero - width / 2
            // Never over the ends.
            visible: view.histogram.zeroAt >= 0 && x > low.x + low.width + Theme.space2 && x + width < high.x - Theme.space2
            secondary: true
            text: "0"
            font.family: Theme.mono
            Accessible.ignored: true
        }
        PlainText {
            id: high

            anchors.right: parent.right
            visible: text !== low.text
            secondary: true
            text: view.histogram.highText
            font.family: Theme.mono
            Accessible.ignored: true
        }
    }
    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.space2

        Rectangle {
            implicitWidth: Theme.space3
            implicitHeight: Theme.space3
            radius: Theme.space1
            color: Theme.accentSoft
            border.width: Theme.hairline
            border.color: Theme.line
            Accessible.ignored: true
        }
        PlainText {
            Layout.fillWidth: true
            secondary: true
            text: qsTr("Within a deviation of the mean.") + (view.histogram.outsideText === "" ? "" : " " + view.histogram.outsideText)
            wrapMode: Text.Wrap
            elide: Text.ElideNone
        }
    }
}
