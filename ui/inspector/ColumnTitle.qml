// The title of a column of the tensor table.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Inspector

SortTitle {
    required property TensorModel tensors
    required property int column

    sorted: tensors.sortColumn === column
    descending: tensors.descending
    onClicked: tensors.sortBy(column)
}
