// What the model answered: its blocks, and the line of figures below.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Layouts
import Qt.labs.qmlmodels
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Theme

Item {
    id: answer

    required property BlockModel blocks
    required property string answerText
    required property bool streaming
    required property string statistics

    signal copyRequested(string text)

    implicitHeight: column.height
    Accessible.role: Accessible.ListItem
    Accessible.name: streaming ? qsTr("The model is answering") : qsTr("Answer: %1").arg(answerText)

    Column {
        id: column

        width: parent.width
        spacing: Theme.space3

        Repeater {
            model: answer.blocks

            DelegateChooser {
                role: "code"

                DelegateChoice {
                    roleValue: false

                    SelectableText {
                        required content

                        width: column.width
                    }
                }
                DelegateChoice {
                    roleValue: true

                    CodeBlock {
                        width: column.width
                        onCopyRequested: text => answer.copyRequested(text)
                    }
                }
            }
        }
        Item {
            width: parent.width
            height: Theme.control - 4
            visible: answer.streaming

            Spinner {
                anchors.verticalCenter: parent.verticalCenter
            }
        }
        RowLayout {
            width: parent.width
            height: Theme.control - 4
            visible: !answer.streaming
            spacing: Theme.space2

            PlainText {
                text: answer.statistics
                secondary: true
                Layout.maximumWidth: column.width - 40
            }
            CopyButton {
                text: qsTr("Copy the answer")
                visible: answer.answerText !== ""
                onClicked: answer.copyRequested(answer.answerText)
            }
            Item {
                Layout.fillWidth: true
            }
        }
    }
}
