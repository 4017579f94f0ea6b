#include "ui/inspector/figures.h"

#include "engine/gguf/printable.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

#include <array>
#include <charconv>

namespace figures {

namespace {

constexpr int kGroup = 4; // digits of an offset

QString tr(const char* text)
{
    return QCoreApplication::translate("Figures", text);
}

} // namespace

QString size(quint64 bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

QString count(quint64 number)
{
    return QLocale().toString(number);
}

QString bytes(quint64 number)
{
    return number == 1 ? tr("1 byte") : tr("%1 bytes").arg(count(number));
}

QString tensors(quint64 number)
{
    return number == 1 ? tr("1 tensor") : tr("%1 tensors").arg(count(number));
}

QString weights(quint64 number)
{
    return number == 1 ? tr("1 weight") : tr("%1 weights").arg(count(number));
}

QString shortCount(quint64 number)
{
    constexpr double kStep = 1000;
    static constexpr std::array<const char*, 5> kUnits { "", " K", " M", " G", " T" };
    double scaled = static_cast<double>(number);
    std::size_t unit = 0;
    while (scaled >= kStep && unit + 1 < kUnits.size()) {
        scaled /= kStep;
        ++unit;
    }
    return QLocale().toString(scaled, 'f', unit == 0 ? 0 : 1) + QLatin1String(kUnits[unit]);
}

QString offset(quint64 offset)
{
    QString digits = QString::number(offset, 16).toUpper();
    const auto whole = std::max<qsizetype>(2, (digits.size() + kGroup - 1) / kGroup) * kGroup;
    digits = digits.rightJustified(whole, u'0');
    for (qsizetype at = digits.size() - kGroup; at > 0; at -= kGroup) {
        digits.insert(at, u'_');
    }
    return QStringLiteral("0x") + digits;
}

QString place(const engine::gguf::GgufFile& file, quint64 at)
{
    if (!file.hasSeveralFiles()) {
        return offset(at);
    }
    if (const auto* part = file.partAt(at)) {
        return tr("part %1 · %2").arg(part->number + 1).arg(offset(at - part->span.offset));
    }
    return at < file.bytes().size() ? tr("between two parts") : tr("outside of its part");
}

QString address(const engine::gguf::GgufFile& file, quint64 at)
{
    if (!file.hasSeveralFiles()) {
        return offset(at);
    }
    const auto* part = file.partAt(at);
    return part == nullptr
        ? QStringLiteral("–")
        : QStringLiteral("%1:%2").arg(part->number + 1).arg(offset(at - part->span.offset));
}

quint64 sizeOf(const engine::gguf::GgufFile& file)
{
    quint64 size = 0;
    for (const auto& part : file.parts()) {
        size += part.span.size;
    }
    return size;
}

QString share(quint64 part, quint64 whole)
{
    constexpr double kPercent = 100;
    if (whole == 0) {
        return {};
    }
    const double percent = kPercent * static_cast<double>(part) / static_cast<double>(whole);
    constexpr double kSmallest = 0.05;
    if (part > 0 && percent < kSmallest) {
        return tr("< %1 %").arg(QLocale().toString(0.1, 'f', 1));
    }
    return tr("%1 %").arg(QLocale().toString(percent, 'f', 1));
}

QString duration(quint64 nanoseconds)
{
    constexpr double kMicrosecond = 1e3;
    constexpr double kMillisecond = 1e6;
    const auto time = static_cast<double>(nanoseconds);
    if (time < kMillisecond) {
        return tr("%1 µs").arg(
            QLocale().toString(time / kMicrosecond, 'f', time < 10 * kMicrosecond ? 1 : 0));
    }
    return tr("%1 ms").arg(QLocale().toString(time / kMillisecond, 'f', 1));
}

QString shape(const engine::gguf::TensorInfo& tensor)
{
    QStringList lengths;
    for (std::uint32_t at = 0; at < std::min(tensor.dimensions, 4U); ++at) {
        lengths << count(tensor.shape[at]);
    }
    return lengths.isEmpty() ? QStringLiteral("1") : lengths.join(QStringLiteral(" × "));
}

QString type(const engine::gguf::TensorInfo& tensor)
{
    if (const auto* info = tensor.typeInfo()) {
        return QString::fromUtf8(info->name.data(), static_cast<qsizetype>(info->name.size()));
    }
    const auto former = engine::gguf::formerTensorTypeName(tensor.typeNumber);
    return former.empty() ? tr("type %1").arg(tensor.typeNumber)
                          : QString::fromUtf8(former.data(), static_cast<qsizetype>(former.size()));
}

QString type(const engine::gguf::Value& value)
{
    using engine::gguf::ValueType;
    const bool isArray = value.type() == ValueType::Array;
    const auto name = valueTypeName(isArray ? value.elementType() : value.type());
    const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    return isArray ? QStringLiteral("%1[%2]").arg(text, count(value.count())) : text;
}

QString bits(const engine::gguf::TensorInfo& tensor)
{
    const auto* info = tensor.typeInfo();
    return info != nullptr ? QLocale().toString(info->bitsPerWeight(), 'f', 2) : QString();
}

QString printable(std::string_view text, std::size_t most)
{
    return QString::fromStdString(engine::gguf::printable(text, most));
}

int layer(std::string_view name)
{
    constexpr std::string_view kBlock = "blk.";
    if (!name.starts_with(kBlock)) {
        return -1;
    }
    int number = -1;
    const char* end = name.data() + name.size();
    const auto [after, error] = std::from_chars(name.data() + kBlock.size(), end, number);
    return error == std::errc() && after != end && *after == '.' && number >= 0 ? number : -1;
}

} // namespace figures
