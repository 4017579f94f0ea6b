// A model's tensors as tiles by their sizes, those of a layer together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QRectF>

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

struct TreemapTile
{
    int tensor = -1; ///< index in GgufFile::tensors()
    QRectF rect;
};

/// A layer ("blk.3", also "enc.blk.3"), or all tensors that belong to none (empty name).
struct TreemapGroup
{
    std::string_view name;
    QRectF rect;
    std::uint64_t bytes = 0;
    std::size_t begin = 0; ///< of its tiles, which lie together
    std::size_t end = 0;
};

/// Tensors without data (unknown types) have no tile. Larger layers come first, those of
/// one size by their numbers. Immutable.
class TreemapLayout
{
public:
    TreemapLayout() = default;
    TreemapLayout(std::shared_ptr<const engine::gguf::GgufFile> file, QSizeF size);

    [[nodiscard]] std::span<const TreemapTile> tiles() const { return m_tiles; }
    [[nodiscard]] std::span<const TreemapGroup> groups() const { return m_groups; }
    [[nodiscard]] const engine::gguf::TensorInfo& tensor(const TreemapTile& tile) const;
    /// Index in tiles().
    [[nodiscard]] std::optional<std::size_t> tileAt(QPointF point) const;
    [[nodiscard]] std::optional<std::size_t> tileOf(int tensor) const;
    /// The nearest tile in a direction: (1, 0) to the right, (0, −1) up.
    [[nodiscard]] std::optional<std::size_t> neighbour(std::size_t tile, QPoint direction) const;

private:
    std::shared_ptr<const engine::gguf::GgufFile> m_file;
    std::vector<TreemapTile> m_tiles;
    std::vector<TreemapGroup> m_groups;
};

/// The layer that a tensor's name tells: everything through "blk.N"; empty without one.
[[nodiscard]] std::string_view layerOf(std::string_view name);
