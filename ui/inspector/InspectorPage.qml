// The inspector: a file from the whole down to its bytes.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

FocusScope {
    id: page

    required property InspectorViewModel inspector
    readonly property list<string> tabNames: ["header", "metadata", "tensors", "problems", "story"]
    property string tab: "tensors"
    readonly property bool comparing: inspector.comparison.active
    readonly property int wrong: inspector.problems.errors + inspector.problems.warnings
    readonly property string problemsLabel: wrong === 0 && inspector.problems.notes > 0 ? qsTr("Notes %L1").arg(inspector.problems.notes) : qsTr("Problems %L1").arg(wrong)
    readonly property int leftWidth: Math.round(Math.max(260, 0.4 * width - 2 * Theme.space4))

    signal openRequested
    // "Chat with it".
    signal chatRequested(string path)

    function show(name: string) {
        tab = name;
        page.focusTab();
    }
    function focusTab() {
        if (!inspector.shown || comparing) {
            return;
        }
        if (tab === "metadata") {
            (metadataTab.item as MetadataTab).focusList();
        } else if (tab === "tensors") {
            tensorsTab.focusList();
        } else if (tab === "story") {
            (storyTab.item as StoryTab).focusList();
        } else if (tab === "problems") {
            (problemsTab.item as ProblemsTab).focusList();
        } else {
            (headerTab.item as HeaderTab).forceActiveFocus(Qt.TabFocusReason);
        }
    }
    // Ctrl+F: in the bytes while they have the keyboard, else in the table.
    function find() {
        if (comparing) {
            (comparison.item as ComparisonView).find();
        } else if (details.part === "bytes" && details.activeFocus) {
            details.searchBytes();
        } else if (tab === "metadata") {
            (metadataTab.item as MetadataTab).search();
        } else {
            tab = "tensors";
            tensorsTab.search();
        }
    }
    function compare() {
        chooser.active = true;
        const dialog = chooser.item as CompareDialog;
        dialog.currentFolder = inspector.comparison.folder;
        dialog.open();
    }
    function save(what: int) {
        const name = inspector.exports.suggestedName(what);
        if (name !== "") {
            saver.active = true;
            (saver.item as SaveDialog).choose(what, name);
        }
    }
    function saveSelected() {
        save(inspector.selection.metadata >= 0 ? ExportViewModel.Value : inspector.selection.tensor >= 0 ? ExportViewModel.TensorNpy : ExportViewModel.Metadata);
    }

    objectName: "inspectorPage"
    // Back from the comparison, the table has the keyboard again.
    onComparingChanged: {
        if (visible) {
            Qt.callLater(focusTab); // qmllint disable
        }
    }
    onVisibleChanged: {
        if (visible) {
            inspector.activate();
        }
    }
    Component.onCompleted: {
        if (visible) {
            inspector.activate();
        }
    }

    Binding {
        target: page.inspector.residency
        property: "watched"
        value: page.visible && page.Window.visibility !== Window.Minimized
    }
    InspectorKeys {
        shown: page.visible && !page.comparing
        onCompareRequested: {
            if (page.inspector.shown) {
                page.compare();
            }
        }
        onTabRequested: number => page.show(page.tabNames[number])
        onBackRequested: page.inspector.selection.back()
        onForwardRequested: page.inspector.selection.forward()
        onGoToRequested: details.goTo()
        onBytesRequested: details.toggleBytes()
        onFindNextRequested: forward => details.findNext(forward)
        onBookmarkRequested: page.inspector.bookmarks.toggle()
        onBookmarksRequested: details.toggleBookmarks()
        onNextBookmarkRequested: forward => page.inspector.bookmarks.step(forward)
        onSaveRequested: page.saveSelected()
        onReloadRequested: page.inspector.reload()
    }
    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        InspectorHeader {
            Layout.fillWidth: true
            visible: !page.comparing
            onCompareRequested: page.compare()
            inspector: page.inspector
            onOpenRequested: page.openRequested()
            onProblemsRequested: page.show("problems")
            onChatRequested: page.chatRequested(page.inspector.path)
        }
        Banner {
            Layout.fillWidth: true
            Layout.margins: Theme.space3
            visible: page.inspector.notice.shown
            message: page.inspector.notice.what
            place: page.inspector.notice.where
            advice: page.inspector.notice.remedy
            actionText: qsTr("Try again")
            onActionTriggered: page.inspector.reload()
            onDismissed: page.inspector.dismissNotice()
        }
        FileMapBar {
            objectName: "fileMapBar"
            Layout.fillWidth: true
            visible: page.inspector.shown && !page.comparing
            inspector: page.inspector
            compact: page.height < 380 * Theme.scale
            treemapHeight: Math.round(Math.max(96, Math.min(150, 0.18 * page.height)))
        }
        NoFileView {
            Layout.fillWidth: true
            Layout.fillHeight: true
            visible: !page.inspector.shown
            focus: visible
            inspector: page.inspector
            onOpenRequested: page.openRequested()
        }
        // Made for each comparison: a Loader of Qt 6.4 can't make bound components.
        // qmllint disable unqualified
        Loader {
            id: comparison

            Layout.fillWidth: true
            Layout.fillHeight: true
            active: page.comparing
            visible: active
            focus: active
            sourceComponent: ComparisonView {
                comparison: page.inspector.comparison
                shown: page.visible
                onCopyRequested: text => page.inspector.copy(text)
                onOtherRequested: page.compare()
            }
        }
        // qmllint enable unqualified
        RowLayout {
            Layout.fillWidth: true
            Layout.fillHeight: true
            visible: page.inspector.shown && !page.comparing
            spacing: 0

            ColumnLayout {
                Layout.minimumWidth: page.leftWidth
                Layout.maximumWidth: page.leftWidth
                Layout.fillHeight: true
                Layout.margins: Theme.space4
                Layout.topMargin: Theme.space3
                Layout.bottomMargin: Theme.space3
                spacing: Theme.space3

                InspectorTabs {
                    objectName: "inspectorTabs"
                    Layout.fillWidth: true
                    names: page.tabNames
                    labels: [qsTr("Header"), qsTr("Metadata %L1").arg(page.inspector.metadata.total), qsTr("Tensors %L1").arg(page.inspector.tensors.total), page.problemsLabel, qsTr("Load story")]
                    current: page.tab
                    onChosen: name => page.tab = name
                }
                // Made with the page: it is the tab that a file opens with.
                TensorsTab {
                    id: tensorsTab

                    visible: page.tab === "tensors"
                    inspector: page.inspector
                }
                // The others are made when they are first wanted.
                // qmllint disable unqualified
                PageLoader {
                    id: headerTab

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: page.tab === "header"
                    sourceComponent: HeaderTab {
                        inspector: page.inspector
                    }
                }
                PageLoader {
                    id: metadataTab

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: page.tab === "metadata"
                    sourceComponent: MetadataTab {
                        inspector: page.inspector
                        onSaveRequested: page.save(ExportViewModel.Metadata)
                    }
                }
                PageLoader {
                    id: problemsTab

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: page.tab === "problems"
                    sourceComponent: ProblemsTab {
                        inspector: page.inspector
                    }
                }
                PageLoader {
                    id: storyTab

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: page.tab === "story"
                    sourceComponent: StoryTab {
                        inspector: page.inspector
                    }
                }
                // qmllint enable unqualified
                ExportLine {
                    Layout.fillWidth: true
                    exports: page.inspector.exports
                }
            }
            Rectangle {
                Layout.fillHeight: true
                implicitWidth: Theme.hairline
                color: Theme.line
            }
            DetailPane {
                id: details

                objectName: "detailPane"
                Layout.fillWidth: true
                Layout.fillHeight: true
                Layout.margins: Theme.space4
                Layout.topMargin: Theme.space3
                Layout.bottomMargin: Theme.space3
                inspector: page.inspector
                onSaveRequested: what => page.save(what)
            }
        }
    }
    // Nobody needs the dialogs before they are asked for.
    // qmllint disable unqualified
    Loader {
        id: saver

        active: false
        sourceComponent: SaveDialog {
            onChosen: (what, file) => page.inspector.exports.save(what, file)
        }
    }
    Loader {
        id: chooser

        active: false
        sourceComponent: CompareDialog {
            onChosen: file => page.inspector.comparison.compareWithUrl(file)
        }
    }
    // qmllint enable unqualified
}
