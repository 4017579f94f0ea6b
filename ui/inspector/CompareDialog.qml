// Chooses the file to compare with, from the folder of the shown one.
// SPDX-License-Identifier: Apache-2.0
import QtQuick.Dialogs

FileDialog {
    id: dialog

    signal chosen(url file)

    objectName: "compareDialog"
    title: qsTr("Compare with")
    fileMode: FileDialog.OpenFile
    nameFilters: [qsTr("GGUF models (*.gguf)"), qsTr("All files (*)")]
    onAccepted: chosen(selectedFile)
}
