// How the file map looks.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/file_map_item.h"
#include "ui/inspector/map/file_map_sizes.h"

#include <QtGui/QFontMetricsF>

#include <algorithm>
#include <cmath>

using engine::gguf::Section;

QString FileMapItem::nameOf(const StripSection& part) const
{
    switch (part.section.kind) {
    case Section::Kind::Header:
        return tr("Header");
    case Section::Kind::Metadata:
        return tr("Metadata");
    case Section::Kind::Directory:
        return tr("Directory");
    case Section::Kind::Padding:
        return tr("Padding");
    case Section::Kind::Trailing:
        return tr("Past the end");
    case Section::Kind::Gap:
        return part.section.name == "unread"           ? tr("Unread")
            : part.section.name == "between the parts" ? tr("Between two parts")
                                                       : tr("Gap");
    case Section::Kind::Data:
        break;
    }
    return QString::fromUtf8(part.section.name.data(),
                             static_cast<qsizetype>(part.section.name.size()));
}

QString FileMapItem::typeOf(const StripSection& part) const
{
    if (part.tensor < 0) {
        return {};
    }
    const auto* info = m_file.gguf->tensors()[static_cast<std::size_t>(part.tensor)].typeInfo();
    return info == nullptr
        ? QString()
        : QString::fromLatin1(info->name.data(), static_cast<qsizetype>(info->name.size()));
}

// Of a merged bar: the mean of its sections, by what they take of it.
QColor FileMapItem::barColor(const StripBar& bar) const
{
    if (!bar.isMerged()) {
        return m_sectionColors[bar.first];
    }
    double red = 0;
    double green = 0;
    double blue = 0;
    double sum = 0;
    for (std::size_t i = bar.first; i <= bar.last; ++i) {
        const double weight = m_layout.sections()[i].length;
        const QColor& color = m_sectionColors[i];
        red += weight * color.redF();
        green += weight * color.greenF();
        blue += weight * color.blueF();
        sum += weight;
    }
    return QColor::fromRgbF(static_cast<float>(red / sum), static_cast<float>(green / sum),
                            static_cast<float>(blue / sum));
}

void FileMapItem::draw(TriangleBatch& shapes, QList<MapLabel>& labels)
{
    if (m_sectionColors.empty()) {
        shapes.addRect(plot(), colors()->sunken);
        return;
    }
    drawBars(shapes, labels);
    drawResidency(shapes);
    drawSelection(shapes);
    drawMarks(shapes);
}

void FileMapItem::drawBars(TriangleBatch& shapes, QList<MapLabel>& labels) const
{
    const QRectF area = plot();
    for (const StripBar& bar : stripBars(m_layout, view(), 1 / pixelRatio())) {
        const StripSection& part = m_layout.sections()[bar.first];
        const QRectF rect(bar.left, area.top(), bar.right - bar.left, area.height());
        const bool isWide = rect.width() >= file_map::kSeparatedFrom;
        const bool isHovered = m_hovered && !bar.isMerged() && bar.first == *m_hovered && isWide;
        QColor color = barColor(bar);
        if (isHovered) {
            color = mixedColor(color, colors()->surface, file_map::kHovered);
        }
        if (part.isUnowned() && isWide) {
            shapes.addRect(rect, mixedColor(colors()->surface, color, 0.25));
            shapes.addHatch(rect, file_map::kHatchPeriod, color);
            color = colors()->surface;
        } else {
            shapes.addRect(rect, color);
        }
        if (isWide) {
            shapes.addRect(bar.right - 1, area.top(), bar.right, area.bottom(), colors()->surface);
        }
        if (!bar.isMerged() && !drawBytes(bar, color, shapes, labels)) {
            labelBar(bar, color, labels);
        }
    }
}

void FileMapItem::labelBar(const StripBar& bar, const QColor& ground, QList<MapLabel>& labels) const
{
    const QRectF area = plot();
    const double left = std::max(bar.left, 0.0) + file_map::kLabelMargin;
    const double width = std::min(bar.right, area.right()) - file_map::kLabelMargin - left;
    const StripSection& part = m_layout.sections()[bar.first];
    const QFontMetricsF metrics(labelFont());
    const double line = metrics.height();
    const QColor plate = part.isUnowned() ? ground : QColor();
    const QColor ink = part.isUnowned() ? colors()->text : inkOn(ground);
    const QString type = typeOf(part);
    const bool isNamed = width >= (type.isEmpty() ? file_map::kElidedFrom : file_map::kNamedFrom)
            - 2 * file_map::kLabelMargin;
    const bool isTyped = !type.isEmpty() && metrics.horizontalAdvance(type) <= width
        && area.height() >= (isNamed ? 2 : 1) * line;
    double top = area.center().y() - (isNamed && isTyped ? line : line / 2);
    if (isNamed && area.height() >= line) {
        labels.push_back({ { left, top, width, line }, nameOf(part), ink, plate });
        top += line;
    }
    if (isTyped) {
        labels.push_back({ { left, top, width, line }, type, ink, plate });
    }
}

