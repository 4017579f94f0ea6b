// Why the chat's model could not be loaded, or is no longer what it was.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Components

Banner {
    id: banner

    required property ModelViewModel model
    readonly property bool stale: model.loaded && !model.usable

    signal openRequested
    // To see the place of the error in the file.
    signal inspectionRequested

    message: model.notice.what
    place: model.notice.where
    advice: model.notice.remedy
    linkText: model.notice.file !== "" ? qsTr("Look inside") : ""
    actionText: stale ? qsTr("Load again") : qsTr("Open another file…")
    onLinkTriggered: inspectionRequested()
    onActionTriggered: {
        if (stale) {
            model.reload();
        } else {
            openRequested();
        }
    }
    onDismissed: model.dismissNotice()
}
