#include "ui/inspector/byte_search.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <cstring>

namespace {

constexpr std::uint64_t kPiece = 4 << 20; // bytes between two looks at the stop token

using Bytes = std::span<const std::byte>;
using Found = std::optional<std::uint64_t>;

Found firstIn(Bytes bytes, const QByteArray& pattern)
{
    const auto* found = static_cast<const std::byte*>(memmem(
        bytes.data(), bytes.size(), pattern.constData(), static_cast<std::size_t>(pattern.size())));
    return found == nullptr ? Found() : static_cast<std::uint64_t>(found - bytes.data());
}

Found lastIn(Bytes bytes, const QByteArray& pattern)
{
    Found last;
    for (auto found = firstIn(bytes, pattern); found;
         found = firstIn(bytes.subspan(*last + 1), pattern)) {
        last = *found + (last ? *last + 1 : 0);
    }
    return last;
}

/// Matches that begin within [begin, end), the nearest to where the search began.
Found findIn(Bytes bytes, const QByteArray& pattern, std::uint64_t begin, std::uint64_t end,
             bool forward, const app::TaskControl& control, std::uint64_t& done)
{
    const auto tail = static_cast<std::uint64_t>(pattern.size()) - 1;
    while (begin < end && !control.stop.stop_requested()) {
        const std::uint64_t size = std::min(kPiece, end - begin);
        const std::uint64_t start = forward ? begin : end - size;
        const std::uint64_t read = std::min<std::uint64_t>(size + tail, bytes.size() - start);
        const Bytes piece = bytes.subspan(start, read);
        const Found found = forward ? firstIn(piece, pattern) : lastIn(piece, pattern);
        if (found) {
            return start + *found;
        }
        forward ? begin += size : end -= size;
        done += size;
        control.progress(static_cast<double>(done) / static_cast<double>(bytes.size()));
    }
    return std::nullopt;
}

} // namespace

std::optional<QByteArray> searchPattern(const QString& text)
{
    if (text.size() > 2 && text.startsWith(u'"') && text.endsWith(u'"')) {
        return text.mid(1, text.size() - 2).toUtf8();
    }
    static const QRegularExpression kHex(QStringLiteral("^(0[xX])?([0-9a-fA-F]{2}\\s*)+$"));
    static const QRegularExpression kPairs(QStringLiteral("^([0-9a-fA-F]{2}\\s+)+[0-9a-fA-F]{2}$"));
    const QString trimmed = text.trimmed();
    const bool isPrefixed = trimmed.startsWith(QLatin1String("0x"), Qt::CaseInsensitive);
    if (kPairs.match(trimmed).hasMatch() || (isPrefixed && kHex.match(trimmed).hasMatch())) {
        return QByteArray::fromHex((isPrefixed ? trimmed.mid(2) : trimmed).toLatin1());
    }
    return text.isEmpty() ? std::nullopt : std::optional(text.toUtf8());
}

std::optional<std::uint64_t> findBytes(std::span<const std::byte> bytes, const QByteArray& pattern,
                                       std::uint64_t from, bool forward,
                                       const app::TaskControl& control)
{
    if (pattern.isEmpty() || static_cast<std::uint64_t>(pattern.size()) > bytes.size()) {
        return std::nullopt;
    }
    const std::uint64_t middle = std::min<std::uint64_t>(from, bytes.size());
    std::uint64_t done = 0;
    const auto after = [&] {
        return findIn(bytes, pattern, middle, bytes.size(), forward, control, done);
    };
    const auto before = [&] { return findIn(bytes, pattern, 0, middle, forward, control, done); };
    const Found found = forward ? after() : before();
    return found ? found : forward ? before() : after();
}
