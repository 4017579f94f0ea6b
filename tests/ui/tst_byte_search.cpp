// Finding bytes: patterns, directions, around the end, across pieces, stopping.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/byte_search.h"

#include <QTest>

#include <vector>

namespace {

app::TaskControl control(const std::stop_token& stop = {})
{
    return { stop, [](double) {} };
}

std::vector<std::byte> bytesOf(const QByteArray& text)
{
    std::vector<std::byte> bytes;
    for (const char each : text) {
        bytes.push_back(static_cast<std::byte>(each));
    }
    return bytes;
}

} // namespace

class TestByteSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsPatterns_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("pattern");
        QTest::newRow("text") << "llama" << QByteArray("llama");
        QTest::newRow("bytes") << "47 47 55 46" << QByteArray("GGUF");
        QTest::newRow("prefixed") << "0x47475546" << QByteArray("GGUF");
        QTest::newRow("one byte") << "0x00" << QByteArray(1, 0);
        QTest::newRow("quoted") << "\"47 47\"" << QByteArray("47 47");
        QTest::newRow("a word of hex digits") << "beef" << QByteArray("beef");
        QTest::newRow("odd digits") << "0x474" << QByteArray("0x474");
        QTest::newRow("not ASCII") << "ä" << QByteArray("\xc3\xa4");
    }

    void readsPatterns()
    {
        QFETCH(QString, text);
        QTEST(searchPattern(text).value_or("nothing"), "pattern");
    }

    void readsNothing() { QVERIFY(!searchPattern("")); }

    void finds()
    {
        const auto bytes = bytesOf("abcXabcXab");
        const auto find = [&bytes](const char* what, std::uint64_t from, bool forward) {
            return findBytes(bytes, what, from, forward, control()).value_or(99);
        };
        QCOMPARE(find("abc", 0, true), std::uint64_t { 0 });
        QCOMPARE(find("abc", 1, true), std::uint64_t { 4 });
        QCOMPARE(find("abc", 5, true), std::uint64_t { 0 }); // around the end
        QCOMPARE(find("ab", 8, false), std::uint64_t { 4 });
        QCOMPARE(find("ab", 0, false), std::uint64_t { 8 }); // around the start
        QCOMPARE(find("cXa", 3, true), std::uint64_t { 6 });
        QCOMPARE(find("bcX", 2, false), std::uint64_t { 1 }); // begins before, ends behind
        QCOMPARE(find("nothing", 0, true), std::uint64_t { 99 });
        QCOMPARE(find("abcXabcXabc", 0, true), std::uint64_t { 99 }); // longer than the file
        QCOMPARE(find("abc", 1000, true), std::uint64_t { 0 });
        QVERIFY(!findBytes({}, "a", 0, true, control()));
    }

    // 4 MB are looked at at once; a match may lie across.
    void findsAcrossPieces()
    {
        constexpr std::size_t kPiece = 4 << 20;
        std::vector<std::byte> bytes(3 * kPiece);
        const auto put = [&bytes](std::size_t at) {
            bytes[at] = bytes[at + 1] = bytes[at + 2] = std::byte { 'x' };
        };
        put(kPiece - 1);
        put(2 * kPiece - 2);
        const auto find = [&bytes](std::uint64_t from, bool forward) {
            return findBytes(bytes, "xxx", from, forward, control()).value_or(0);
        };
        QCOMPARE(find(0, true), std::uint64_t { kPiece - 1 });
        QCOMPARE(find(kPiece, true), std::uint64_t { 2 * kPiece - 2 });
        QCOMPARE(find(3 * kPiece, false), std::uint64_t { 2 * kPiece - 2 });
        QCOMPARE(find(2 * kPiece - 2, false), std::uint64_t { kPiece - 1 });
        // What overlaps itself is found from both sides.
        bytes.assign(kPiece, std::byte { 'x' });
        QCOMPARE(find(10, false), std::uint64_t { 9 });
        QCOMPARE(find(10, true), std::uint64_t { 10 });
    }

    void stops()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto bytes = bytesOf("abc");
        QVERIFY(!findBytes(bytes, "a", 0, true, control(stop.get_token())));
    }

    void tellsHowFarItIs()
    {
        const std::vector<std::byte> bytes(8 << 20);
        QList<double> told;
        const app::TaskControl listening { {}, [&told](double fraction) { told << fraction; } };
        QVERIFY(!findBytes(bytes, "x", 4 << 20, true, listening));
        QCOMPARE(told, (QList<double> { 0.5, 1.0 }));
    }
};

QTEST_APPLESS_MAIN(TestByteSearch)
#include "tst_byte_search.moc"
