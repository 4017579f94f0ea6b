#include "engine/chat/jinja/time_format.h"

#include <algorithm>
#include <array>
#include <ctime>

namespace engine::chat::jinja {

namespace {

constexpr std::array<std::string_view, 7> kDays = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday" };
constexpr std::array<std::string_view, 12> kMonths = { "January", "February", "March",
                                                       "April",   "May",      "June",
                                                       "July",    "August",   "September",
                                                       "October", "November", "December" };
constexpr std::size_t kShort = 3;

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
    bool directive(std::string& out, char name, char flag) const
    {
        return composed(out, name, flag) || named(out, name, flag) || numeric(out, name, flag);
    }

private:
    static void number(std::string& out, long long value, std::size_t width, char pad, char flag)
    {
        const char fill = flag == '_' ? ' ' : flag == '0' ? '0' : pad;
        std::string digits = std::to_string(value);
        if (flag != '-' && digits.size() < width) {
            digits.insert(0, width - digits.size(), fill);
        }
        out += digits;
    }

    void all(std::string& out, std::string_view directives) const
    {
        for (const char c : directives) {
            const bool isDirective = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!isDirective || !directive(out, c, '\0')) {
                out += c;
            }
        }
    }

    bool composed(std::string& out, char name, char) const
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

    bool named(std::string& out, char name, char flag) const
    {
        std::string text;
        const std::string_view day = kDays[static_cast<std::size_t>(m_parts.tm_wday)];
        const std::string_view month = kMonths[static_cast<std::size_t>(m_parts.tm_mon)];
        switch (name) {
        case 'a':
            text = day.substr(0, kShort);
            break;
        case 'A':
            text = day;
            break;
        case 'b':
        case 'h':
            text = month.substr(0, kShort);
            break;
        case 'B':
            text = month;
            break;
        case 'p':
            out += m_parts.tm_hour < 12 ? "AM" : "PM";
            return true;
        case 'P':
            out += m_parts.tm_hour < 12 ? "am" : "pm";
            return true;
        case 'n':
            text = "\n";
            break;
        case 't':
            text = "\t";
            break;
        case 'z': // Python's now() knows no zone
        case 'Z':
            break;
        default:
            return false;
        }
        if (flag == '^') {
            std::transform(text.begin(), text.end(), text.begin(), [](char c) {
                return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
            });
        }
        out += text;
        return true;
    }

    bool numeric(std::string& out, char name, char flag) const
    {
        const int year = m_parts.tm_year + 1900;
        const int twelve = (m_parts.tm_hour + 11) % 12 + 1;
        const int mondayBased = (m_parts.tm_wday + 6) % 7;
        const auto put = [&](long long value, std::size_t width, char pad = '0') {
            number(out, value, width, pad, flag);
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
            return put(m_microseconds, 6);
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

} // namespace

MarkedText formatTime(Runtime& runtime, const MarkedText& format,
                      std::chrono::system_clock::time_point time)
{
    constexpr std::string_view kFlags = "-_0^#";
    const TimeWriter writer(time);
    const std::string& pattern = format.bytes();
    MarkedText out;
    for (std::size_t i = 0; i < pattern.size();) {
        const std::size_t begin = i;
        if (pattern[i++] != '%' || i >= pattern.size()) {
            out.append(format, begin, i);
            continue;
        }
        const char flag = kFlags.find(pattern[i]) != std::string_view::npos ? pattern[i++] : '\0';
        std::string text;
        const bool isPercent = i < pattern.size() && pattern[i] == '%';
        if (isPercent || (i < pattern.size() && writer.directive(text, pattern[i], flag))) {
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
