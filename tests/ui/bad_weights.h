// A model file of which one scale and one weight are no numbers, for tests of the inspector.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/inspector_file.h"

#include <QFile>

namespace tests {

/// The inspector's file, in which the second scale of blk.2.attn_q.weight is NaN.
[[nodiscard]] inline bool writeBadWeights(const QString& path)
{
    if (!writeInspectorFile(path)) {
        return false;
    }
    const auto file = openFile(path);
    const auto* tensor = file ? file->findTensor("blk.2.attn_q.weight") : nullptr;
    QFile target(path);
    return tensor != nullptr && target.open(QIODevice::ReadWrite)
        && target.seek(static_cast<qint64>(tensor->data.offset) + 18)
        && target.write(QByteArray("\x00\x7e", 2)) == 2;
}

} // namespace tests
