// The file map's properties and what is done to it; file_map_drawing.cpp draws it.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/file_map_item.h"

#include "ui/inspector/map/file_map_sizes.h"

#include <QtCore/QLocale>

#include <algorithm>

FileMapItem::FileMapItem(QQuickItem* parent)
    : ZoomableItem(parent)
{
    updateHeight();
}

void FileMapItem::setFile(const InspectedFile& file)
{
    if (file == m_file) {
        return;
    }
    m_file = file;
    rebuild();
    Q_EMIT fileChanged();
}

void FileMapItem::setMode(Scale mode)
{
    if (mode == m_mode) {
        return;
    }
    m_mode = mode;
    rebuild();
    Q_EMIT modeChanged();
}

void FileMapItem::rebuild()
{
    m_layout =
        StripLayout(m_file.gguf, m_mode == ToScale ? StripScale::ToScale : StripScale::Logarithmic);
    m_hovered.reset();
    m_cursor.reset();
    say({});
    colorsTaken();
    setPlane({ std::max(m_layout.length(), 1e-9), 1 });
    fit();
}

void FileMapItem::colorsTaken()
{
    m_sectionColors.clear();
    if (colors() == nullptr || !m_file.gguf) {
        return;
    }
    bool isOdd = false;
    for (const StripSection& part : m_layout.sections()) {
        uint type = 0;
        if (part.tensor >= 0) {
            type = m_file.gguf->tensors()[static_cast<std::size_t>(part.tensor)].typeNumber;
            isOdd = !isOdd; // neighbours of one type stay apart
        }
        const QColor color = colors()->sectionColor(part.section, type);
        m_sectionColors.push_back(part.tensor >= 0 && isOdd
                                      ? mixedColor(color, colors()->surface, file_map::kOddShade)
                                      : color);
    }
}

void FileMapItem::setSelectedOffset(qreal offset)
{
    if (offset != m_selectedOffset) {
        m_selectedOffset = offset;
        select();
    }
}

void FileMapItem::setSelectedSize(qreal size)
{
    if (size != m_selectedSize) {
        m_selectedSize = size;
        select();
    }
}

void FileMapItem::select()
{
    if (m_selectedOffset >= 0 && isZoomed()) {
        const auto first = static_cast<std::uint64_t>(m_selectedOffset);
        const auto size = static_cast<std::uint64_t>(std::max(m_selectedSize, 1.0));
        const double left = m_layout.placeOf(first);
        const double right = m_layout.placeOf(first + size);
        if (screenX(right) <= plot().left() || screenX(left) >= plot().right()) {
            changeView([&](ViewTransform& view) { view.reveal({ left, 0 }, { right, 1 }); });
        }
    }
    update();
    Q_EMIT selectionChanged();
}

void FileMapItem::setMarks(const QList<qreal>& marks)
{
    if (marks != m_marks) {
        m_marks = marks;
        update();
        Q_EMIT marksChanged();
    }
}

void FileMapItem::setResidency(const QByteArray& residency)
{
    if (residency == m_residency) {
        return;
    }
    const bool hadRow = !m_residency.isEmpty();
    m_residency = residency;
    m_resident.assign(1, 0);
    for (const char share : residency) {
        m_resident.push_back(m_resident.back() + static_cast<uchar>(share) / 255.0);
    }
    if (hadRow != !residency.isEmpty()) {
        updateHeight();
    }
    update();
    Q_EMIT residencyChanged();
}

void FileMapItem::updateHeight()
{
    using namespace file_map;
    setImplicitHeight(kMarkHeight + kStripHeight + kMarkHeight
                      + (m_residency.isEmpty() ? 0 : kCellHeight + kRowGap));
    const QRectF area = plot();
    changeView([&](ViewTransform& view) { view.setViewport({ area.width(), area.height() }); });
}

QRectF FileMapItem::plot() const
{
    using namespace file_map;
    const double below = kMarkHeight + (m_residency.isEmpty() ? 0 : kCellHeight + kRowGap);
    return { 0, kMarkHeight, width(), std::max(1.0, height() - kMarkHeight - below) };
}

qreal FileMapItem::firstByte() const
{
    return static_cast<qreal>(m_layout.offsetAt(view().toPlane({ 0, 0 }).x));
}

qreal FileMapItem::lastByte() const
{
    return static_cast<qreal>(m_layout.offsetAt(view().toPlane(view().viewport()).x));
}

