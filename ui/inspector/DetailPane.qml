// What is selected, in full: as an entry, a tensor or a field, or as bytes.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

FocusScope {
    id: pane

    required property InspectorViewModel inspector
    readonly property InspectorSelection selection: inspector.selection
    // "details" or "bytes".
    property string part: "details"

    signal saveRequested(int what)

    function goTo() {
        part = "bytes";
        (bytes.item as HexView).goTo();
    }
    function searchBytes() {
        part = "bytes";
        (bytes.item as HexView).search();
    }
    function findNext(forward: bool) {
        part = "bytes";
        (bytes.item as HexView).findNext(forward);
    }
    function toggleBookmarks() {
        part = "bytes";
        (bytes.item as HexView).toggleBookmarks();
    }
    function toggleBytes() {
        part = part === "bytes" ? "details" : "bytes";
        if (part === "bytes") {
            (bytes.item as HexView).focusBytes();
        }
    }

    ColumnLayout {
        anchors.fill: parent
        spacing: Theme.space3

        RowLayout {
            Layout.fillWidth: true
            Layout.fillHeight: false
            spacing: Theme.space1

            IconButton {
                objectName: "goBack"
                symbol: "chevron-left"
                text: qsTr("Back")
                hint: qsTr("Back (Alt+Left)")
                enabled: pane.selection.canGoBack
                opacity: enabled ? 1 : 0.4
                onClicked: pane.selection.back()
            }
            IconButton {
                symbol: "chevron-right"
                text: qsTr("Forward")
                hint: qsTr("Forward (Alt+Right)")
                enabled: pane.selection.canGoForward
                opacity: enabled ? 1 : 0.4
                onClicked: pane.selection.forward()
            }
            PlainText {
                objectName: "selectedName"
                Layout.fillWidth: true
                Layout.leftMargin: Theme.space1
                text: pane.selection.metadata >= 0 ? pane.inspector.entry.key : pane.selection.tensor >= 0 ? pane.inspector.tensor.name : pane.selection.size > 0 ? pane.inspector.hex.fieldName : qsTr("The file")
                font.family: Theme.mono
                font.pixelSize: Theme.fontReading
                elide: Text.ElideMiddle
                Accessible.role: Accessible.Heading
            }
            ChoiceRow {
                objectName: "detailParts"
                name: qsTr("Details or bytes (Ctrl+H)")
                labels: [qsTr("Details"), qsTr("Bytes")]
                values: ["details", "bytes"]
                value: pane.part
                onChosen: value => pane.part = value
            }
        }
        ExplanationCard {
            objectName: "explanation"
            Layout.fillWidth: true
            Layout.fillHeight: false
            Layout.maximumHeight: Math.round(0.42 * pane.height)
            visible: pane.part === "details" && explanation.parts.length > 0
            explanation: pane.inspector.explanation
        }
        DetailScroll {
            objectName: "detailScroll"
            Layout.fillWidth: true
            Layout.fillHeight: true
            visible: pane.part === "details" && pane.selection.metadata < 0 && pane.selection.tensor < 0

            OverviewView {
                width: parent.width
                visible: pane.selection.size === 0
                inspector: pane.inspector
                onReportRequested: pane.saveRequested(ExportViewModel.Report)
            }
            FieldView {
                width: parent.width
                visible: pane.selection.size > 0
                hex: pane.inspector.hex
            }
        }
        // qmllint disable unqualified
        PageLoader {
            Layout.fillWidth: true
            Layout.fillHeight: true
            visible: pane.part === "details" && pane.selection.metadata >= 0
            sourceComponent: MetadataView {
                inspector: pane.inspector
                roomForBoth: pane.width >= 640 * Theme.scale
                onSaveRequested: pane.saveRequested(ExportViewModel.Value)
            }
        }
        PageLoader {
            Layout.fillWidth: true
            Layout.fillHeight: true
            visible: pane.part === "details" && pane.selection.metadata < 0 && pane.selection.tensor >= 0
            sourceComponent: TensorView {
                inspector: pane.inspector
                onSaveRequested: what => pane.saveRequested(what)
            }
        }
        PageLoader {
            id: bytes

            Layout.fillWidth: true
            Layout.fillHeight: true
            visible: pane.part === "bytes"
            sourceComponent: HexView {
                inspector: pane.inspector
            }
        }
        // qmllint enable unqualified
    }
}
