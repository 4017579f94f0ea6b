// The messages of the conversation. The view follows a growing answer only while it is at the end.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
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
        const last = Math.max(list.originY, list.originY + list.contentHeight - list.height);
        list.contentY = Math.max(list.originY, Math.min(last, list.contentY + pages * list.height));
        list.noteEnd();
    }

    ListView {
        id: list

        property bool following: true
        readonly property real endGap: originY + contentHeight - contentY - height

        function noteEnd() {
            following = endGap <= 4;
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
        onContentHeightChanged: Qt.callLater(follow)
        onHeightChanged: Qt.callLater(follow)
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
                Qt.callLater(follow);
            }
        }

        delegate: Item {
            id: message

            required property bool question
            required property string text
            required property BlockModel blocks
            required property bool streaming
            required property string statistics

            width: list.width
            height: content.height

            Loader {
                id: content

                width: Math.min(Theme.reading, parent.width - 2 * Theme.space6)
                anchors.horizontalCenter: parent.horizontalCenter
                sourceComponent: message.question ? asked : answered
            }
            Component {
                id: asked

                QuestionBubble {
                    question: message.text
                }
            }
            Component {
                id: answered

                AnswerView {
                    blocks: message.blocks
                    answerText: message.text
                    streaming: message.streaming
                    statistics: message.statistics
                    onCopyRequested: text => root.copyRequested(text)
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