void FileMapItem::showRange(qreal offset, qreal size)
{
    const auto first = static_cast<std::uint64_t>(std::max(offset, 0.0));
    const double left = m_layout.placeOf(first);
    const double right = m_layout.placeOf(first + static_cast<std::uint64_t>(std::max(size, 1.0)));
    limitZoom({ screenX(left), 0 });
    changeView([&](ViewTransform& view) {
        view.show({ left, 0 }, { right, 1 }, file_map::kShownShare);
    });
}

qreal FileMapItem::xOf(qreal offset) const
{
    return screenX(m_layout.placeOf(static_cast<std::uint64_t>(std::max(offset, 0.0))));
}

double FileMapItem::screenX(double position) const
{
    return plot().left() + view().toScreen({ position, 0 }).x;
}

std::optional<std::size_t> FileMapItem::sectionAt(QPointF point) const
{
    return m_layout.sectionAt(view().toPlane({ point.x(), 0 }).x);
}

// As deep as single bytes of the section there: where sections have scales of their own, that
// differs.
void FileMapItem::limitZoom(QPointF point)
{
    const auto index = sectionAt(point);
    if (index) {
        const StripSection& part = m_layout.sections()[*index];
        const double deepest =
            file_map::kByteWidth * static_cast<double>(part.section.span.size) / part.length;
        changeView([&](ViewTransform& view) {
            view.setLargestScale({ std::max(deepest, view.scale().x), 1e12 });
        });
    }
}

void FileMapItem::emitHovered(std::uint64_t at, std::size_t section)
{
    const StripSection& part = m_layout.sections()[section];
    Q_EMIT hovered(static_cast<qreal>(at), static_cast<qreal>(part.section.span.offset),
                   static_cast<qreal>(part.section.span.size), nameOf(part), part.tensor);
}

void FileMapItem::hoverAt(QPointF point)
{
    const auto section = sectionAt(point);
    if (!section) {
        hoverNowhere();
        return;
    }
    if (section != m_hovered) {
        m_hovered = section;
        update();
    }
    emitHovered(m_layout.offsetAt(view().toPlane({ point.x(), 0 }).x), *section);
}

void FileMapItem::hoverNowhere()
{
    if (m_hovered) {
        m_hovered.reset();
        update();
        Q_EMIT hovered(-1, -1, 0, {}, -1);
    }
}

void FileMapItem::pick(std::size_t section)
{
    m_cursor = section;
    update();
    const StripSection& part = m_layout.sections()[section];
    Q_EMIT picked(static_cast<qreal>(part.section.span.offset),
                  static_cast<qreal>(part.section.span.size), part.tensor);
}

void FileMapItem::pickAt(QPointF point)
{
    if (const auto section = sectionAt(point)) {
        pick(*section);
    }
}

void FileMapItem::openAt(QPointF point)
{
    const auto section = sectionAt(point);
    if (isZoomed() || !section) {
        fit();
        return;
    }
    const engine::gguf::ByteSpan span = m_layout.sections()[*section].section.span;
    showRange(static_cast<qreal>(span.offset), static_cast<qreal>(span.size));
}

void FileMapItem::moveCursor(Step step)
{
    const auto sections = m_layout.sections();
    if (sections.empty()) {
        return;
    }
    if (!m_cursor && m_selectedOffset >= 0) {
        m_cursor = m_layout.sectionOf(static_cast<std::uint64_t>(m_selectedOffset));
    }
    const std::size_t last = sections.size() - 1;
    const bool isForward = step == Step::Right || step == Step::Down;
    if (step == Step::First || step == Step::Last) {
        m_cursor = step == Step::First ? 0 : last;
    } else if (!m_cursor) {
        m_cursor = isForward ? 0 : last;
    } else {
        m_cursor = isForward ? std::min(*m_cursor + 1, last)
                             : *m_cursor - std::min<std::size_t>(*m_cursor, 1);
    }
    const StripSection& part = sections[*m_cursor];
    changeView([&](ViewTransform& view) { view.reveal({ part.start, 0 }, { part.end(), 1 }); });
    emitHovered(part.section.span.offset, *m_cursor);
    const QString type = typeOf(part);
    say(tr("%1%2, %3 at offset %4")
            .arg(nameOf(part), type.isEmpty() ? QString() : QStringLiteral(", ") + type,
                 QLocale().formattedDataSize(static_cast<qint64>(part.section.span.size), 1,
                                             QLocale::DataSizeSIFormat),
                 QLocale().toString(static_cast<qint64>(part.section.span.offset))));
}

void FileMapItem::pickCursor()
{
    if (m_cursor) {
        pick(*m_cursor);
    }
}
