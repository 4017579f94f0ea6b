#include "engine/chat/jinja/time_format.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

namespace engine::chat::jinja {

namespace {

constexpr std::array<std::string_view, 7> kDays = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday" };
constexpr std::array<std::string_view, 12> kMonths = { "January", "February", "March",
                                                       "April",   "May",      "June",
                                                       "July",    "August",   "September",
                                                       "October", "November", "December" };
constexpr std::size_t kShort = 3;

/// What may stand between "%" and a directive's letter, as the C library has it.
struct Style
{
    char pad = '\0'; ///< '-': none, '_': spaces, '0': zeros
    bool upper = false; ///< '^'
    bool otherCase = false; ///< '#': lower for AM and PM, else upper
    std::size_t width = 0; ///< at least

    [[nodiscard]] bool isPlain() const { return pad == '\0' && !upper && !otherCase && width == 0; }
};

void makeUpper(std::string& text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
}

class TimeWriter
{
public:
    explicit TimeWriter(std::chrono::system_clock::time_point time)
        : m_seconds(std::chrono::system_clock::to_time_t(time))
    {
        localtime_r(&m_seconds, &m_parts);
        const auto whole = std::chrono::time_point_cast<std::chrono::seconds>(time);
        m_microseconds =
            std::chrono::duration_cast<std::chrono::microseconds>(time - whole).count();
        m_microseconds = m_microseconds < 0 ? m_microseconds + 1'000'000 : m_microseconds;
    }

    /// The text of one directive; false where there is no such.
    bool directive(std::string& out, char name, const Style& style) const
    {
        if (numeric(out, name, style)) {
            return true;
        }
        std::string text;
        if (const auto word = named(name, style)) {
            text.append(*word);
        } else if (!composed(text, name)) {
            return false;
        }
        const bool hasCase = name != 'p' && name != 'P' && name != 'c';
        if ((style.upper && name != 'P') || (style.otherCase && hasCase)) {
            makeUpper(text);
        }
        if (text.size() < style.width) {
            text.insert(0, style.width - text.size(), style.pad == '0' ? '0' : ' ');
        }
        out += text;
        return true;
    }

private:
    static void number(std::string& out, long long value, std::size_t usual, char pad,
                       const Style& style)
    {
        const bool isBare = style.pad == '-';
        const char fill = style.pad == '_' || isBare ? ' ' : style.pad == '0' ? '0' : pad;
        const std::size_t width = isBare ? style.width : std::max(usual, style.width);
        std::string digits = std::to_string(value);
        if (digits.size() < width) {
            digits.insert(0, width - digits.size(), fill);
        }
        out += digits;
    }

    void all(std::string& out, std::string_view directives) const
    {
        for (const char c : directives) {
            const bool isDirective = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!isDirective || !directive(out, c, Style())) {
                out += c;
            }
        }
    }

    bool composed(std::string& out, char name) const
    {
        switch (name) {
        case 'c':
            all(out, "a b e H:M:S Y");
            return true;
        case 'D':
        case 'x':
            all(out, "m/d/y");
            return true;
        case 'F':
            all(out, "Y-m-d");
            return true;
        case 'r':
            all(out, "I:M:S p");
            return true;
        case 'R':
            all(out, "H:M");
            return true;
        case 'T':
        case 'X':
            all(out, "H:M:S");
            return true;
        default:
            return false;
        }
    }

    [[nodiscard]] std::optional<std::string_view> named(char name, const Style& style) const
    {
        const std::string_view day = kDays[static_cast<std::size_t>(m_parts.tm_wday)];
        const std::string_view month = kMonths[static_cast<std::size_t>(m_parts.tm_mon)];
        const bool isMorning = m_parts.tm_hour < 12;
        switch (name) {
        case 'a':
            return day.substr(0, kShort);
        case 'A':
            return day;
        case 'b':
        case 'h':
            return month.substr(0, kShort);
        case 'B':
            return month;
        case 'p':
            if (!style.otherCase) {
                return isMorning ? "AM" : "PM";
            }
            [[fallthrough]];
        case 'P':
            return isMorning ? "am" : "pm";
        case 'n':
            return "\n";
        case 't':
            return "\t";
        case 'z': // Python's now() knows no zone
        case 'Z':
            return "";
        default:
            return std::nullopt;
        }
    }

