// Open a file or one of the last, load again, close.
// SPDX-License-Identifier: Apache-2.0
pragma ComponentBehavior: Bound

import QtQuick
import QtQml.Models
import Vitrine.Chat
import Vitrine.Components

PopupMenu {
    id: menu

    required property ModelViewModel model

    signal openRequested

    objectName: "modelMenu"
    menuWidth: 400

    PopupMenuItem {
        text: qsTr("Open a file…")
        symbol: "folder"
        detail: qsTr("Ctrl+O")
        onTriggered: menu.openRequested()
    }
    PopupMenuItem {
        text: qsTr("Cancel loading")
        symbol: "close"
        visible: menu.model.loading
        onTriggered: menu.model.cancelLoad()
    }
    PopupMenuItem {
        text: qsTr("Load again")
        symbol: "reload"
        visible: menu.model.loaded && !menu.model.loading
        onTriggered: menu.model.reload()
    }
    PopupMenuItem {
        objectName: "choosePlan"
        text: qsTr("Memory plan…")
        symbol: "sliders"
        visible: menu.model.loaded && !menu.model.loading
        onTriggered: menu.model.choosePlan()
    }
    PopupMenuItem {
        text: qsTr("Close the model")
        symbol: "eject"
        visible: menu.model.loaded && !menu.model.loading
        onTriggered: menu.model.close()
    }
    PopupMenuLine {
        visible: menu.model.recentFiles.length > 0
        height: visible ? implicitHeight : 0
    }
    PopupMenuItem {
        text: qsTr("Clear the list")
        visible: menu.model.recentFiles.length > 0
        onTriggered: menu.model.clearRecentFiles()
    }

    Instantiator {
        model: menu.model.recentFiles
        delegate: PopupMenuItem {
            required property string modelData

            // The engine looks once more while it takes an item away.
            text: menu?.model.fileName(modelData) ?? ""
            symbol: "model"
            detail: menu?.model.folderName(modelData) ?? ""
            onTriggered: menu.model.choose(modelData)
        }
        // Before the last line, after the separator.
        onObjectAdded: (index, object) => menu.insertItem(6 + index, object as PopupMenuItem)
        onObjectRemoved: (index, object) => menu.removeItem(object as PopupMenuItem)
    }
}
