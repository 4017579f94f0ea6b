// A file as the inspector's items hold it: shared, immutable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtQml/qqmlregistration.h>

#include <memory>

/// What QML passes from the view model to maps, tables and pictures. Empty without a file.
struct InspectedFile
{
    Q_GADGET
    QML_VALUE_TYPE(inspectedFile)

public:
    std::shared_ptr<const engine::gguf::GgufFile> gguf;

    bool operator==(const InspectedFile&) const = default;
};
