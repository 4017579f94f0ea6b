// The model from top to bottom, in the order in which a token passes it: what it has, and what it lacks.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

ColumnLayout {
    id: view

    required property InspectorViewModel inspector
    readonly property ArchitectureModel architecture: inspector.architecture
    readonly property int columns: Math.max(1, Math.floor((width - 3 * Theme.space2) / (98 * Theme.scale + Theme.space1)))
    // Where the keyboard is: this cell of the list's current row.
    property int cell: -1
    // What the mouse is over; -1 for nothing.
    property point pointed: Qt.point(-1, -1)

    function focusList() {
        list.forceActiveFocus(Qt.TabFocusReason);
    }
    // Goes to a place: x is the cell, y the row.
    function show(place: point) {
        if (place.y < 0) {
            return;
        }
        list.currentIndex = place.y;
        cell = place.x;
        settling.restart();
        settle();
    }
    function settle() {
        if (!list.itemAtIndex(list.currentIndex)) {
            list.positionViewAtIndex(list.currentIndex, ListView.Contain);
        }
        const block = list.itemAtIndex(list.currentIndex) as ArchitectureBlock;
        if (block && cell >= 0) {
            block.layOut();
            list.forceLayout();
            const top = block.y + (cell < columns ? 0 : block.cellTop(cell));
            const bottom = block.y + block.cellTop(cell) + Theme.control + Theme.space4;
            list.contentY = Math.max(Math.min(list.contentY, top), bottom - list.height);
        }
    }
    function browse(place: point) {
        show(place);
        const tensor = architecture.tensorAt(list.currentIndex, cell);
        if (tensor >= 0) {
            inspector.selection.browseTensor(tensor);
        }
    }
    function step(way: int) {
        browse(architecture.step(list.currentIndex, cell, way, columns));
    }
    function page(way: int) {
        let place = Qt.point(cell, list.currentIndex);
        for (let lines = Math.floor(list.height / (Theme.control + Theme.space3)); lines > 0; --lines) {
            place = architecture.step(place.y, place.x, way, columns);
        }
        browse(place);
    }
    function goToOdd(forward: bool) {
        browse(architecture.nextOdd(list.currentIndex, cell, forward));
    }
    function choose(row: int, number: int) {
        list.currentIndex = row;
        cell = number;
        const tensor = architecture.tensorAt(row, number);
        if (tensor >= 0) {
            inspector.selection.selectTensor(tensor);
        } else {
            architecture.toggle(row);
        }
    }
    // What was selected elsewhere.
    function follow() {
        const tensor = inspector.selection.tensor;
        if (visible && tensor >= 0 && architecture.tensorAt(list.currentIndex, cell) !== tensor) {
            show(architecture.reveal(tensor));
        }
    }

    spacing: Theme.space1
    onVisibleChanged: follow()

    // Rows have their heights some frames after they were made; until then the place is followed.
    Timer {
        id: settling

        interval: 6 * Theme.patience
        onTriggered: view.settle()
    }

    Connections {
        target: view.inspector.selection

        function onChanged() {
            view.follow();
        }
    }
    Connections {
        target: view.architecture

        function onChanged() {
            view.cell = -1;
            view.follow();
        }
    }
    PlainText {
        objectName: "architectureSummary"
        Layout.fillWidth: true
        leftPadding: sign.visible ? sign.width + Theme.space2 : 0
        text: view.architecture.summary
        font.pixelSize: Theme.fontSmall
        wrapMode: Text.Wrap

        Icon {
            id: sign

            readonly property string verdict: view.architecture.verdict

            visible: verdict !== ""
            symbol: verdict === "good" ? "check" : verdict === "note" ? "info" : verdict
            size: Theme.iconSmall
            color: verdict === "error" ? Theme.error : verdict === "warning" ? Theme.warning : verdict === "good" ? Theme.good : Theme.dim
        }
    }
    PlainText {
        objectName: "architectureCaveat"
        Layout.fillWidth: true
        visible: text !== ""
        secondary: true
        text: view.architecture.caveat
        wrapMode: Text.Wrap
    }
    ListView {
        id: list

        objectName: "architectureList"
        Layout.fillWidth: true
        Layout.fillHeight: true
        model: view.architecture
        activeFocusOnTab: true
        keyNavigationEnabled: false
        boundsBehavior: Flickable.StopAtBounds
        topMargin: Theme.space1
        bottomMargin: Theme.space1
        clip: true
        reuseItems: true
        currentIndex: -1
        highlightFollowsCurrentItem: false
        onMovementStarted: settling.stop()
        onHeightChanged: {
            if (settling.running) {
                Qt.callLater(view.settle); // qmllint disable
            }
        }
        onContentHeightChanged: {
            if (settling.running) {
                Qt.callLater(view.settle); // qmllint disable
            }
        }
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Architecture")
        Accessible.description: words.text
        ScrollBar.vertical: ScrollHandle {
            onPressedChanged: settling.stop()
        }
        Keys.onLeftPressed: view.step(ArchitectureModel.Left)
        Keys.onRightPressed: view.step(ArchitectureModel.Right)
        Keys.onUpPressed: view.step(ArchitectureModel.Up)
        Keys.onDownPressed: view.step(ArchitectureModel.Down)
        Keys.onReturnPressed: view.choose(currentIndex, view.cell)
        Keys.onEnterPressed: view.choose(currentIndex, view.cell)
        Keys.onSpacePressed: view.choose(currentIndex, view.cell)
        Keys.onPressed: event => {
            const plain = event.modifiers === Qt.NoModifier;
            event.accepted = true;
            if (event.key === Qt.Key_N && (plain || event.modifiers === Qt.ShiftModifier)) {
                view.goToOdd(plain);
            } else if ((event.key === Qt.Key_PageUp || event.key === Qt.Key_PageDown) && plain) {
                view.page(event.key === Qt.Key_PageUp ? ArchitectureModel.Up : ArchitectureModel.Down);
            } else if (event.key === Qt.Key_Home && plain) {
                view.step(ArchitectureModel.First);
            } else if (event.key === Qt.Key_End && plain) {
                view.step(ArchitectureModel.Last);
            } else {
                event.accepted = false;
            }
        }
        delegate: ArchitectureBlock {
            width: list.width - Theme.space2
            columns: view.columns
            selected: view.inspector.selection.tensor
            cursor: list.activeFocus && index === list.currentIndex ? view.cell : -1
            onChosen: number => view.choose(index, number)
            onPointed: number => view.pointed = Qt.point(number, number < 0 ? -1 : index)
        }

        Rectangle {
            anchors.fill: parent
            visible: list.activeFocus
            color: "transparent"
            radius: Theme.radiusControl
            border.width: Theme.focusWidth
            border.color: Theme.accent
            Accessible.ignored: true
        }
        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            y: Theme.space6
            visible: list.count === 0 && !view.architecture.busy
            secondary: true
            text: qsTr("The file has no tensors.")
        }
    }
    // Of what the mouse is over, else of where the keyboard is.
    PlainText {
        id: words

        readonly property bool over: view.pointed.y >= 0

        objectName: "architectureWords"
        Layout.fillWidth: true
        Layout.preferredHeight: 2 * Math.ceil(Theme.fontSmall * Theme.lineBase)
        secondary: true
        text: over ? view.architecture.wordsAt(view.pointed.y, view.pointed.x) : view.cell >= 0 ? view.architecture.wordsAt(list.currentIndex, view.cell) : qsTr("Point at a tensor, or walk through them with the arrow keys.")
        wrapMode: Text.Wrap
        maximumLineCount: 2
    }
}
