// The treemap's properties and what is done to it; tensor_treemap_drawing.cpp draws it.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/tensor_treemap_item.h"

#include <QtCore/QLocale>

#include <algorithm>

namespace {

constexpr double kDeepest = 4000; // times the fitted scale
constexpr double kShownShare = 0.6; // of the view, for what was opened
constexpr double kLeastZoom = 1.2; // when something is opened

} // namespace

void TensorTreemapItem::setFile(const InspectedFile& file)
{
    if (file == m_file) {
        return;
    }
    m_file = file;
    m_hovered.reset();
    m_cursor.reset();
    say({});
    rebuild();
    fit();
    Q_EMIT fileChanged();
}

void TensorTreemapItem::setColoring(Coloring coloring)
{
    if (coloring != m_coloring) {
        m_coloring = coloring;
        colorsTaken();
        update();
        Q_EMIT coloringChanged();
    }
}

void TensorTreemapItem::setSelectedOffset(qreal offset)
{
    if (offset == m_selectedOffset) {
        return;
    }
    m_selectedOffset = offset;
    findSelected();
    update();
    if (m_selected) {
        const QRectF rect = m_layout.tiles()[*m_selected].rect;
        changeView([&](ViewTransform& view) {
            view.reveal({ rect.left(), rect.top() }, { rect.right(), rect.bottom() });
        });
    }
    Q_EMIT selectionChanged();
}

// A plane as large as the item: tiles keep their proportions at every size of the window. Tiles
// keep their numbers as long as the file stays.
void TensorTreemapItem::resized()
{
    rebuild();
}

void TensorTreemapItem::rebuild()
{
    m_layout = TreemapLayout(m_file.gguf, size());
    findSelected();
    colorsTaken();
    setPlane({ std::max(width(), 1.0), std::max(height(), 1.0) });
}

void TensorTreemapItem::findSelected()
{
    m_selected.reset();
    const auto tiles = m_layout.tiles();
    for (std::size_t i = 0; i < tiles.size() && m_selectedOffset >= 0; ++i) {
        const engine::gguf::ByteSpan data = m_layout.tensor(tiles[i]).data;
        const auto offset = static_cast<std::uint64_t>(m_selectedOffset);
        if (offset >= data.offset && offset < data.end()) {
            m_selected = i;
            break;
        }
    }
}

void TensorTreemapItem::colorsTaken()
{
    m_tileColors.clear();
    if (colors() == nullptr) {
        return;
    }
    for (const TreemapTile& tile : m_layout.tiles()) {
        const engine::gguf::TensorInfo& tensor = m_layout.tensor(tile);
        const auto* type = tensor.typeInfo();
        m_tileColors.push_back(m_coloring == ByType
                                   ? colors()->typeColor(tensor.typeNumber)
                                   : colors()->bitsColor(type ? type->bitsPerWeight() : 0));
    }
}

QRectF TensorTreemapItem::onScreen(const QRectF& rect) const
{
    const glm::dvec2 low = view().toScreen({ rect.left(), rect.top() });
    const glm::dvec2 high = view().toScreen({ rect.right(), rect.bottom() });
    return { QPointF(low.x, low.y), QPointF(high.x, high.y) };
}

QRectF TensorTreemapItem::rectOf(int tensorIndex) const
{
    const auto tile = m_layout.tileOf(tensorIndex);
    return tile ? onScreen(m_layout.tiles()[*tile].rect) : QRectF();
}

std::optional<std::size_t> TensorTreemapItem::tileAt(QPointF point) const
{
    const glm::dvec2 place = view().toPlane({ point.x(), point.y() });
    return m_layout.tileAt({ place.x, place.y });
}

void TensorTreemapItem::limitZoom(QPointF /*point*/)
{
    changeView([](ViewTransform& view) { view.setLargestScale(glm::dvec2(kDeepest)); });
}

