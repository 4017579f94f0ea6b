// Chooses where to save a part of the file.
// SPDX-License-Identifier: Apache-2.0
import QtCore
import QtQuick.Dialogs

FileDialog {
    id: dialog

    // See ExportViewModel.What.
    property int what: 0

    signal chosen(int what, url file)

    function choose(kind: int, name: string) {
        what = kind;
        selectedFile = currentFolder + "/" + name;
        open();
    }

    objectName: "saveDialog"
    title: qsTr("Save")
    fileMode: FileDialog.SaveFile
    currentFolder: StandardPaths.writableLocation(StandardPaths.DownloadLocation)
    onAccepted: chosen(what, selectedFile)
}
