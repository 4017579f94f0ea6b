// The cursor over file bytes: both endians, and no read past the end.
#include "engine/base/byte_reader.h"

#include <QTest>

#include <array>
#include <string>

using engine::ByteReader;

namespace {

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

const std::string kBytes("\x01\x02\x03\x04\x05\x06\x07\x88", 8);

} // namespace

class TestByteReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsLittleEndian()
    {
        ByteReader reader(bytesOf(kBytes));
        QCOMPARE(reader.read<std::uint8_t>().value(), std::uint8_t(0x01));
        QCOMPARE(reader.read<std::uint16_t>().value(), std::uint16_t(0x0302)); // unaligned
        QCOMPARE(reader.read<std::uint32_t>().value(), 0x07060504U);
        QCOMPARE(reader.read<std::int8_t>().value(), std::int8_t(-120));
        QCOMPARE(reader.remaining(), std::uint64_t(0));
        QVERIFY(reader.seek(0));
        QCOMPARE(reader.read<std::uint64_t>().value(), std::uint64_t(0x8807060504030201));
        QVERIFY(reader.seek(0));
        QCOMPARE(reader.read<std::int64_t>().value(), std::int64_t(0x8807060504030201));
    }

    void readsBigEndian()
    {
        ByteReader reader(bytesOf(kBytes), ByteReader::Endian::Big);
        QCOMPARE(reader.read<std::uint16_t>().value(), std::uint16_t(0x0102));
        QCOMPARE(reader.read<std::int32_t>().value(), 0x03040506);
        QCOMPARE(reader.read<std::int16_t>().value(), std::int16_t(0x0788));
        const std::string one("\x3F\x80\x00\x00\x3F\xF0\x00\x00\x00\x00\x00\x00", 12);
        ByteReader floats(bytesOf(one), ByteReader::Endian::Big);
        QCOMPARE(floats.read<float>().value(), 1.0F);
        QCOMPARE(floats.read<double>().value(), 1.0);
    }

    void staysInsideAndInPlace()
    {
        ByteReader reader(bytesOf(kBytes));
        QVERIFY(reader.skip(5));
        QVERIFY(!reader.read<std::uint32_t>());
        QVERIFY(!reader.read<double>());
        QVERIFY(!reader.skip(4));
        QVERIFY(!reader.skip(~std::uint64_t(0))); // must not wrap
        QVERIFY(!reader.seek(9));
        QVERIFY(!reader.readText(4));
        QVERIFY(!reader.readText(~std::uint64_t(0)));
        QCOMPARE(reader.position(), std::uint64_t(5));
        QVERIFY(reader.skip(3));
        QVERIFY(!reader.read<std::uint8_t>());
        QVERIFY(reader.readText(0).has_value());
        QVERIFY(reader.seek(8));
    }

    void readsNothingOfNothing()
    {
        ByteReader reader({});
        QVERIFY(!reader.read<std::uint8_t>());
        QCOMPARE(reader.readText(0).value().size(), std::size_t(0));
        QVERIFY(!reader.readText(1));
        QVERIFY(reader.seek(0));
    }

    void givesTextAsAView()
    {
        const std::string text("a\0\xFFz", 4);
        ByteReader reader(bytesOf(text));
        const auto view = reader.readText(4);
        QVERIFY(view.has_value());
        QCOMPARE(*view, std::string_view(text));
        QCOMPARE(static_cast<const void*>(view->data()), static_cast<const void*>(text.data()));
    }
};

QTEST_APPLESS_MAIN(TestByteReader)
#include "tst_byte_reader.moc"
