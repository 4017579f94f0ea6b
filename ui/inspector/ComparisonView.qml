// Two files side by side: their maps, metadata, tensors, and what these add up to.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

FocusScope {
    id: view

    required property FileComparison comparison
    required property bool shown // and its keys work
    readonly property ComparisonDetail detail: comparison.detail
    readonly property string tab: detail.table
    readonly property list<string> tabNames: ["metadata", "tensors", "totals"]
    readonly property bool withMaps: comparison.ready && height > 700 * Theme.scale
    property bool wasReady: false

    signal copyRequested(string text)
    signal otherRequested

    function show(name: string) {
        detail.table = name;
        focusTab();
    }
    function focusTab() {
        if (tab === "metadata") {
            metadataTab.focusList();
        } else if (tab === "tensors") {
            tensorsTab.focusList();
        } else {
            totalsTab.focusList();
        }
    }
    function find() {
        if (tab === "totals") {
            detail.table = "tensors";
        }
        if (tab === "metadata") {
            metadataTab.search();
        } else {
            tensorsTab.search();
        }
    }
    function copy() {
        copyRequested(comparison.markdown());
    }
    function label(word: string, differences: int, total: int): string {
        return differences === 0 ? qsTr("%1 %L2 the same").arg(word).arg(total) : qsTr("%1 %L2 of %L3 differ").arg(word).arg(differences).arg(total);
    }
    function pick(pair: int) {
        if (pair >= 0) {
            comparison.tensors.selected = pair;
            show("tensors");
        }
    }

    objectName: "comparisonView"
    Keys.onEscapePressed: comparison.leave()
    Component.onCompleted: {
        wasReady = comparison.ready;
        forceActiveFocus(Qt.OtherFocusReason);
        focusTab();
    }

    ComparisonKeys {
        shown: view.shown
        onTabRequested: number => view.show(view.tabNames[number])
        onCopyRequested: view.copy()
        onReloadRequested: view.comparison.reload()
        onOtherRequested: view.otherRequested()
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        ComparisonHeader {
            Layout.fillWidth: true
            comparison: view.comparison
            onCopyRequested: view.copy()
            onOtherRequested: view.otherRequested()
            onCloseRequested: view.comparison.leave()
        }
        ColumnLayout {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.margins: Theme.space4
            Layout.topMargin: Theme.space3
            Layout.bottomMargin: Theme.space3
            spacing: Theme.space2

            Banner {
                objectName: "comparisonBanner"
                Layout.fillWidth: true
                visible: view.comparison.notice.shown
                message: view.comparison.notice.what
                place: view.comparison.notice.where
                advice: view.comparison.notice.remedy
                linkText: qsTr("Another file…")
                actionText: qsTr("Try again")
                onLinkTriggered: view.otherRequested()
                onActionTriggered: view.comparison.reload()
                onDismissed: view.comparison.dismissNotice()
            }
            ComparedFile {
                Layout.fillWidth: true
                Layout.fillHeight: false
                comparison: view.comparison
                first: true
                withMap: view.withMaps
                onPicked: pair => view.pick(pair)
            }
            ComparedFile {
                Layout.fillWidth: true
                Layout.fillHeight: false
                comparison: view.comparison
                first: false
                withMap: view.withMaps
                onPicked: pair => view.pick(pair)
            }
            Repeater {
                model: view.comparison.remarks

                RowLayout {
                    id: remark

                    required property string modelData

                    spacing: Theme.space2

                    Icon {
                        Layout.alignment: Qt.AlignTop
                        Layout.leftMargin: 2
                        symbol: "info"
                        size: Theme.iconSmall
                        color: Theme.warning
                    }
                    PlainText {
                        Layout.fillWidth: true
                        secondary: true
                        text: remark.modelData
                        wrapMode: Text.Wrap
                    }
                }
            }
            RowLayout {
                Layout.fillWidth: true
                Layout.fillHeight: false
                Layout.topMargin: Theme.space1
                visible: view.comparison.ready
                spacing: Theme.space2

                InspectorTabs {
                    objectName: "comparisonTabs"
                    Layout.fillWidth: true
                    names: view.tabNames
                    labels: [view.label(qsTr("Metadata"), view.comparison.metadata.differences, view.comparison.metadata.total), view.label(qsTr("Tensors"), view.comparison.tensors.differences, view.comparison.tensors.total), qsTr("Sizes by type")]
                    current: view.tab
                    Accessible.name: qsTr("Parts of the comparison")
                    onChosen: name => view.detail.table = name
                }
                Chip {
                    objectName: "onlyDifferences"
                    visible: view.tab !== "totals"
                    symbol: current ? "check" : ""
                    text: qsTr("Only differences")
                    current: view.comparison.onlyDifferences
                    Accessible.checkable: true
                    Accessible.checked: current
                    onClicked: view.comparison.onlyDifferences = !current
                }
            }
            MetadataDiffTab {
                id: metadataTab

                visible: view.comparison.ready && view.tab === "metadata"
                comparison: view.comparison
                onEntered: view.comparison.showInA()
            }
            TensorDiffTab {
                id: tensorsTab

                visible: view.comparison.ready && view.tab === "tensors"
                comparison: view.comparison
                onEntered: view.comparison.showInA()
            }
            TotalsDiffTab {
                id: totalsTab

                visible: view.comparison.ready && view.tab === "totals"
                comparison: view.comparison
            }
            ComparisonDetailCard {
                objectName: "comparisonDetail"
                Layout.fillWidth: true
                Layout.fillHeight: false
                Layout.preferredHeight: Math.min(implicitHeight, Math.round(0.32 * view.height))
                visible: view.comparison.ready && view.detail.name !== ""
                selected: view.detail
                onShowRequested: view.comparison.showInA()
            }
            Item {
                Layout.fillHeight: true
                visible: !view.comparison.ready
            }
        }
    }
    // The table has the keyboard as soon as there is one.
    Connections {
        target: view.comparison

        function onChanged() {
            if (view.shown && view.comparison.ready && !view.wasReady) {
                Qt.callLater(view.focusTab); // qmllint disable
            }
            view.wasReady = view.comparison.ready;
        }
    }
}
