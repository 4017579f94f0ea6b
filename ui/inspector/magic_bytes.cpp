#include "ui/inspector/magic_bytes.h"

#include "ui/inspector/figures.h"

#include <QtCore/QVariantMap>

namespace magic_bytes {

namespace {

constexpr qsizetype kLine = 16;
constexpr QByteArrayView kMagic = "GGUF";

QString hexOf(const QByteArray& bytes)
{
    return QString::fromLatin1(bytes.toHex(' ').toUpper());
}

/// ASCII as it is, a point for what has no sign.
QString textOf(const QByteArray& bytes)
{
    QString text;
    for (const char byte : bytes) {
        text += byte >= ' ' && byte <= '~' ? QLatin1Char(byte) : QLatin1Char('.');
    }
    return text;
}

} // namespace

QVariantList cells(const QByteArray& first)
{
    QVariantList list;
    for (qsizetype at = 0; at < kMagic.size(); ++at) {
        const QByteArray byte = first.mid(at, 1);
        list << QVariantMap { { QStringLiteral("hex"), hexOf(byte) },
                              { QStringLiteral("text"), textOf(byte) },
                              { QStringLiteral("wanted"), QString(QLatin1Char(kMagic[at])) },
                              { QStringLiteral("right"), byte == kMagic.sliced(at, 1) } };
    }
    return list;
}

QVariantList lines(const QByteArray& first)
{
    QVariantList list;
    for (qsizetype at = 0; at < first.size(); at += kLine) {
        const QByteArray line = first.mid(at, kLine);
        list << QVariantMap { { QStringLiteral("offset"),
                                figures::offset(static_cast<quint64>(at)) },
                              { QStringLiteral("hex"), hexOf(line) },
                              { QStringLiteral("text"), textOf(line) } };
    }
    return list;
}

} // namespace magic_bytes
