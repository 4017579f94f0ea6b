#include "ui/inspector/hex_pane.h"

#include "ui/inspector/figures.h"

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include <algorithm>
#include <array>
#include <cmath>

using engine::gguf::ByteSpan;
using engine::gguf::Section;

namespace {

constexpr int kRowBytes = HexViewModel::kRowBytes;
constexpr double kLineHeight = 1.5;
constexpr double kByteCells = 3; // a byte and the space behind it
constexpr double kGapCells = 1; // between the halves of a row

QChar shown(std::byte byte)
{
    constexpr int kFirst = 0x20;
    constexpr int kLast = 0x7e;
    const int code = std::to_integer<int>(byte);
    return code >= kFirst && code <= kLast ? QChar(code) : QChar(u'·');
}

QString hexDigits(std::byte byte)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto code = std::to_integer<unsigned>(byte);
    return QString(QLatin1Char(kDigits[code >> 4U])) + QLatin1Char(kDigits[code & 15U]);
}

} // namespace

double HexPane::Columns::byteX(int column) const
{
    return bytes + (kByteCells * column + (column >= kRowBytes / 2 ? kGapCells : 0)) * cell;
}

HexPane::HexPane(QQuickItem* parent)
    : QQuickPaintedItem(parent)
{
    setOpaquePainting(false);
    connect(this, &HexPane::lookChanged, this, [this] { update(); });
    connect(this, &HexPane::lookChanged, this, &HexPane::rowsChanged);
}

void HexPane::setHex(HexViewModel* hex)
{
    if (hex == m_hex) {
        return;
    }
    if (m_hex) {
        disconnect(m_hex, nullptr, this, nullptr);
    }
    m_hex = hex;
    if (hex != nullptr) {
        connect(hex, &HexViewModel::cursorChanged, this, &HexPane::follow);
        connect(hex, &HexViewModel::fileChanged, this, [this] {
            setTopRow(0);
            Q_EMIT rowsChanged();
            update();
        });
    }
    Q_EMIT hexChanged();
    Q_EMIT rowsChanged();
    follow();
}

double HexPane::rowCount() const
{
    return m_hex ? std::ceil(m_hex->fileSize() / kRowBytes) : 0;
}

int HexPane::rowsInView() const
{
    return std::max(1, static_cast<int>(height() / columns().height));
}

double HexPane::contentWidth() const
{
    const Columns place = columns();
    return place.characters + kRowBytes * place.cell;
}

void HexPane::setTopRow(double row)
{
    const double last = std::max(0.0, rowCount() - rowsInView());
    const auto wanted = static_cast<quint64>(std::clamp(std::floor(row), 0.0, last));
    if (wanted != m_topRow) {
        m_topRow = wanted;
        Q_EMIT topRowChanged();
        update();
    }
}

/// Keeps the cursor in view: by a row at the edge, in the upper third after a jump.
void HexPane::follow()
{
    if (!m_hex) {
        return;
    }
    const double row = std::floor(m_hex->cursor() / kRowBytes);
    const int inView = rowsInView();
    const double top = topRow();
    if (row < top - inView || row >= top + 2 * inView) {
        setTopRow(row - inView / 3); // NOLINT(bugprone-integer-division): whole rows
    } else if (row < top) {
        setTopRow(row);
    } else if (row >= top + inView) {
        setTopRow(row - inView + 1);
    }
    Q_EMIT spokenChanged();
    update();
}

void HexPane::geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry)
{
    QQuickPaintedItem::geometryChange(newGeometry, oldGeometry);
    if (newGeometry.size() != oldGeometry.size()) {
        setTopRow(topRow());
        Q_EMIT rowsChanged();
    }
}

QFont HexPane::font() const
{
    QFont font(m_family);
    font.setStyleStrategy(QFont::PreferNoShaping); // each byte in its cell: no ligatures
    font.setPixelSize(std::max(1, m_fontSize));
    return font;
}

/// Of the longest address.
int HexPane::addressDigits() const
{
    if (!m_hex || !m_hex->file()) {
        return static_cast<int>(figures::offset(0).size());
    }
    const engine::gguf::GgufFile& file = *m_hex->file();
    qsizetype digits = file.hasSeveralFiles() ? 0 : figures::offset(file.bytes().size()).size();
    for (const auto& part : file.parts()) {
        digits = std::max(digits, figures::address(file, part.span.end() - 1).size());
    }
    return static_cast<int>(digits);
}

HexPane::Columns HexPane::columns() const
{
    Columns place;
    place.cell = QFontMetricsF(font()).horizontalAdvance(u'0');
    place.height = std::ceil(m_fontSize * kLineHeight);
    place.digits = addressDigits();
    place.bytes = (place.digits + 1) * place.cell;
    place.characters = place.byteX(kRowBytes);
    return place;
}

