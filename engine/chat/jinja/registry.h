// The filters, tests and functions that every template knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <span>
#include <string_view>

namespace engine::chat::jinja {

using FilterBody = Value (*)(Runtime&, const Value& subject, const Arguments&);
using TestBody = bool (*)(Runtime&, const Value& subject, const Arguments&);

struct FilterEntry
{
    std::string_view name;
    FilterBody body;
};

struct TestEntry
{
    std::string_view name;
    TestBody body;
};

struct FunctionEntry
{
    std::string_view name;
    Function::Body body;
};

/// nullptr where there is none of this name.
[[nodiscard]] FilterBody findFilter(std::string_view name);
[[nodiscard]] TestBody findTest(std::string_view name);
/// range, dict, namespace, raise_exception, strftime_now, …
[[nodiscard]] std::span<const FunctionEntry> globalFunctions();

// The tables, by the files that hold them.
[[nodiscard]] std::span<const FilterEntry> textFilters();
[[nodiscard]] std::span<const FilterEntry> sequenceFilters();
[[nodiscard]] std::span<const FilterEntry> selectionFilters();

} // namespace engine::chat::jinja
