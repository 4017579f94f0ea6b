// The window on its page Inspect, with a file that has a bit of everything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/inspector_file.h"
#include "tests/ui/window_bench.h"

namespace tests {

/// The window on its page Inspect.
struct InspectorBench : WindowBench
{
    QString path = directory.filePath(QStringLiteral("model.gguf"));

    InspectorBench()
        : WindowBench(QStringLiteral("inspect"))
    {
    }
    /// Shows the window with the file that has a bit of everything.
    bool open(const QSize& size = { 1440, 900 })
    {
        if (!tests::writeInspectorFile(path) || !show(size)) {
            return false;
        }
        inspector.open(path);
        return QTest::qWaitFor([this] { return inspector.isShown() && !inspector.isBusy(); });
    }
    [[nodiscard]] QString text(const char* name) const
    {
        return item(name)->property("text").toString();
    }
};

} // namespace tests
