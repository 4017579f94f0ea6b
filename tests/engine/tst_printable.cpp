// Any bytes become one line of valid UTF-8.
#include "engine/gguf/printable.h"

#include <QTest>

#include <string>

using namespace engine::gguf;

class TestPrintable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesTextPrintable_data()
    {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<int>("limit");
        QTest::addColumn<std::string>("shown");
        const auto row = [](const char* name, std::string_view bytes, int limit,
                            const char* shown) {
            QTest::newRow(name) << std::string(bytes) << limit << std::string(shown);
        };
        using namespace std::string_view_literals;
        row("plain", "blk.0.attn_q.weight"sv, 256, "blk.0.attn_q.weight");
        row("UTF-8", "Größe 🦙"sv, 256, "Größe 🦙");
        row("control", "a\n\t\r\0\x7F"sv, 256, "a\\n\\t\\r\\x00\\x7f");
        row("invalid", "\xC3(\xFF\xE2\x82"sv, 256, "\\xc3(\\xff\\xe2\\x82");
        row("overlong", "\xC0\x80\xE0\x80\x80"sv, 256, "\\xc0\\x80\\xe0\\x80\\x80");
        row("surrogate", "\xED\xA0\x80"sv, 256, "\\xed\\xa0\\x80");
        row("cut", "abcdef"sv, 3, "abc…");
        row("whole characters", "ab🦙"sv, 4, "ab…");
    }

    void makesTextPrintable()
    {
        QFETCH(std::string, bytes);
        QFETCH(int, limit);
        QFETCH(std::string, shown);
        QCOMPARE(printable(bytes, static_cast<std::size_t>(limit)), shown);
    }
};

QTEST_APPLESS_MAIN(TestPrintable)
#include "tst_printable.moc"
