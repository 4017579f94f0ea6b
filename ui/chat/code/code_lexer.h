// Lexers that colour code: one line after the other, without looking ahead.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QStringView>

/// What a piece of code is, for its colour.
enum class CodeToken : quint8 {
    Keyword,
    Type,
    Literal, ///< true, null
    String,
    Number,
    Comment,
    Function, ///< what is called or declared; commands in a shell
    Property, ///< keys in JSON and YAML, attributes in HTML, variables in a shell, quoted SQL names
    Tag,
    Preprocessor,
    Inserted,
    Deleted,
    Meta ///< hunks of a diff, decorators, prompts, document marks
};

/// A coloured piece of a line, in UTF-16 units. Plain text has no span.
struct CodeSpan
{
    int start = 0;
    int length = 0;
    CodeToken token = CodeToken::Keyword;

    friend bool operator==(const CodeSpan&, const CodeSpan&) = default;
};

/// The lexer of one language. Immutable, so any thread may use it.
class CodeLexer
{
public:
    CodeLexer() = default;
    CodeLexer(const CodeLexer&) = delete;
    CodeLexer& operator=(const CodeLexer&) = delete;
    virtual ~CodeLexer() = default;

    /// Appends the spans of `line` (no line end in it), ascending and not overlapping; the work is
    /// linear in its length. `stateBefore` is what the line before returned, 0 at the start of the
    /// code; any other number is taken without harm. Returns the state after the line.
    virtual int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const = 0;

    /// The lexer for what stands behind a code fence ("C++", "py", "language-rust"), in any case;
    /// null when the language is not known. The object lives as long as the program.
    [[nodiscard]] static const CodeLexer* forLanguage(QStringView name);
};
