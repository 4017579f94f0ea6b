// What the commands print: results, messages, a progress line, tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/plain_text.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

/// Standard output, byte for byte.
void print(std::string_view bytes);
/// Sends what was printed on its way; false where it could not be written (disk full).
[[nodiscard]] bool flushOutput();
/// "vitrine-cli: …" on standard error.
void message(std::string_view line);

[[nodiscard]] bool outputIsTerminal();
[[nodiscard]] bool inputIsTerminal();
[[nodiscard]] bool messagesAreTerminal();

/// Text out of a file for one line of a table: control characters and bytes that are no UTF-8
/// become \xNN.
[[nodiscard]] std::string printable(std::string_view bytes);
/// Text of a model for a terminal: line breaks and tabs stay, other control characters become
/// U+FFFD, so that an answer cannot steer the terminal.
[[nodiscard]] std::string terminalSafe(std::string_view text);
[[nodiscard]] bool isUtf8(std::string_view bytes);

/// printable() in double quotes.
[[nodiscard]] std::string inQuotes(std::string_view bytes);

using app::countText;
using app::decimalText;
using app::hexText;
using app::sizeText;

enum class Align { Left, Right };

/// Rows with aligned columns.
class Table
{
public:
    struct Column
    {
        std::string_view title;
        Align align = Align::Left;
    };
    explicit Table(std::vector<Column> columns);
    void add(std::vector<std::string> cells);
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// One line on standard error that is written over, at most ten times a second, and only on a
/// terminal.
class Progress
{
public:
    explicit Progress(std::string title);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `fraction` from 0 to 1.
    void update(double fraction, std::string_view detail = {});
    /// Takes the line away.
    void clear();

private:
    std::string m_title;
    std::chrono::steady_clock::time_point m_last;
    bool m_enabled = false;
    bool m_shown = false;
};

} // namespace app::cli
