// The first bytes of any file: what people see of one that is no model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <string>

namespace app {

/// At most `count`; none of what is no readable regular file.
[[nodiscard]] QByteArray firstBytes(const std::string& path, qint64 count);

} // namespace app
