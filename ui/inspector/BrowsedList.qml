// A long list under the keyboard: arrows browse, Enter or a click chooses, the selection is followed.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Controls.Basic
import Vitrine.Components
import Vitrine.Theme

ListView {
    id: list

    required property string name
    // The row that is selected elsewhere; -1 for none.
    property int selectedRow: -1

    // By the arrow keys.
    signal browsed(int row)
    // By Enter.
    signal entered(int row)

    function go(row: int) {
        const wanted = Math.max(0, Math.min(count - 1, row));
        if (count > 0) {
            currentIndex = wanted;
            positionViewAtIndex(wanted, ListView.Contain);
            browsed(wanted);
        }
    }
    function follow() {
        // Rows may be gone before anybody was told of another selection.
        currentIndex = selectedRow < count ? selectedRow : -1;
        if (currentIndex >= 0) {
            positionViewAtIndex(currentIndex, ListView.Contain);
        }
    }

    activeFocusOnTab: true
    keyNavigationEnabled: false
    boundsBehavior: Flickable.StopAtBounds
    clip: true
    reuseItems: true
    currentIndex: -1
    highlightFollowsCurrentItem: false
    Accessible.role: Accessible.List
    Accessible.name: name
    ScrollBar.vertical: ScrollHandle {}
    onSelectedRowChanged: follow()
    onCountChanged: follow()
    Keys.onUpPressed: go(currentIndex - 1)
    Keys.onDownPressed: go(currentIndex + 1)
    Keys.onReturnPressed: entered(currentIndex)
    Keys.onEnterPressed: entered(currentIndex)
    Keys.onPressed: event => {
        const page = Math.max(1, Math.floor(height / Theme.control) - 1);
        const steps = {
            [Qt.Key_PageUp]: currentIndex - page,
            [Qt.Key_PageDown]: currentIndex + page,
            [Qt.Key_Home]: 0,
            [Qt.Key_End]: count - 1
        };
        if (event.key in steps && event.modifiers === Qt.NoModifier) {
            go(steps[event.key]);
            event.accepted = true;
        }
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
}