// The values of bytes that have room for them.
bool FileMapItem::drawBytes(const StripBar& bar, const QColor& ground, TriangleBatch& shapes,
                            QList<MapLabel>& labels) const
{
    const QRectF area = plot();
    const StripSection& part = m_layout.sections()[bar.first];
    const auto& span = part.section.span;
    const double width = (bar.right - bar.left) / static_cast<double>(span.size);
    if (width < file_map::kBytesFrom) {
        return false;
    }
    const auto bytes = m_file.gguf->bytes();
    const auto size = static_cast<double>(span.size);
    const auto first =
        static_cast<std::uint64_t>(std::clamp(std::floor(-bar.left / width), 0.0, size));
    const auto last = static_cast<std::uint64_t>(
        std::clamp(std::ceil((area.right() - bar.left) / width), 0.0, size));
    const QColor ink = part.isUnowned() ? colors()->text : inkOn(ground);
    for (std::uint64_t i = first; i < last && span.offset + i < bytes.size(); ++i) {
        const double left = bar.left + static_cast<double>(i) * width;
        shapes.addRect(left + width - 1, area.top(), left + width, area.bottom(),
                       colors()->surface);
        labels.push_back({ { left, area.top(), width, area.height() },
                           QString::number(std::to_integer<uint>(bytes[span.offset + i]), 16)
                               .rightJustified(2, QLatin1Char('0')),
                           ink,
                           part.isUnowned() ? ground : QColor(),
                           Qt::AlignCenter });
    }
    return true;
}

void FileMapItem::drawSelection(TriangleBatch& shapes) const
{
    const QRectF area = plot();
    const auto frame = [&](double left, double right, const QColor& color) {
        constexpr double kLeast = 6;
        const double more = std::max(0.0, kLeast - (right - left)) / 2;
        const QRectF rect(left - more, area.top() - 2, right - left + 2 * more, area.height() + 4);
        shapes.addFrame(rect, 2, color);
        shapes.addFrame(rect.adjusted(2, 2, -2, -2), 1, colors()->surface);
    };
    if (m_selectedOffset >= 0) {
        const auto first = static_cast<std::uint64_t>(m_selectedOffset);
        const auto end = first + static_cast<std::uint64_t>(std::max(m_selectedSize, 0.0));
        frame(screenX(m_layout.placeOf(first)), screenX(m_layout.placeOf(end)), colors()->text);
    }
    if (m_cursor && hasVisualFocus()) {
        const StripSection& part = m_layout.sections()[*m_cursor];
        const double left = screenX(part.start);
        const double right = screenX(part.end());
        const double middle =
            (std::clamp(left, 0.0, width()) + std::clamp(right, 0.0, width())) / 2;
        frame(left, right, colors()->accent);
        shapes.addTriangle({ middle - 5, area.bottom() + file_map::kMarkHeight },
                           { middle + 5, area.bottom() + file_map::kMarkHeight },
                           { middle, area.bottom() + 2 }, colors()->accent);
    }
}

void FileMapItem::drawMarks(TriangleBatch& shapes) const
{
    const QRectF area = plot();
    for (const double offset : m_marks) {
        const double x =
            screenX(m_layout.placeOf(static_cast<std::uint64_t>(std::max(offset, 0.0))));
        if (x < 0 || x > width()) {
            continue;
        }
        const double inside = std::clamp(x, 5.0, std::max(5.0, width() - 5));
        shapes.addTriangle({ inside - 5, 0 }, { inside + 5, 0 }, { inside, file_map::kMarkHeight },
                           colors()->error);
        shapes.addRect(x - 1, area.top(), x + 1, area.bottom(), colors()->error);
    }
}

void FileMapItem::drawResidency(TriangleBatch& shapes) const
{
    const auto parts = static_cast<double>(m_residency.size());
    const auto fileSize = static_cast<double>(m_layout.fileSize());
    if (m_residency.isEmpty() || fileSize <= 0) {
        return;
    }
    // What of the file before an offset is in memory, in parts.
    const auto residentBefore = [&](double offset) {
        const double place = std::clamp(offset / fileSize * parts, 0.0, parts);
        const auto whole = std::min(static_cast<std::size_t>(place), m_resident.size() - 2);
        return m_resident[whole]
            + (place - static_cast<double>(whole)) * (m_resident[whole + 1] - m_resident[whole]);
    };
    const double top = height() - file_map::kCellHeight;
    const double cell = file_map::kCellPeriod - 2;
    for (double x = 0; x < width(); x += file_map::kCellPeriod) {
        const auto low = static_cast<double>(m_layout.offsetAt(view().toPlane({ x, 0 }).x));
        const auto high = std::max(low + 1,
                                   static_cast<double>(m_layout.offsetAt(
                                       view().toPlane({ x + file_map::kCellPeriod, 0 }).x)));
        const double share = std::clamp((residentBefore(high) - residentBefore(low))
                                            / ((high - low) / fileSize * parts),
                                        0.0, 1.0);
        shapes.addRect(x, top, x + cell, height(), colors()->line);
        // Filled from below, so that a part in memory is told by shape as well.
        shapes.addRect(x, height() - std::ceil(share * file_map::kCellHeight), x + cell, height(),
                       colors()->accent);
    }
}
