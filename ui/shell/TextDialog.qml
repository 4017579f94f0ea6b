// Chooses text files to attach.
// SPDX-License-Identifier: Apache-2.0
import QtQuick.Dialogs

FileDialog {
    id: dialog

    signal chosen(var files)

    title: qsTr("Attach text files")
    fileMode: FileDialog.OpenFiles
    nameFilters: [qsTr("All files (*)")]
    onAccepted: chosen(selectedFiles)
}
