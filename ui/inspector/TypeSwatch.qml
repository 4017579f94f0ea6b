// The colour of a tensor type, beside its name.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Theme

Rectangle {
    required property string typeName
    // By the start of the name; the first that fits.
    readonly property var families: [["F32", Theme.dataF32], ["F64", Theme.dataF32], ["BF16", Theme.dataBf16], ["F16", Theme.dataF16], ["IQ1", Theme.dataIqLow], ["IQ2", Theme.dataIqLow], ["IQ", Theme.dataIqHigh], ["Q2", Theme.dataQ2], ["Q3", Theme.dataQ3], ["Q4", Theme.dataQ4], ["Q5", Theme.dataQ5], ["Q6", Theme.dataQ6], ["Q8", Theme.dataQ8]]

    function ink(name: string): color {
        const found = families.find(family => name.startsWith(family[0]));
        return found ? found[1] : Theme.dataOther;
    }

    implicitWidth: 6
    implicitHeight: 14
    radius: 3
    color: ink(typeName)
    Accessible.ignored: true
}
