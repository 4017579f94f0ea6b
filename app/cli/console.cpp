#include "app/cli/console.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace app::cli {

namespace {

/// Length of the UTF-8 character at `at`, 0 where there is none.
std::size_t characterLength(std::string_view bytes, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > bytes.size()) {
        return 0;
    }
    const unsigned char second = byte(at + 1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    if (overlong || outside) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/// C0, DEL, and C1 in its two-byte form: what steers a terminal.
bool isControl(std::string_view character)
{
    const auto lead = static_cast<unsigned char>(character[0]);
    return lead < 0x20 || lead == 0x7F
        || (lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

/// Columns on a terminal, near enough for tables: characters, wide ones counted once.
std::size_t displayWidth(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

} // namespace

void print(std::string_view bytes)
{
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

bool flushOutput()
{
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

void message(std::string_view line)
{
    const std::string whole = "vitrine-cli: " + std::string(line) + "\n";
    std::fwrite(whole.data(), 1, whole.size(), stderr);
}

bool outputIsTerminal()
{
    return isatty(STDOUT_FILENO) == 1;
}

bool inputIsTerminal()
{
    return isatty(STDIN_FILENO) == 1;
}

bool messagesAreTerminal()
{
    return isatty(STDERR_FILENO) == 1;
}

std::string printable(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = characterLength(bytes, i);
        if (length > 0 && !isControl(bytes.substr(i, length))) {
            out += bytes.substr(i, length);
            i += length;
            continue;
        }
        const auto byte = static_cast<unsigned char>(bytes[i++]);
        if (byte == '\n') {
            out += "\\n";
        } else {
            out += { '\\', 'x', kDigits[byte >> 4], kDigits[byte & 15] };
        }
    }
    return out;
}

std::string inQuotes(std::string_view bytes)
{
    std::string out = "\"";
    out += printable(bytes);
    out += '"';
    return out;
}

std::string terminalSafe(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = characterLength(text, i);
        const auto character = text.substr(i, std::max<std::size_t>(length, 1));
        if (character == "\n" || character == "\t" || (length > 0 && !isControl(character))) {
            out += character;
        } else {
            out += "\xEF\xBF\xBD";
        }
        i += character.size();
    }
    return out;
}

bool isUtf8(std::string_view bytes)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = characterLength(bytes, i);
        if (length == 0) {
            return false;
        }
        i += length;
    }
    return true;
}

Table::Table(std::vector<Column> columns)
    : m_columns(std::move(columns))
{
}

void Table::add(std::vector<std::string> cells)
{
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::string Table::text() const
{
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        std::size_t width = m_columns[column].title.size();
        for (const auto& row : m_rows) {
            width = std::max(width, displayWidth(row[column]));
        }
        widths.push_back(width);
    }
    std::string out;
    const auto addRow = [&](const auto& cellText) {
        std::string line;
        for (std::size_t column = 0; column < m_columns.size(); ++column) {
            const std::string cell(cellText(column));
            const std::string fill(widths[column] - displayWidth(cell), ' ');
            line += column > 0 ? "  " : "";
            line += m_columns[column].align == Align::Right ? fill + cell : cell + fill;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    };
    addRow([&](std::size_t column) { return m_columns[column].title; });
    for (const auto& row : m_rows) {
        addRow([&](std::size_t column) { return std::string_view(row[column]); });
    }
    return out;
}

Progress::Progress(std::string title)
    : m_title(std::move(title))
    , m_enabled(messagesAreTerminal())
{
}

Progress::~Progress()
{
    clear();
}

void Progress::update(double fraction, std::string_view detail)
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_enabled || (m_shown && now - m_last < std::chrono::milliseconds(100))) {
        return;
    }
    m_last = now;
    m_shown = true;
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    std::fprintf(stderr, "\r\x1b[K%s %3d %%%s%.*s", m_title.c_str(), percent,
                 detail.empty() ? "" : "  ", static_cast<int>(detail.size()), detail.data());
    std::fflush(stderr);
}

void Progress::clear()
{
    if (m_shown) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
        m_shown = false;
    }
}

} // namespace app::cli
