// Splits text into the pieces that byte-pair merges may not cross.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/text/pretokenizer_rules.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace engine::text {

/// The compiled rules of one pre-tokenizer. Immutable and thread-safe; linear in the text's length.
class PreTokenizer
{
public:
    /// Errors: PreTokenizerBroken (a row of our own table that PCRE2 refuses).
    [[nodiscard]] static Result<PreTokenizer> create(const PreTokenizerRules& rules);

    /// The lengths in bytes of the pieces of `text`, in order; their sum is its size. `text` comes
    /// from mendUtf8. A match that runs out of resources leaves the rest of its piece whole instead
    /// of failing.
    [[nodiscard]] std::vector<std::size_t> split(std::string_view text) const;

private:
    struct Impl;
    explicit PreTokenizer(std::shared_ptr<const Impl> impl)
        : m_impl(std::move(impl))
    {
    }
    std::shared_ptr<const Impl> m_impl;
};

} // namespace engine::text
