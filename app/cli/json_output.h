// JSON results: printing, base64, hexadecimal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/file_json.h"
#include "app/services/plain_text.h"

#include <span>
#include <string>
#include <string_view>

namespace app::cli {

using app::floatJson;
using app::floatsJson;
using app::isElsewhere;
using app::Json;
using app::problemJson;
using app::problemMessage;
using app::severityName;

/// One line on standard output. Never throws: bytes that are no UTF-8 become U+FFFD.
void printJson(const Json& json);

[[nodiscard]] std::string toBase64(std::string_view bytes);
/// Lower-case hexadecimal without spaces.
[[nodiscard]] std::string toHex(std::span<const std::byte> bytes);

} // namespace app::cli
