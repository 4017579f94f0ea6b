// The inspector page.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Inspector

FocusScope {
    required property InspectorViewModel inspector
}
