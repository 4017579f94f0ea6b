// Snippets of code with the spans that the lexers are to find in them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

/// One snippet: every line is "code |> spans", a span a letter with its text, as in "K<return>".
struct CodeCase
{
    const char* language;
    const char* name;
    const char* lines; ///< begins and ends with a line end
};

[[nodiscard]] std::span<const CodeCase> codeCases();
