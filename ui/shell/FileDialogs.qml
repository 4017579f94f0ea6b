// The dialogs that choose files. They cost time to load, so each is made when it is first asked for.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Shell

Item {
    id: dialogs

    signal modelChosen(url file)
    signal textsChosen(var files)

    function chooseModel() {
        model.active = true;
        (model.item as OpenDialog).open();
    }
    function chooseTexts() {
        texts.active = true;
        (texts.item as TextDialog).open();
    }

    // A Loader of Qt 6.4 can't make bound components, hence what the linter says.
    // qmllint disable unqualified
    Loader {
        id: model

        active: false
        sourceComponent: OpenDialog {
            onChosen: url => dialogs.modelChosen(url)
        }
    }
    Loader {
        id: texts

        active: false
        sourceComponent: TextDialog {
            onChosen: files => dialogs.textsChosen(files)
        }
    }
    // qmllint enable unqualified
}
