// What colour the fields of a block have, by what they are for.
// SPDX-License-Identifier: Apache-2.0
pragma Singleton

import QtQuick
import Vitrine.Theme

QtObject {
    function colorOf(kind: string): color {
        switch (kind) {
        case "scale":
            return Theme.dataHeader;
        case "min":
            return Theme.dataDirectory;
        case "subScale":
            return Theme.dataMetadata;
        case "subMin":
            return Theme.dataIqLow;
        case "quant":
            return Theme.dataQ4;
        case "high":
            return Theme.dataQ6;
        case "index":
            return Theme.dataQ5;
        case "sign":
            return Theme.dataQ2;
        case "sum":
            return Theme.dataQ8;
        case "number":
            return Theme.dataF32;
        default:
            return Theme.dataPadding;
        }
    }
}
