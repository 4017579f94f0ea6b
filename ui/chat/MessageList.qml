// The rows of the conversation: scrolling, following a growing answer, selecting across rows, keys.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import Qt.labs.qmlmodels
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

FocusScope {
    id: root

    required property RowContext context
    readonly property bool following: list.following
    readonly property alias atEnd: list.atYEnd

    function toEnd() {
        list.following = true;
        list.positionViewAtEnd();
    }
    // By a fraction of what is visible, for the keyboard.
    function scrollBy(pages: real) {
        const first = list.originY - list.topMargin;
        const last = Math.max(first, list.originY + list.contentHeight + list.bottomMargin - list.height);
        list.contentY = Math.max(first, Math.min(last, list.contentY + pages * list.height));
        list.noteEnd();
    }
    function showRow(row: int) {
        list.following = false;
        list.positionViewAtIndex(row, ListView.Contain);
    }
    function copySelection() {
        root.context.chat.copy(root.context.selection.plainText());
    }

    ListView {
        id: list

        objectName: "messageList"

        property bool following: true
        readonly property real endGap: originY + contentHeight - contentY - height

        function noteEnd() {
            following = endGap <= 4;
        }
        // The list is still laying things out while it tells of a change.
        function followSoon() {
            Qt.callLater(follow); // qmllint disable
        }
        function follow() {
            if (following) {
                positionViewAtEnd();
            }
        }

        anchors.fill: parent
        focus: true
        activeFocusOnTab: true
        keyNavigationEnabled: false
        model: root.context.conversation
        topMargin: Theme.space6
        bottomMargin: Theme.space4
        boundsBehavior: Flickable.StopAtBounds
        // Half a screen above and below is ready before it is seen.
        cacheBuffer: 400
        clip: true
        reuseItems: false
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Conversation")
        ScrollBar.vertical: ScrollHandle {
            id: bar

            onPressedChanged: list.noteEnd()
        }
        onContentHeightChanged: followSoon()
        onHeightChanged: followSoon()
        onMovementStarted: following = false
        onMovementEnded: noteEnd()
        onContentYChanged: {
            if (moving || bar.pressed) {
                noteEnd();
            }
        }
        Keys.onPressed: event => {
            if (event.matches(StandardKey.Copy)) {
                root.copySelection();
            } else if (event.matches(StandardKey.SelectAll)) {
                root.context.selection.selectAll();
            } else if (event.key === Qt.Key_Up || event.key === Qt.Key_Down) {
                root.scrollBy(event.key === Qt.Key_Up ? -0.1 : 0.1);
            } else if (event.key === Qt.Key_Home) {
                root.scrollBy(-1e6);
            } else if (event.key === Qt.Key_End) {
                root.toEnd();
            } else {
                return;
            }
            event.accepted = true;
        }

        Connections {
            target: root.context.conversation

            function onMessageCountChanged() {
                list.following = true;
                list.followSoon();
            }
            function onModelReset() {
                root.context.editing = -1;
                list.following = true;
                list.followSoon();
            }
        }
        SelectionArea {
            id: mouse

            view: list
            selection: root.context.selection
            onMenuRequested: menu.popup()
            onScrollRequested: pages => root.scrollBy(pages)
        }

        delegate: DelegateChooser {
            role: "kind"

            DelegateChoice {
                roleValue: "question"

                QuestionRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "paragraph"

                ParagraphRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "heading"

                ParagraphRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "code"

                CodeRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "table"

                TableRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "rule"

                RuleRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "mark"

                MarkRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "thinking"

                ThinkingRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "thought"

                ThoughtRow {
                    context: root.context
                }
            }
            DelegateChoice {
                roleValue: "footer"

                FooterRow {
                    context: root.context
                }
            }
        }
    }

    PopupMenu {
        id: menu

        PopupMenuItem {
            text: qsTr("Copy")
            symbol: "copy"
            detail: qsTr("Ctrl+C")
            enabled: !root.context.selection.empty
            onTriggered: root.copySelection()
        }
        PopupMenuItem {
            text: qsTr("Copy as Markdown")
            symbol: "copy"
            enabled: !root.context.selection.empty
            onTriggered: root.context.chat.copy(root.context.selection.markdown())
        }
        PopupMenuItem {
            text: qsTr("Select all")
            detail: qsTr("Ctrl+A")
            onTriggered: root.context.selection.selectAll()
        }
    }
    // Where a link goes, before it is followed.
    Rectangle {
        anchors.left: parent.left
        anchors.bottom: parent.bottom
        visible: mouse.link !== "" && mouse.containsMouse
        width: Math.min(target.implicitWidth, parent.width) + 2 * Theme.space3
        height: target.height + Theme.space2
        color: Theme.sunken
        border.width: Theme.hairline
        border.color: Theme.line

        PlainText {
            id: target

            anchors.centerIn: parent
            width: Math.min(implicitWidth, root.width - 2 * Theme.space3)
            text: mouse.link
            secondary: true
            elide: Text.ElideMiddle
        }
    }
    IconButton {
        id: down

        objectName: "toEnd"
        anchors.bottom: parent.bottom
        anchors.bottomMargin: Theme.space2
        anchors.horizontalCenter: parent.horizontalCenter
        visible: !list.following && list.endGap > Theme.space6
        symbol: "to-end"
        text: qsTr("To the end")
        onClicked: root.toEnd()
        background: Rectangle {
            radius: width / 2
            color: down.down ? Theme.pressed : down.hovered ? Theme.hover : Theme.surface
            border.width: Theme.hairline
            border.color: Theme.lineStrong

            FocusRing {
                visible: down.visualFocus
                inner: down.width / 2
            }
        }
    }
}
