// Bytes as numbers of every type, and as code.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/byte_words.h"

#include <QTest>

#include <vector>

namespace {

std::vector<std::byte> bytesOf(const QByteArray& hex)
{
    std::vector<std::byte> bytes;
    for (const char each : QByteArray::fromHex(hex)) {
        bytes.push_back(static_cast<std::byte>(each));
    }
    return bytes;
}

} // namespace

class TestByteWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("little");
        QTest::addColumn<QString>("big");
        QTest::newRow("u8") << QByteArray("fe") << "u8"
                            << "254"
                            << "";
        QTest::newRow("i8") << QByteArray("fe") << "i8"
                            << "-2"
                            << "";
        QTest::newRow("u16") << QByteArray("0102") << "u16"
                             << "513"
                             << "258";
        QTest::newRow("i16") << QByteArray("ff00") << "i16"
                             << "255"
                             << "-256";
        QTest::newRow("u32") << QByteArray("00000080") << "u32"
                             << "2147483648"
                             << "128";
        QTest::newRow("i32") << QByteArray("00000080") << "i32"
                             << "-2147483648"
                             << "128";
        QTest::newRow("u64") << QByteArray("ffffffffffffffff") << "u64"
                             << "18446744073709551615"
                             << "18446744073709551615";
        QTest::newRow("i64") << QByteArray("ffffffffffffffff") << "i64"
                             << "-1"
                             << "-1";
        QTest::newRow("f16") << QByteArray("003c") << "f16"
                             << "1"
                             << "3.5762787e-06";
        QTest::newRow("bf16") << QByteArray("803f") << "bf16"
                              << "1"
                              << "-5.785636e-39";
        QTest::newRow("f32") << QByteArray("0000803f") << "f32"
                             << "1"
                             << "4.6006e-41";
        QTest::newRow("f64") << QByteArray("000000000000f03f") << "f64"
                             << "1"
                             << "3.03865e-319";
        QTest::newRow("too few") << QByteArray("000000") << "u32"
                                 << ""
                                 << "";
        QTest::newRow("letter") << QByteArray("41") << "text"
                                << "A U+0041"
                                << "";
        QTest::newRow("euro sign") << QByteArray("e282ac00") << "text"
                                   << "€ U+20AC"
                                   << "";
        QTest::newRow("emoji") << QByteArray("f09f9880") << "text"
                               << "😀 U+1F600"
                               << "";
        QTest::newRow("control") << QByteArray("0a") << "text"
                                 << "U+000A"
                                 << "";
        QTest::newRow("no UTF-8") << QByteArray("ff41") << "text"
                                  << "no UTF-8"
                                  << "";
    }

    void reads()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        const auto raw = bytesOf(bytes);
        int found = 0;
        for (const ByteReading& each : readings(raw)) {
            if (each.name == name) {
                ++found;
                QTEST(each.little, "little");
                QTEST(each.big, "big");
            }
        }
        QCOMPARE(found, 1);
    }

    void writes()
    {
        const auto bytes = bytesOf("474755460300275c");
        QCOMPARE(written(bytes, ByteForm::Hex), QString("47 47 55 46 03 00 27 5c"));
        QCOMPARE(written(bytes, ByteForm::Python), QString("b'GGUF\\x03\\x00\\'\\\\'"));
        QCOMPARE(written(bytes, ByteForm::CArray),
                 QString("static const unsigned char bytes[8] = {\n"
                         "    0x47, 0x47, 0x55, 0x46, 0x03, 0x00, 0x27, 0x5c,\n};\n"));
        QCOMPARE(written(bytesOf("e282ac"), ByteForm::Text), QString("€"));
        QCOMPARE(written({}, ByteForm::Hex), QString());
    }
};

QTEST_APPLESS_MAIN(TestByteWords)
#include "tst_byte_words.moc"
