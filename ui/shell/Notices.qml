// What stands above every page: what went wrong, and the question before a load.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Settings
import Vitrine.Theme

ColumnLayout {
    id: notices

    required property ModelViewModel model
    required property SettingsViewModel settings
    required property KeepingViewModel keeping

    signal openRequested
    // Nothing is asked any more: the keyboard belongs to the page again.
    signal answered

    readonly property bool asking: model.plan.asking

    spacing: 0
    onAskingChanged: {
        if (!asking) {
            answered();
        }
    }

    LoadPlanBar {
        id: planBar

        objectName: "planBar"
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        plan: notices.model.plan
    }
    Banner {
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        visible: notices.model.notice.shown
        message: notices.model.notice.what
        place: notices.model.notice.where
        advice: notices.model.notice.remedy
        actionText: notices.model.loaded && !notices.model.usable ? qsTr("Load again") : qsTr("Open another file…")
        onActionTriggered: {
            if (notices.model.loaded && !notices.model.usable) {
                notices.model.reload();
            } else {
                notices.openRequested();
            }
        }
        onDismissed: notices.model.dismissNotice()
    }
    Banner {
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        visible: notices.settings.notice.shown
        severe: false
        message: notices.settings.notice.what
        place: notices.settings.notice.where
        advice: notices.settings.notice.remedy
        onDismissed: notices.settings.dismissNotice()
    }
    Banner {
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        visible: notices.keeping.notice.shown
        severe: false
        message: notices.keeping.notice.what
        place: notices.keeping.notice.where
        advice: notices.keeping.notice.remedy
        onDismissed: notices.keeping.dismissNotice()
    }
}
