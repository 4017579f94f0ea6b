// What the window has to say, and to ask before a load, above every page.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Layouts
import Vitrine.Chat
import Vitrine.Components
import Vitrine.Settings
import Vitrine.Shell
import Vitrine.Theme

ColumnLayout {
    id: banners

    required property ModelViewModel model
    required property SettingsViewModel settings
    required property KeepingViewModel keeping

    readonly property bool asking: model.plan.asking

    signal openRequested
    // Nothing is asked any more: the keyboard belongs to the page again.
    signal answered
    // To see the place of an error in its file.
    signal inspectionRequested(notice place)

    spacing: 0
    onAskingChanged: {
        if (!asking) {
            answered();
        }
    }

    LoadPlanBar {
        objectName: "planBar"
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        plan: banners.model.plan
    }
    ModelBanner {
        objectName: "modelBanner"
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        visible: banners.model.notice.shown
        model: banners.model
        onOpenRequested: banners.openRequested()
        onInspectionRequested: banners.inspectionRequested(banners.model.notice)
    }
    NoticeBanner {
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        notice: banners.settings.notice
        onDismissed: banners.settings.dismissNotice()
    }
    NoticeBanner {
        Layout.fillWidth: true
        Layout.topMargin: Theme.space3
        notice: banners.keeping.notice
        onDismissed: banners.keeping.dismissNotice()
    }
}
