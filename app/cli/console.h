// What the commands print: results, messages, a progress line, tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// "105.5 MB": SI units, three significant digits or more.
[[nodiscard]] std::string sizeText(std::uint64_t bytes);
/// Hexadecimal, grouped by four: "0006 1a40"; at least as many groups as `largest` needs.
[[nodiscard]] std::string hexText(std::uint64_t value, std::uint64_t largest = 0);
/// Thousands separated: "32,000".
[[nodiscard]] std::string countText(std::uint64_t value);
/// printable() in double quotes.
[[nodiscard]] std::string inQuotes(std::string_view bytes);
/// With this many decimals.
[[nodiscard]] std::string decimalText(double value, int decimals);

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
