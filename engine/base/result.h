// Result<T>: a value, or an Error that says what, where and with which arguments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// Every failure the engine can report. The list, with its English sentences, is error_codes.inc.
enum class ErrorCode : std::uint16_t {
#define VITRINE_ERROR(name, slug, text) name,
#include "engine/base/error_codes.inc"
#undef VITRINE_ERROR
};

/// The place an error is about; each part only when known.
struct Where
{
    std::string file; ///< path as the user gave it
    std::optional<std::uint64_t> offset; ///< byte offset in the file
    std::string subject; ///< metadata key, tensor name or template line
};

/// A failure: a code, the arguments of its sentence ({0}, {1}, …) and the place. Holds no
/// translated text.
struct Error
{
    ErrorCode code;
    std::vector<std::string> arguments;
    Where where;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for `return failure(ErrorCode::X, {args}, {file, offset, subject});`.
[[nodiscard]] inline tl::unexpected<Error>
failure(ErrorCode code, std::vector<std::string> arguments = {}, Where where = {})
{
    return tl::unexpected<Error>(Error { code, std::move(arguments), std::move(where) });
}

/// Stable identifier of a code, e.g. "file-empty" (JSON output, tests).
[[nodiscard]] std::string_view errorSlug(ErrorCode code);

/// The English sentence pattern of a code with {0}, {1}, … in place of arguments.
[[nodiscard]] std::string_view errorPattern(ErrorCode code);

/// Replaces {0}, {1}, … in `pattern` (English or translated) by `arguments`.
[[nodiscard]] std::string fillPattern(std::string_view pattern,
                                      const std::vector<std::string>& arguments);

/// The whole English message in one line: file, what, where, what to do.
[[nodiscard]] std::string englishSentence(const Error& error);

} // namespace engine
