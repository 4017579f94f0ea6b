// Cuts a template into tokens; whitespace around tags goes here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engine::chat::jinja {

struct Token
{
    enum class Type {
        Text,
        OutputBegin,
        OutputEnd,
        BlockBegin,
        BlockEnd,
        Name,
        Integer,
        Float,
        String,
        Operator,
        End
    };
    Type type;
    std::string text; ///< a string's content with its escapes resolved
    int line;
};

/// With trim_blocks and lstrip_blocks, and without the last newline, as transformers sets Jinja up.
/// The last token is End. Throws Failure (TemplateSyntax).
[[nodiscard]] std::vector<Token> tokenize(std::string_view source);

} // namespace engine::chat::jinja