double HexPane::byteAt(double x, double y) const
{
    const Columns place = columns();
    if (!m_hex || y < 0) {
        return -1;
    }
    const double row = topRow() + std::floor(y / place.height);
    int column = 0;
    if (x >= place.characters - place.cell) {
        column = static_cast<int>((x - place.characters) / place.cell);
    } else {
        while (column + 1 < kRowBytes && x >= place.byteX(column + 1) - place.cell / 2) {
            ++column;
        }
    }
    const double offset = row * kRowBytes + std::clamp(column, 0, kRowBytes - 1);
    return offset < m_hex->fileSize() ? offset : m_hex->fileSize() - 1;
}

QColor HexPane::inkAt(quint64 offset) const
{
    const Section* section = m_hex->finder().sectionAt(offset);
    switch (section != nullptr ? section->kind : Section::Kind::Trailing) {
    case Section::Kind::Header:
        return m_header;
    case Section::Kind::Metadata:
        return m_metadata;
    case Section::Kind::Directory:
        return m_directory;
    case Section::Kind::Data:
        return m_text;
    default:
        return m_dim;
    }
}

void HexPane::paint(QPainter* painter)
{
    if (!m_hex || !m_hex->file()) {
        return;
    }
    painter->setFont(font());
    const Columns place = columns();
    const auto rows = static_cast<quint64>(rowCount());
    for (int line = 0; line * place.height < height() && m_topRow + line < rows; ++line) {
        paintRow(*painter, place, m_topRow + line, line * place.height);
    }
}

void HexPane::paintRow(QPainter& painter, const Columns& place, quint64 row, double y) const
{
    const auto bytes = m_hex->file()->bytes();
    const quint64 start = row * kRowBytes;
    const int count = static_cast<int>(std::min<quint64>(kRowBytes, bytes.size() - start));
    const double baseline = y + (place.height + QFontMetricsF(painter.font()).capHeight()) / 2;
    paintMarks(painter, place, start, count, y);
    painter.setPen(m_dim);
    painter.drawText(QPointF(0, baseline),
                     figures::address(*m_hex->file(), start).rightJustified(place.digits, u' '));
    // Bytes of one colour and one half of the row at once.
    for (int column = 0; column < count;) {
        const QColor ink = inkAt(start + static_cast<quint64>(column));
        const int first = column;
        QString digits;
        QString characters;
        do {
            const std::byte byte = bytes[start + static_cast<quint64>(column)];
            digits += hexDigits(byte) + u' ';
            characters += shown(byte);
            ++column;
        } while (column < count && column % (kRowBytes / 2) != 0
                 && inkAt(start + static_cast<quint64>(column)) == ink);
        painter.setPen(ink);
        painter.drawText(QPointF(place.byteX(first), baseline), digits);
        painter.drawText(QPointF(place.characters + first * place.cell, baseline), characters);
    }
}

/// The field, the selection and the cursor, behind the text.
void HexPane::paintMarks(QPainter& painter, const Columns& place, quint64 start, int count,
                         double y) const
{
    struct Mark
    {
        ByteSpan span;
        QColor color;
    };
    const auto cursor = static_cast<quint64>(m_hex->cursor());
    const std::array marks { Mark { m_hex->field().span, m_field },
                             Mark { m_hex->selection().span(), m_selected },
                             Mark { { cursor, 1 }, m_cursorColor } };
    for (const Mark& mark : marks) {
        const quint64 first = std::max<quint64>(start, mark.span.offset);
        const quint64 end = std::min<quint64>(start + static_cast<quint64>(count), mark.span.end());
        if (first >= end) {
            continue;
        }
        const int from = static_cast<int>(first - start);
        const int to = static_cast<int>(end - start) - 1;
        const double left = place.byteX(from) - place.cell / 4;
        const double right = place.byteX(to) + 2.25 * place.cell;
        const QRectF inBytes(left, y, right - left, place.height);
        const QRectF inText(place.characters + from * place.cell, y, (to - from + 1) * place.cell,
                            place.height);
        if (mark.span.size == 1 && mark.color == m_cursorColor) {
            painter.setPen(QPen(mark.color, 2));
            painter.drawRect(inBytes.adjusted(1, 1, -1, -1));
            painter.drawLine(inText.bottomLeft(), inText.bottomRight());
        } else {
            painter.fillRect(inBytes, mark.color);
            painter.fillRect(inText, mark.color);
        }
    }
}

QString HexPane::spoken() const
{
    if (!m_hex || !m_hex->file()) {
        return {};
    }
    const auto bytes = m_hex->file()->bytes();
    const auto cursor = static_cast<quint64>(m_hex->cursor());
    return cursor >= bytes.size() ? QString()
                                  : QStringLiteral("%1: %2, %3")
                                        .arg(figures::place(*m_hex->file(), cursor),
                                             hexDigits(bytes[cursor]), m_hex->fieldName());
}
