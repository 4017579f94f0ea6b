// Utf8Stream: whole characters whatever the pieces, replacements for broken bytes.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/utf8_stream.h"

#include <QString>
#include <QTest>

#include <cstdlib>

using engine::text::Utf8Stream;

class TestUtf8Stream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whole_data();
    void whole();
    void byteByByte_data() { whole_data(); }
    void byteByByte();
    void holdsBack();
    void randomBytes();
};

void TestUtf8Stream::whole_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    const QByteArray bad = "\xEF\xBF\xBD";
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("ascii") << QByteArray("hello\n") << QByteArray("hello\n");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\0b", 3);
    QTest::newRow("two") << QByteArray("zażółć") << QByteArray("zażółć");
    QTest::newRow("three") << QByteArray("你好") << QByteArray("你好");
    QTest::newRow("four") << QByteArray("🦙👍🏽") << QByteArray("🦙👍🏽");
    QTest::newRow("lone continuation") << QByteArray("a\x80z") << "a" + bad + "z";
    QTest::newRow("bad byte") << QByteArray("a\xFFz") << "a" + bad + "z";
    QTest::newRow("cut short") << QByteArray("a\xE2\x82") << "a" + bad;
    QTest::newRow("cut by a letter") << QByteArray("\xF0\x9F\x98z") << bad + "z";
    QTest::newRow("overlong") << QByteArray("\xC0\x80") << bad + bad;
    QTest::newRow("overlong three") << QByteArray("\xE0\x80\x80") << bad + bad + bad;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << bad + bad + bad;
    QTest::newRow("above the last") << QByteArray("\xF4\x90\x80\x80") << bad + bad + bad + bad;
    QTest::newRow("last") << QByteArray("\xF4\x8F\xBF\xBF") << QByteArray("\xF4\x8F\xBF\xBF");
    QTest::newRow("start after start") << QByteArray("\xE2\xE2\x82\xAC") << bad + "€";
}

void TestUtf8Stream::whole()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    Utf8Stream stream;
    std::string out = stream.push(bytes.toStdString());
    out += stream.finish();
    QCOMPARE(QByteArray::fromStdString(out), text);
    QCOMPARE(stream.finish(), std::string());
}

void TestUtf8Stream::byteByByte()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    Utf8Stream stream;
    std::string out;
    for (const char byte : bytes) {
        const std::string part = stream.push(std::string_view(&byte, 1));
        const auto read = QString::fromStdString(part);
        QCOMPARE(read.toStdString(), part); // valid UTF-8 at every step
        out += part;
    }
    out += stream.finish();
    QCOMPARE(QByteArray::fromStdString(out), text);
}

void TestUtf8Stream::holdsBack()
{
    Utf8Stream stream;
    QCOMPARE(stream.push("a\xF0\x9F"), std::string("a"));
    QCOMPARE(stream.push("\xA6"), std::string());
    QCOMPARE(stream.push("\x99!"), std::string("🦙!"));
    QCOMPARE(stream.finish(), std::string());
    QCOMPARE(stream.push("\xE4"), std::string());
    QCOMPARE(stream.finish(), std::string("\xEF\xBF\xBD"));
    QCOMPARE(stream.push("b"), std::string("b"));
}

void TestUtf8Stream::randomBytes()
{
    std::srand(11);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (int i = std::rand() % 60; i > 0; --i) {
            bytes += static_cast<char>(std::rand() % 4 ? 0x80 | std::rand() : std::rand());
        }
        Utf8Stream whole;
        std::string expected = whole.push(bytes);
        expected += whole.finish();
        QCOMPARE(QString::fromStdString(expected).toStdString(), expected);
        Utf8Stream pieces;
        std::string out;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t length = 1 + static_cast<std::size_t>(std::rand()) % 5;
            out += pieces.push(std::string_view(bytes).substr(at, length));
            at += length;
        }
        out += pieces.finish();
        QCOMPARE(out, expected);
    }
}

QTEST_APPLESS_MAIN(TestUtf8Stream)
#include "tst_utf8_stream.moc"
