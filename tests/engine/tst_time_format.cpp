// strftime_now with every directive, flag and width, as Python gives them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/template_cases.h"

#include <QTest>

namespace {

engine::chat::RenderOptions at(int year, int month, int day, int hour, int minute, int second)
{
    engine::chat::RenderOptions options;
    options.now = [=] {
        std::tm parts {};
        parts.tm_year = year - 1900;
        parts.tm_mon = month - 1;
        parts.tm_mday = day;
        parts.tm_hour = hour;
        parts.tm_min = minute;
        parts.tm_sec = second;
        parts.tm_isdst = -1;
        return std::chrono::system_clock::from_time_t(std::mktime(&parts));
    };
    return options;
}

QString formatted(const QByteArray& format, const engine::chat::RenderOptions& options)
{
    using engine::chat::jinja::Value;
    const auto result =
        tests::render("{{ strftime_now(f) }}",
                      Value::object({ { "f", Value::string(format.toStdString()) } }), options);
    return QString::fromStdString(result.slug + result.text);
}

} // namespace

class TestTimeFormat : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Each directive at three moments, "|" between: a Sunday noon, a Monday that belongs to the
    // next year's weeks, a Sunday that belongs to the last year's.
    void directives_data()
    {
        QTest::addColumn<QString>("sunday");
        QTest::addColumn<QString>("monday");
        QTest::addColumn<QString>("newYear");
        const auto row = [](const char* format, const char* a, const char* b, const char* c) {
            QTest::newRow(format) << QString(a) << QString(b) << QString(c);
        };
        row("%a", "Sun", "Mon", "Sun");
        row("%A", "Sunday", "Monday", "Sunday");
        row("%b", "Nov", "Dec", "Jan");
        row("%B", "November", "December", "January");
        row("%c", "Sun Nov 29 12:00:00 2026", "Mon Dec 30 00:05:09 2024",
            "Sun Jan  3 23:59:59 2021");
        row("%C", "20", "20", "20");
        row("%d", "29", "30", "03");
        row("%D", "11/29/26", "12/30/24", "01/03/21");
        row("%e", "29", "30", " 3");
        row("%f", "000000", "000000", "000000");
        row("%F", "2026-11-29", "2024-12-30", "2021-01-03");
        row("%g", "26", "25", "20");
        row("%G", "2026", "2025", "2020");
        row("%h", "Nov", "Dec", "Jan");
        row("%H", "12", "00", "23");
        row("%I", "12", "12", "11");
        row("%j", "333", "365", "003");
        row("%k", "12", " 0", "23");
        row("%l", "12", "12", "11");
        row("%m", "11", "12", "01");
        row("%M", "00", "05", "59");
        row("%n", "\n", "\n", "\n");
        row("%p", "PM", "AM", "PM");
        row("%P", "pm", "am", "pm");
        row("%r", "12:00:00 PM", "12:05:09 AM", "11:59:59 PM");
        row("%R", "12:00", "00:05", "23:59");
        row("%S", "00", "09", "59");
        row("%t", "\t", "\t", "\t");
        row("%T", "12:00:00", "00:05:09", "23:59:59");
        row("%u", "7", "1", "7");
        row("%U", "48", "52", "01");
        row("%V", "48", "01", "53");
        row("%w", "0", "1", "0");
        row("%W", "47", "53", "00");
        row("%x", "11/29/26", "12/30/24", "01/03/21");
        row("%X", "12:00:00", "00:05:09", "23:59:59");
        row("%y", "26", "24", "21");
        row("%Y", "2026", "2024", "2021");
        row("%z", "", "", "");
        row("%Z", "", "", "");
        row("%%", "%", "%", "%");
    }
    void directives()
    {
        QFETCH(QString, sunday);
        QFETCH(QString, monday);
        QFETCH(QString, newYear);
        const QByteArray format = QTest::currentDataTag();
        QCOMPARE(formatted(format, at(2026, 11, 29, 12, 0, 0)), sunday);
        QCOMPARE(formatted(format, at(2024, 12, 30, 0, 5, 9)), monday);
        QCOMPARE(formatted(format, at(2021, 1, 3, 23, 59, 59)), newYear);
    }

    void styles_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* format, const char* text) {
            QTest::newRow(format) << QString(text);
        };
        row("%-d %-m %_d %0e %-I %_H", "30 12 30 30 12  0");
        row("%^a %^B %#a %#b %#h %^h", "MON DECEMBER MON DEC DEC DEC");
        row("%#p %^p %^P %#P", "am AM am am");
        row("%^c", "MON DEC 30 00:05:09 2024");
        row("%#c", "Mon Dec 30 00:05:09 2024");
        row("%5Y|%05d|%-5d|%_5m", "02024|00030|   30|   12");
        row("%_3S|%10B|%^10a|%12D", "  9|  December|       MON|    12/30/24");
        row("%010F|%_12D|%-D", "2024-12-30|    12/30/24|12/30/24");
        row("%Ey %EY %EC %Ex %EX", "24 2024 20 12/30/24 00:05:09");
        row("%Od %Oy %OH %OI %OM %OS %Om %Oe", "30 24 00 12 05 09 12 30");
        row("%Ou %Ow %OU %OV %OW %Ob", "1 1 52 01 53 Dec");
        row("%-H:%-M", "0:5");
        row("%_k|%-k|%0k|%0l", " 0|0|00|12");
        row("%^^a %-_d %_-d", "MON 30 30");
        row("%q %v %+ %N %E %O %Eq", "%q %v %+ %N %E %O %Eq");
        row("100%", "100%");
        row("%-", "%-");
        row("%é", "%é");
    }
    void styles()
    {
        QFETCH(QString, text);
        QCOMPARE(formatted(QTest::currentDataTag(), at(2024, 12, 30, 0, 5, 9)), text);
    }

    void endlessWidth()
    {
        QCOMPARE(formatted("%999999Y%999999Y%999999Y%999999Y%999999Y", at(2024, 12, 30, 0, 5, 9)),
                 QString("template-limit"));
    }
};

QTEST_APPLESS_MAIN(TestTimeFormat)
#include "tst_time_format.moc"