void TensorTreemapItem::emitHovered(std::size_t tile)
{
    const TreemapTile& shown = m_layout.tiles()[tile];
    const engine::gguf::ByteSpan data = m_layout.tensor(shown).data;
    Q_EMIT hovered(static_cast<qreal>(data.offset), static_cast<qreal>(data.size), nameOf(shown),
                   shown.tensor);
}

void TensorTreemapItem::hoverAt(QPointF point)
{
    const auto tile = tileAt(point);
    if (!tile) {
        hoverNowhere();
    } else if (tile != m_hovered) {
        m_hovered = tile;
        update();
        emitHovered(*tile);
    }
}

void TensorTreemapItem::hoverNowhere()
{
    if (m_hovered) {
        m_hovered.reset();
        update();
        Q_EMIT hovered(-1, 0, {}, -1);
    }
}

void TensorTreemapItem::pick(std::size_t tile)
{
    m_cursor = tile;
    update();
    const TreemapTile& shown = m_layout.tiles()[tile];
    const engine::gguf::ByteSpan data = m_layout.tensor(shown).data;
    Q_EMIT picked(static_cast<qreal>(data.offset), static_cast<qreal>(data.size), shown.tensor);
}

void TensorTreemapItem::pickAt(QPointF point)
{
    if (const auto tile = tileAt(point)) {
        pick(*tile);
    }
}

void TensorTreemapItem::openAt(QPointF point)
{
    const auto tile = tileAt(point);
    if (isZoomed() || !tile) {
        fit();
        return;
    }
    // Its layer, so that the neighbours stay in sight; itself, where that shows little more.
    const auto group = std::ranges::find_if(m_layout.groups(), [&](const TreemapGroup& one) {
        return *tile >= one.begin && *tile < one.end;
    });
    const auto zoomTo = [this](const QRectF& rect) {
        return std::min(width() / rect.width(), height() / rect.height()) * kShownShare;
    };
    const bool isOwn = zoomTo(group->rect) < kLeastZoom;
    const QRectF rect = isOwn ? m_layout.tiles()[*tile].rect : group->rect;
    const double zoom = std::max(zoomTo(rect), kLeastZoom);
    limitZoom(point);
    changeView([&](ViewTransform& view) {
        // One scale for both axes keeps the proportions.
        const glm::dvec2 half = view.viewport() * (0.5 / zoom);
        const glm::dvec2 middle { rect.center().x(), rect.center().y() };
        view.show(middle - half, middle + half, 1);
    });
}

void TensorTreemapItem::moveCursor(Step step)
{
    const auto tiles = m_layout.tiles();
    if (tiles.empty()) {
        return;
    }
    if (!m_cursor) {
        m_cursor = m_selected;
    }
    const auto go = [&](QPoint direction) {
        m_cursor = m_cursor ? m_layout.neighbour(*m_cursor, direction).value_or(*m_cursor) : 0;
    };
    switch (step) {
    case Step::First:
        m_cursor = 0;
        break;
    case Step::Last:
        m_cursor = tiles.size() - 1;
        break;
    case Step::Left:
        go({ -1, 0 });
        break;
    case Step::Right:
        go({ 1, 0 });
        break;
    case Step::Up:
        go({ 0, -1 });
        break;
    case Step::Down:
        go({ 0, 1 });
        break;
    }
    const TreemapTile& tile = tiles[*m_cursor];
    changeView([&](ViewTransform& view) {
        view.reveal({ tile.rect.left(), tile.rect.top() },
                    { tile.rect.right(), tile.rect.bottom() });
    });
    emitHovered(*m_cursor);
    say(tr("%1, %2, %3")
            .arg(nameOf(tile), typeOf(tile),
                 QLocale().formattedDataSize(static_cast<qint64>(m_layout.tensor(tile).data.size),
                                             1, QLocale::DataSizeSIFormat)));
}

void TensorTreemapItem::pickCursor()
{
    if (m_cursor) {
        pick(*m_cursor);
    }
}
