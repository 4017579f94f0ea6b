// The link definitions ("[label]: target") met so far in a document that is parsed in parts.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/link_definitions.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QSet>

namespace {

constexpr qsizetype kMaxLine = 2'000;
constexpr qsizetype kMaxLabel = 999;
constexpr qsizetype kMaxLines = 10'000; ///< more labels than a reader could want; bounds the memory

QString keyOf(QStringView label)
{
    return label.toString().simplified().toCaseFolded();
}

} // namespace

bool LinkDefinitions::take(QStringView text)
{
    static const QRegularExpression kDefinition(QStringLiteral(
        R"(^\[((?:[^\[\]\\]|\\.)+)\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$)"));
    if (!text.startsWith(u'[') || text.size() > kMaxLine) {
        return false;
    }
    const QRegularExpressionMatch match = kDefinition.match(text.toString());
    if (!match.hasMatch() || match.capturedLength(1) > kMaxLabel) {
        return false;
    }
    const QString key = keyOf(match.capturedView(1));
    if (!key.isEmpty() && !m_lines.contains(key) && m_lines.size() < kMaxLines) {
        m_lines.insert(key, text.toString());
    }
    return !key.isEmpty();
}

QString LinkDefinitions::forSource(QStringView source) const
{
    if (m_lines.isEmpty()) {
        return {};
    }
    QString lines;
    QSet<QString> taken;
    qsizetype open = source.indexOf(u'[');
    while (open >= 0) {
        const qsizetype next = source.indexOf(u'[', open + 1);
        const QStringView inside =
            source.sliced(open + 1, (next < 0 ? source.size() : next) - open - 1);
        const qsizetype close = inside.indexOf(u']');
        if (close > 0 && close <= kMaxLabel) {
            const QString key = keyOf(inside.first(close));
            const auto found = m_lines.constFind(key);
            if (found != m_lines.constEnd() && !taken.contains(key)) {
                taken.insert(key);
                lines += *found + u'\n';
            }
        }
        open = next;
    }
    return lines.isEmpty() ? lines : lines + u'\n';
}
