#include "ui/inspector/hex_view_model.h"

#include "ui/inspector/byte_search.h"
#include "ui/inspector/byte_words.h"
#include "ui/inspector/figures.h"

#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>

using app::LatestTask;
using app::TaskControl;
using engine::gguf::ByteSpan;

namespace {

constexpr quint64 kLargestType = 8; // bytes

/// "0x400", "1_024", "1,024".
std::optional<quint64> placeIn(const QString& text)
{
    QString digits = text.trimmed();
    for (const QChar separator : { QChar(u'_'), QChar(u','), QChar(u' ') }) {
        digits.remove(separator);
    }
    bool isNumber = false;
    const bool isHex = digits.startsWith(QLatin1String("0x"), Qt::CaseInsensitive);
    const quint64 number =
        isHex ? digits.mid(2).toULongLong(&isNumber, 16) : digits.toULongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace

HexViewModel::HexViewModel(InspectorSelection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_search("vitrine-search")
{
    connect(&selection, &InspectorSelection::changed, this, &HexViewModel::followSelection);
    connect(&m_search, &LatestTask::changed, this, &HexViewModel::searchChanged);
}

void HexViewModel::setFile(const FieldFinder::File& file)
{
    m_search.stop();
    m_file = file;
    m_finder = FieldFinder(file);
    m_cursor = m_anchor = 0;
    setNote({});
    Q_EMIT fileChanged();
    followSelection();
    update();
}

std::span<const std::byte> HexViewModel::bytes() const
{
    return m_file ? m_file->bytes() : std::span<const std::byte>();
}

void HexViewModel::followSelection()
{
    const auto span = m_selection.span();
    if (m_moving || span.size == 0) {
        return;
    }
    m_cursor = m_anchor = span.offset;
    update();
}

void HexViewModel::update()
{
    m_field = m_finder.at(m_cursor);
    Q_EMIT cursorChanged();
}

QString HexViewModel::placeOf(quint64 offset) const
{
    return m_file ? figures::place(*m_file, offset) : figures::offset(offset);
}

QString HexViewModel::addressOf(quint64 offset) const
{
    return m_file ? figures::address(*m_file, offset) : figures::offset(offset);
}

QString HexViewModel::cursorText() const
{
    const auto* part = m_file ? m_file->partAt(m_cursor) : nullptr;
    return isInParts() && part == nullptr
        ? placeOf(m_cursor)
        : QStringLiteral("%1 (%2)").arg(
            placeOf(m_cursor), figures::count(m_cursor - (isInParts() ? part->span.offset : 0)));
}

QVariantList HexViewModel::readings() const
{
    QVariantList list;
    if (m_cursor >= bytes().size()) {
        return list;
    }
    const auto rest = bytes().subspan(m_cursor);
    for (const ByteReading& each :
         ::readings(rest.first(std::min<quint64>(rest.size(), kLargestType)))) {
        list << QVariantMap { { QStringLiteral("name"), each.name },
                              { QStringLiteral("little"), each.little },
                              { QStringLiteral("big"), each.big } };
    }
    return list;
}

QString HexViewModel::selectionText() const
{
    const auto span = m_selection.span();
    return span.size < 2
        ? QString()
        : tr("%1 selected, %2 … %3")
              .arg(figures::bytes(span.size), placeOf(span.offset), placeOf(span.end() - 1));
}

void HexViewModel::moveBy(double bytes, bool extend)
{
    moveTo(std::max(0.0, cursor() + bytes), extend);
}

void HexViewModel::moveTo(double offset, bool extend)
{
    if (!m_file) {
        return;
    }
    m_cursor = static_cast<quint64>(std::clamp(offset, 0.0, fileSize() - 1));
    if (!extend) {
        m_anchor = m_cursor;
    }
    const auto [first, last] = std::minmax(m_anchor, m_cursor);
    m_moving = true;
    m_selection.move(static_cast<double>(first), static_cast<double>(last - first + 1));
    m_moving = false;
    setNote({});
    update();
}

std::optional<ByteSpan> HexViewModel::rangeFor(QString& text) const
{
    if (!isInParts()) {
        return ByteSpan { 0, bytes().size() };
    }
    const qsizetype colon = text.indexOf(u':');
    if (colon < 0) {
        const auto* part = m_file->partAt(m_cursor);
        return part != nullptr ? std::optional(part->span) : std::nullopt;
    }
    const uint number = text.left(colon).toUInt();
    text.remove(0, colon + 1);
    for (const auto& part : m_file->parts()) {
        if (part.number + 1 == number) {
            return part.span;
        }
    }
    return std::nullopt;
}

bool HexViewModel::goTo(const QString& text)
{
    const QString trimmed = text.trimmed();
    const bool isBack = trimmed.startsWith(u'-');
    const bool isRelative = isBack || trimmed.startsWith(u'+');
    QString number = isRelative ? trimmed.mid(1) : trimmed;
    const auto range =
        isRelative ? std::optional(ByteSpan { 0, bytes().size() }) : rangeFor(number);
    const auto place = range ? placeIn(number) : std::nullopt;
    if (!place) {
        setNote((isInParts() ? tr("“%1” is no offset. Write it like 1024, 0x400, 2:0x400 (in the "
                                  "second part), +16 or -16.")
                             : tr("“%1” is no offset. Write it like 1024, 0x400, +16 or -16."))
                    .arg(trimmed));
        return false;
    }
    const auto wanted = static_cast<double>(*place);
    const double offset = !isRelative ? static_cast<double>(range->offset) + wanted
                                      : cursor() + (isBack ? -wanted : wanted);
    if (offset < 0 || offset >= static_cast<double>(range->end())) {
        const auto* part = isInParts() && !isRelative ? m_file->partAt(range->offset) : nullptr;
        setNote(part != nullptr
                    ? tr("Part %1 has %2.").arg(part->number + 1).arg(figures::bytes(range->size))
                    : tr("The file has %1.").arg(figures::bytes(bytes().size())));
        return false;
    }
    setNote({});
    visit(offset);
    return true;
}

void HexViewModel::find(const QString& text, bool forward)
{
    const auto pattern = searchPattern(text);
    setNote({});
    if (!m_file || !pattern) {
        return;
    }
    m_search.start([this, file = m_file, pattern = *pattern, forward,
                    from = m_cursor + (forward ? 1 : 0)](const TaskControl& control) {
        const auto found = findBytes(file->bytes(), pattern, from, forward, control);
        return LatestTask::Delivery([this, found, size = pattern.size()] {
            if (found) {
                m_selection.selectBytes(static_cast<double>(*found), static_cast<double>(size));
            } else {
                setNote(tr("The file does not hold these bytes."));
            }
        });
    });
}

void HexViewModel::selectField()
{
    m_selection.selectBytes(static_cast<double>(m_field.span.offset),
                            static_cast<double>(m_field.span.size));
}

QString HexViewModel::copied(HexViewModel::Form form)
{
    const auto span = m_selection.span();
    if (span.size > kMostCopied) {
        setNote(tr("%1 are too many for the clipboard (%2 at most). Save the tensor or value "
                   "as a file instead.")
                    .arg(figures::bytes(span.size), figures::bytes(kMostCopied)));
        return {};
    }
    if (span.size == 0 || span.end() > bytes().size()) {
        return {};
    }
    static constexpr ByteForm kForms[] = { ByteForm::Hex, ByteForm::CArray, ByteForm::Python,
                                           ByteForm::Text };
    return written(bytes().subspan(span.offset, span.size), kForms[form]);
}

void HexViewModel::setNote(const QString& note)
{
    if (note != m_note) {
        m_note = note;
        Q_EMIT noteChanged();
    }
}
