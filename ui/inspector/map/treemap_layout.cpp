// Where the tiles of the treemap lie.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/treemap_layout.h"

#include "ui/inspector/map/squarify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

using engine::gguf::GgufFile;
using engine::gguf::TensorInfo;

std::string_view layerOf(std::string_view name)
{
    constexpr std::string_view kLayer = "blk.";
    const std::size_t found = name.find(kLayer);
    if (found == std::string_view::npos || (found > 0 && name[found - 1] != '.')) {
        return {};
    }
    const std::size_t digits = found + kLayer.size();
    const std::size_t end = name.find_first_not_of("0123456789", digits);
    return end == digits || digits == name.size() ? std::string_view() : name.substr(0, end);
}

TreemapLayout::TreemapLayout(std::shared_ptr<const GgufFile> file, QSizeF size)
    : m_file(std::move(file))
{
    if (!m_file) {
        return;
    }
    struct Gathered
    {
        std::string_view name;
        double bytes = 0;
        std::vector<int> tensors;
    };
    std::vector<Gathered> gathered;
    std::map<std::string_view, std::size_t> places;
    const auto tensors = m_file->tensors();
    const auto bytesOf = [&](int i) {
        return static_cast<double>(tensors[static_cast<std::size_t>(i)].data.size);
    };
    for (int i = 0; i < static_cast<int>(tensors.size()); ++i) {
        if (bytesOf(i) <= 0) {
            continue;
        }
        const std::string_view layer = layerOf(tensors[static_cast<std::size_t>(i)].name);
        const auto [place, isNew] = places.try_emplace(layer, gathered.size());
        if (isNew) {
            gathered.push_back({ .name = layer });
        }
        gathered[place->second].bytes += bytesOf(i);
        gathered[place->second].tensors.push_back(i);
    }
    std::ranges::stable_sort(gathered, [](const Gathered& one, const Gathered& other) {
        // By number among equals: of two numbers without leading zeros the longer is the greater.
        return std::tuple(-one.bytes, one.name.size(), one.name)
            < std::tuple(-other.bytes, other.name.size(), other.name);
    });

    std::vector<double> sizes;
    for (const Gathered& group : gathered) {
        sizes.push_back(group.bytes);
    }
    const std::vector<QRectF> areas = squarify(sizes, QRectF(QPointF(), size));
    for (std::size_t g = 0; g < gathered.size(); ++g) {
        Gathered& group = gathered[g];
        std::ranges::stable_sort(group.tensors, std::greater(), bytesOf);
        sizes.clear();
        for (const int tensor : group.tensors) {
            sizes.push_back(bytesOf(tensor));
        }
        const std::vector<QRectF> rects = squarify(sizes, areas[g]);
        m_groups.push_back({ group.name, areas[g], static_cast<std::uint64_t>(group.bytes),
                             m_tiles.size(), m_tiles.size() + rects.size() });
        for (std::size_t i = 0; i < rects.size(); ++i) {
            m_tiles.push_back({ group.tensors[i], rects[i] });
        }
    }
}

const TensorInfo& TreemapLayout::tensor(const TreemapTile& tile) const
{
    return m_file->tensors()[static_cast<std::size_t>(tile.tensor)];
}

std::optional<std::size_t> TreemapLayout::tileAt(QPointF point) const
{
    const auto holds = [point](const QRectF& rect) {
        return point.x() >= rect.left() && point.x() < rect.right() && point.y() >= rect.top()
            && point.y() < rect.bottom();
    };
    for (const TreemapGroup& group : m_groups) {
        if (!holds(group.rect)) {
            continue;
        }
        for (std::size_t i = group.begin; i < group.end; ++i) {
            if (holds(m_tiles[i].rect)) {
                return i;
            }
        }
    }
    return {};
}

std::optional<std::size_t> TreemapLayout::tileOf(int tensor) const
{
    const auto found = std::ranges::find(m_tiles, tensor, &TreemapTile::tensor);
    return found == m_tiles.end()
        ? std::nullopt
        : std::optional(static_cast<std::size_t>(found - m_tiles.begin()));
}

std::optional<std::size_t> TreemapLayout::neighbour(std::size_t tile, QPoint direction) const
{
    const bool isAcross = direction.x() != 0;
    const int sign = isAcross ? direction.x() : direction.y();
    const QPointF from = m_tiles[tile].rect.center();
    // Where the tile ends in that direction, and the nearest of those that begin there or beyond.
    const QRectF& own = m_tiles[tile].rect;
    constexpr double kSlack = 1e-6;
    std::optional<std::size_t> best;
    double shortest = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        const QRectF& rect = m_tiles[i].rect;
        const double ahead = isAcross
            ? (sign > 0 ? rect.left() - own.right() : own.left() - rect.right())
            : (sign > 0 ? rect.top() - own.bottom() : own.top() - rect.bottom());
        if (ahead < -kSlack || i == tile) {
            continue;
        }
        const double aside = isAcross
            ? std::max({ 0.0, rect.top() - from.y(), from.y() - rect.bottom() })
            : std::max({ 0.0, rect.left() - from.x(), from.x() - rect.right() });
        const double distance = ahead + 3 * aside;
        if (distance < shortest) {
            shortest = distance;
            best = i;
        }
    }
    return best;
}
