// What the selected thing is for. Folded it is one line; unfolded it has pictures of the layout.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Vitrine.Components
import Vitrine.Inspector
import Vitrine.Theme

Card {
    id: card

    required property Explanation explanation
    property bool unfolded: false

    function scroll(by: real) {
        flick.contentY = Math.max(0, Math.min(flick.contentHeight - flick.height, flick.contentY + by));
    }

    T.AbstractButton {
        id: title

        objectName: "explanationButton"
        Layout.fillWidth: true
        implicitHeight: Math.max(Theme.iconSmall, implicitContentHeight)
        checkable: true
        checked: card.unfolded
        focusPolicy: Qt.StrongFocus
        text: qsTr("What this is")
        Accessible.role: Accessible.Button
        Accessible.name: text
        Accessible.description: card.explanation.brief
        onToggled: card.unfolded = checked
        Keys.onReturnPressed: card.unfolded = !card.unfolded
        Keys.onEnterPressed: card.unfolded = !card.unfolded
        Keys.onUpPressed: card.scroll(-Theme.control)
        Keys.onDownPressed: card.scroll(Theme.control)

        contentItem: RowLayout {
            spacing: Theme.space2

            Icon {
                symbol: card.unfolded ? "chevron-down" : "chevron-right"
                size: Theme.iconSmall
                color: Theme.dim
            }
            PlainText {
                text: title.text
                font.weight: Font.DemiBold
                Accessible.ignored: true
            }
            PlainText {
                Layout.fillWidth: true
                opacity: card.unfolded ? 0 : 1
                secondary: true
                text: card.explanation.brief
                Accessible.ignored: true
            }
        }
        background: Item {
            FocusRing {
                visible: title.visualFocus
            }
        }
        Hint {
            visible: title.hovered && !card.unfolded
            text: card.explanation.brief
        }
    }
    Flickable {
        id: flick

        Layout.fillWidth: true
        Layout.fillHeight: true
        Layout.preferredHeight: column.implicitHeight
        visible: card.unfolded
        contentWidth: width
        contentHeight: column.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollHandle {}

        Column {
            id: column

            width: flick.width - Theme.space3
            spacing: Theme.space2

            Repeater {
                model: card.unfolded ? card.explanation.parts : []

                ColumnLayout {
                    id: part

                    required property var modelData

                    width: column.width
                    spacing: Theme.space1

                    PlainText {
                        Layout.fillWidth: true
                        text: part.modelData.title
                        secondary: true
                        font.weight: Font.DemiBold
                        elide: Text.ElideMiddle
                        Accessible.role: Accessible.Heading
                    }
                    PlainText {
                        Layout.fillWidth: true
                        text: part.modelData.text
                        wrapMode: Text.Wrap
                    }
                    PlainText {
                        Layout.fillWidth: true
                        visible: part.modelData.mistake !== ""
                        text: qsTr("Careful: %1").arg(part.modelData.mistake)
                        color: Theme.warning
                        font.pixelSize: Theme.fontSmall
                        wrapMode: Text.Wrap
                    }
                    LayoutStrip {
                        Layout.fillWidth: true
                        Layout.topMargin: Theme.space1
                        visible: parts.length > 0
                        parts: part.modelData.strip
                    }
                }
            }
        }
    }
}