    bool numeric(std::string& out, char name, const Style& style) const
    {
        const int year = m_parts.tm_year + 1900;
        const int twelve = (m_parts.tm_hour + 11) % 12 + 1;
        const int mondayBased = (m_parts.tm_wday + 6) % 7;
        const auto put = [&](long long value, std::size_t width, char pad = '0') {
            number(out, value, width, pad, style);
            return true;
        };
        switch (name) {
        case 'C':
            return put(year / 100, 2);
        case 'd':
            return put(m_parts.tm_mday, 2);
        case 'e':
            return put(m_parts.tm_mday, 2, ' ');
        case 'f':
            return style.isPlain() && put(m_microseconds, 6);
        case 'g':
            return put(isoWeek().first % 100, 2);
        case 'G':
            return put(isoWeek().first, 1);
        case 'H':
            return put(m_parts.tm_hour, 2);
        case 'I':
            return put(twelve, 2);
        case 'j':
            return put(m_parts.tm_yday + 1, 3);
        case 'k':
            return put(m_parts.tm_hour, 2, ' ');
        case 'l':
            return put(twelve, 2, ' ');
        case 'm':
            return put(m_parts.tm_mon + 1, 2);
        case 'M':
            return put(m_parts.tm_min, 2);
        case 's':
            return put(m_seconds, 1);
        case 'S':
            return put(m_parts.tm_sec, 2);
        case 'u':
            return put(mondayBased + 1, 1);
        case 'U':
            return put((m_parts.tm_yday + 7 - m_parts.tm_wday) / 7, 2);
        case 'V':
            return put(isoWeek().second, 2);
        case 'w':
            return put(m_parts.tm_wday, 1);
        case 'W':
            return put((m_parts.tm_yday + 7 - mondayBased) / 7, 2);
        case 'y':
            return put(year % 100, 2);
        case 'Y':
            return put(year, 1);
        default:
            return false;
        }
    }

    /// Year and week by ISO 8601: the week belongs to the year of its Thursday.
    [[nodiscard]] std::pair<int, int> isoWeek() const
    {
        const auto daysOf = [](int year) {
            const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            return leap ? 366 : 365;
        };
        int year = m_parts.tm_year + 1900;
        int thursday = m_parts.tm_yday - (m_parts.tm_wday + 6) % 7 + 3;
        if (thursday < 0) {
            --year;
            thursday += daysOf(year);
        } else if (thursday >= daysOf(year)) {
            thursday -= daysOf(year);
            ++year;
        }
        return { year, thursday / 7 + 1 };
    }

    std::time_t m_seconds;
    std::tm m_parts {};
    std::int64_t m_microseconds = 0;
};

/// Reads flags, width and modifier; `at` is left at the directive's letter.
Style readStyle(std::string_view pattern, std::size_t& at)
{
    constexpr std::size_t kMostDigits = 6;
    Style style;
    for (; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c == '^') {
            style.upper = true;
        } else if (c == '#') {
            style.otherCase = true;
        } else if (c == '-' || c == '_' || c == '0') {
            style.pad = c;
        } else {
            break;
        }
    }
    const std::size_t begin = at;
    while (at < pattern.size() && pattern[at] >= '0' && pattern[at] <= '9'
           && at - begin < kMostDigits) {
        style.width = style.width * 10 + static_cast<std::size_t>(pattern[at++] - '0');
    }
    // Other calendars (E) and other digits (O): those of the C locale are the usual ones.
    const std::string_view rest = pattern.substr(at, 2);
    const std::string_view named = rest.starts_with('E') ? "cCxXyY"
        : rest.starts_with('O')                          ? "BbhdeHImMSuUVwWy"
                                                         : "";
    at += rest.size() == 2 && named.find(rest[1]) != std::string_view::npos ? 1 : 0;
    return style;
}

} // namespace

MarkedText formatTime(Runtime& runtime, const MarkedText& format,
                      std::chrono::system_clock::time_point time)
{
    const TimeWriter writer(time);
    const std::string& pattern = format.bytes();
    MarkedText out;
    for (std::size_t i = 0; i < pattern.size();) {
        const std::size_t begin = i;
        if (pattern[i++] != '%' || i >= pattern.size()) {
            out.append(format, begin, i);
            continue;
        }
        const Style style = readStyle(pattern, i);
        runtime.checkText(out.size() + style.width);
        std::string text;
        const bool isPercent = i < pattern.size() && pattern[i] == '%';
        if (isPercent || (i < pattern.size() && writer.directive(text, pattern[i], style))) {
            ++i;
            out.append(isPercent ? "%" : text, format.originAt(begin));
        } else {
            i = std::min(i + 1, pattern.size());
            out.append(format, begin, i);
        }
        runtime.step();
    }
    runtime.checkText(out.size());
    return out;
}

} // namespace engine::chat::jinja
