// Parts of Markdown reports: cells of tables out of hostile text, long values cut. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/value.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace app::markdown {

inline constexpr std::size_t kMostText = 120; ///< bytes of a value that are shown

enum class Place { Table, Line };

/// One line of text out of a file as a code span.
[[nodiscard]] std::string code(std::string_view bytes, std::size_t most = kMostText,
                               Place place = Place::Table);

/// A row of a table.
[[nodiscard]] std::string row(std::initializer_list<std::string> cells);

/// The beginning of a value as a code span, and how much there is of it.
[[nodiscard]] std::string valueText(const engine::gguf::Value& value);

} // namespace app::markdown
