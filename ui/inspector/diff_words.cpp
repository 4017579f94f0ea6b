#include "ui/inspector/diff_words.h"

#include "ui/inspector/figures.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include <algorithm>
#include <cstdlib>
#include <string_view>

using engine::eval::DataDiff;
using engine::eval::DataState;
using engine::gguf::DiffState;
using engine::gguf::MetadataDiff;
using engine::gguf::TensorDiff;
using engine::gguf::Value;
using engine::gguf::ValueType;

namespace diff_words {

namespace {

constexpr std::size_t kShortText = 200;
constexpr std::size_t kWholeText = 64 * 1024; // two of them are laid out at once

QString tr(const char* text)
{
    return QCoreApplication::translate("DiffWords", text);
}

QString elements(const Value& array, int most, std::size_t mostText)
{
    QStringList shown;
    auto cursor = array.elements();
    for (auto element = cursor.next(); element && shown.size() < most; element = cursor.next()) {
        shown << figures::printable(element->display(mostText), 2 * mostText);
    }
    if (static_cast<std::uint64_t>(shown.size()) < array.count()) {
        shown << QStringLiteral("…");
    }
    return u'[' + shown.join(QStringLiteral(", ")) + u']';
}

QString only(DiffState state)
{
    return state == DiffState::OnlyInA ? tr("only in A") : tr("only in B");
}

bool isOnlyInOne(DiffState state)
{
    return state == DiffState::OnlyInA || state == DiffState::OnlyInB;
}

QString elementOrEnd(const std::optional<Value>& element)
{
    constexpr std::size_t kElementText = 40;
    return element ? figures::printable(element->display(kElementText), 2 * kElementText)
                   : tr("(past the end)");
}

/// Where two long texts part, with a little of what follows.
QString partingOf(std::string_view a, std::string_view b)
{
    constexpr std::size_t kSeenAtOnce = 60;
    constexpr std::size_t kShown = 40;
    if (a == b || (a.size() <= kSeenAtOnce && b.size() <= kSeenAtOnce)) {
        return {};
    }
    const auto parted = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    auto at = static_cast<std::size_t>(parted.first - a.begin());
    // Back to the first byte of the character.
    while (at > 0 && at < a.size() && (static_cast<unsigned char>(a[at]) & 0xc0U) == 0x80U) {
        --at;
    }
    const auto rest = [at](std::string_view text) {
        return at < text.size() ? u'"' + figures::printable(text.substr(at), kShown) + u'"'
                                : tr("(the end)");
    };
    return tr("They differ from byte %1 on: %2 / %3").arg(figures::count(at), rest(a), rest(b));
}

} // namespace

QString symbol(DiffState state)
{
    switch (state) {
    case DiffState::Same:
        return QStringLiteral("=");
    case DiffState::Different:
        return QStringLiteral("≠");
    case DiffState::OnlyInA:
        return QStringLiteral("−");
    case DiffState::OnlyInB:
        break;
    }
    return QStringLiteral("+");
}

QString state(const MetadataDiff& diff)
{
    if (isOnlyInOne(diff.state)) {
        return only(diff.state);
    }
    if (diff.state == DiffState::Same) {
        return tr("same");
    }
    return diff.isTypeDifferent ? tr("type differs") : tr("value differs");
}

QString state(const TensorDiff& diff, const DataDiff& data)
{
    if (isOnlyInOne(diff.state)) {
        return only(diff.state);
    }
    if (diff.state == DiffState::Different) {
        return !diff.isTypeDifferent ? tr("shape differs")
            : diff.isShapeDifferent  ? tr("shape, type differ")
                                     : tr("type differs");
    }
    switch (data.state) {
    case DataState::Same:
        return tr("same weights");
    case DataState::Different:
        return tr("weights differ");
    default:
        return tr("same");
    }
}

QString note(const ComparedFiles& files, const MetadataDiff& diff)
{
    if (!diff.a || !diff.b) {
        return {};
    }
    if (!diff.array) {
        const auto a = files.a->metadata()[*diff.a].value.asText();
        const auto b = files.b->metadata()[*diff.b].value.asText();
        return a && b ? partingOf(*a, *b) : QString();
    }
    const auto& array = *diff.array;
    const std::uint64_t all = std::max(files.a->metadata()[*diff.a].value.count(),
                                       files.b->metadata()[*diff.b].value.count());
    return (array.different == 1 ? tr("1 of %2 elements differs, at %3: %4 / %5")
                                 : tr("%1 of %2 elements differ, the first at %3: %4 / %5")
                                       .arg(figures::count(array.different)))
        .arg(figures::count(all), figures::count(array.first), elementOrEnd(array.a),
             elementOrEnd(array.b));
}

QString weights(const ComparedFiles& files, const TensorDiff& diff, const DataDiff& data)
{
    switch (data.state) {
    case DataState::Unknown:
        return isOnlyInOne(diff.state) || diff.state == DiffState::Different
            ? QString()
            : tr("The weights have not been compared.");
    case DataState::Same:
        return tr("The weights are the same, byte for byte.");
    case DataState::Missing:
        return tr("A file does not hold all of these weights.");
    case DataState::NotComparable:
        return diff.a && diff.b && files.a->header().bigEndian != files.b->header().bigEndian
            ? tr("Weights are not compared across byte orders.")
            : QString();
    case DataState::Different:
        break;
    }
    const auto& tensor = files.a->tensors()[*diff.a];
    const auto* type = tensor.typeInfo();
    const bool isPlain = type == nullptr || type->blockSize == 1;
    const std::uint64_t perRow =
        std::max<std::uint64_t>(1, tensor.shape[0] / (isPlain ? 1 : type->blockSize));
    return (isPlain ? tr("%1 of %2 weights differ, the first in row %3 at %4.")
                    : tr("%1 of %2 blocks differ, the first is block %4 of row %3."))
        .arg(figures::count(data.different), figures::count(data.blocks),
             figures::count(data.first / perRow), figures::count(data.first % perRow));
}

QString sizeDifference(qint64 bytes)
{
    if (bytes == 0) {
        return QStringLiteral("=");
    }
    const QString amount = figures::size(static_cast<quint64>(std::abs(bytes)));
    return (bytes > 0 ? QStringLiteral("+%1") : QStringLiteral("−%1")).arg(amount);
}

QString shortValue(const Value& value)
{
    constexpr int kShownElements = 8;
    constexpr std::size_t kElementText = 24;
    return value.type() == ValueType::Array
        ? elements(value, kShownElements, kElementText)
        : figures::printable(value.display(kShortText), 2 * kShortText);
}

QString wholeValue(const Value& value)
{
    if (value.type() == ValueType::Array) {
        constexpr int kShownElements = 100;
        constexpr std::size_t kElementText = 60;
        return elements(value, kShownElements, kElementText);
    }
    const auto text = value.asText();
    if (!text) {
        return QString::fromStdString(value.display());
    }
    const auto shown = text->substr(0, kWholeText);
    QString decoded = QString::fromUtf8(shown.data(), static_cast<qsizetype>(shown.size()));
    decoded.replace(QChar(0), QChar(0x2400)); // ends a text in many places
    return shown.size() < text->size() ? decoded + QStringLiteral(" …") : decoded;
}

} // namespace diff_words
