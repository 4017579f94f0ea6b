#include "ui/inspector/byte_words.h"

#include "engine/base/byte_reader.h"
#include "engine/quant/codec.h"

#include <QtCore/QCoreApplication>

#include <array>
#include <charconv>
#include <optional>

using engine::ByteReader;
using Endian = engine::ByteReader::Endian;

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kRowBytes = 12; // in a C array

template <typename T>
QString numberText(T number)
{
    std::array<char, 40> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return QString::fromLatin1(text.data(), end.ptr - text.data());
}

template <typename T>
QString reading(Bytes bytes, Endian endian)
{
    const auto number = ByteReader(bytes, endian).read<T>();
    return number ? numberText(*number) : QString();
}

template <typename T>
ByteReading plain(const char* name, Bytes bytes)
{
    return { QLatin1String(name), reading<T>(bytes, Endian::Little),
             sizeof(T) == 1 ? QString() : reading<T>(bytes, Endian::Big) };
}

ByteReading halves(const char* name, Bytes bytes, float (*decode)(std::uint16_t))
{
    const auto text = [&](Endian endian) {
        const auto bits = ByteReader(bytes, endian).read<std::uint16_t>();
        return bits ? numberText(decode(*bits)) : QString();
    };
    return { QLatin1String(name), text(Endian::Little), text(Endian::Big) };
}

/// The UTF-8 character that begins here.
QString character(Bytes bytes)
{
    constexpr std::size_t kLongest = 4;
    for (std::size_t size = 1; size <= std::min(kLongest, bytes.size()); ++size) {
        const auto text = ByteReader(bytes).readText(size);
        const QString decoded =
            QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size()));
        if (!decoded.contains(QChar::ReplacementCharacter)) {
            const char32_t code = decoded.toUcs4().value(0);
            const QString number =
                QStringLiteral("U+%1").arg(code, 4, 16, QLatin1Char('0')).toUpper();
            return QChar::isPrint(code) ? decoded + u' ' + number : number;
        }
    }
    return QCoreApplication::translate("ByteWords", "no UTF-8");
}

QString hex(std::byte byte)
{
    return QStringLiteral("%1").arg(std::to_integer<int>(byte), 2, 16, QLatin1Char('0'));
}

QString cArray(Bytes bytes)
{
    QString text = QStringLiteral("static const unsigned char bytes[%1] = {").arg(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        text += at % kRowBytes == 0 ? QStringLiteral("\n    ") : QStringLiteral(" ");
        text += QStringLiteral("0x") + hex(bytes[at]) + u',';
    }
    return text + QStringLiteral("\n};\n");
}

QString python(Bytes bytes)
{
    constexpr int kFirst = 0x20;
    constexpr int kLast = 0x7e;
    QString text = QStringLiteral("b'");
    for (const std::byte byte : bytes) {
        const int code = std::to_integer<int>(byte);
        if (code == '\\' || code == '\'') {
            text += u'\\';
            text += QChar(code);
        } else if (code >= kFirst && code <= kLast) {
            text += QChar(code);
        } else {
            text += QStringLiteral("\\x") + hex(byte);
        }
    }
    return text + u'\'';
}

QString hexText(Bytes bytes)
{
    QString text;
    text.reserve(static_cast<qsizetype>(3 * bytes.size()));
    for (const std::byte byte : bytes) {
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + hex(byte);
    }
    return text;
}

} // namespace

QList<ByteReading> readings(std::span<const std::byte> bytes)
{
    return { plain<std::uint8_t>("u8", bytes),
             plain<std::int8_t>("i8", bytes),
             plain<std::uint16_t>("u16", bytes),
             plain<std::int16_t>("i16", bytes),
             plain<std::uint32_t>("u32", bytes),
             plain<std::int32_t>("i32", bytes),
             plain<std::uint64_t>("u64", bytes),
             plain<std::int64_t>("i64", bytes),
             halves("f16", bytes, engine::quant::halfToFloat),
             halves("bf16", bytes, engine::quant::bfloatToFloat),
             plain<float>("f32", bytes),
             plain<double>("f64", bytes),
             { QCoreApplication::translate("ByteWords", "text"), character(bytes), {} } };
}

QString written(std::span<const std::byte> bytes, ByteForm form)
{
    switch (form) {
    case ByteForm::Hex:
        return hexText(bytes);
    case ByteForm::CArray:
        return cArray(bytes);
    case ByteForm::Python:
        return python(bytes);
    case ByteForm::Text:
        break;
    }
    const auto text = ByteReader(bytes).readText(bytes.size());
    return text ? QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size())) : QString();
}
