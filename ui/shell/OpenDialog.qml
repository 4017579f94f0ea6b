// The dialog to choose a model's file.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import QtQuick.Dialogs

FileDialog {
    id: dialog

    signal chosen(url file)

    objectName: "openDialog"
    title: qsTr("Open a model")
    fileMode: FileDialog.OpenFile
    nameFilters: [qsTr("GGUF models (*.gguf)"), qsTr("All files (*)")]
    onAccepted: chosen(selectedFile)
}
