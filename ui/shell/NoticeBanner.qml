// A message about something that goes on working all the same.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Components

Banner {
    id: banner

    required property notice notice

    visible: notice.shown
    severe: false
    message: notice.what
    place: notice.where
    advice: notice.remedy
}
