// The messages of the conversation. The view follows a growing answer only while it is at the end.
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

    required property MessageModel messages
    readonly property bool following: list.following
    readonly property alias atEnd: list.atYEnd

    signal copyRequested(string text)

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

    ListView {
        id: list

        objectName: "messageList"

        property bool following: true
        // The reading column.
        readonly property real column: Math.min(Theme.reading, width - 2 * Theme.space6)
        readonly property real side: (width - column) / 2
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
        model: root.messages
        spacing: Theme.space6 - 4
        topMargin: Theme.space6
        bottomMargin: Theme.space4
        boundsBehavior: Flickable.StopAtBounds
        // Enough for a screen above and below: heights of answers differ too much for a good estimate.
        cacheBuffer: 2000
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
        onCountChanged: {
            if (count > 0) {
                following = true;
                followSoon();
            }
        }

        delegate: DelegateChooser {
            role: "question"

            DelegateChoice {
                roleValue: true

                Row {
                    id: asked

                    required property string text

                    leftPadding: list.side

                    QuestionBubble {
                        width: list.column
                        question: asked.text
                    }
                }
            }
            DelegateChoice {
                roleValue: false

                Row {
                    id: answered

                    required property string text
                    required property BlockModel blocks
                    required property bool streaming
                    required property string statistics

                    leftPadding: list.side

                    AnswerView {
                        width: list.column
                        blocks: answered.blocks
                        answerText: answered.text
                        streaming: answered.streaming
                        statistics: answered.statistics
                        onCopyRequested: text => root.copyRequested(text)
                    }
                }
            }
        }
    }

    IconButton {
        id: down

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
