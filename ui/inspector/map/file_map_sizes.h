// Sizes within the file map, in pixels and shares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace file_map {

inline constexpr double kMarkHeight = 8; ///< above the strip for problems, below for the cursor
inline constexpr double kStripHeight = 44;
inline constexpr double kRowGap = 2; ///< between the cursor's marks and the row of memory
inline constexpr double kCellHeight = 6;
inline constexpr double kCellPeriod = 8; ///< of the row of memory: a cell and a gap
inline constexpr double kByteWidth = 40; ///< of one byte, at the deepest zoom
inline constexpr double kShownShare = 0.5; ///< of the view, for what was to be shown
inline constexpr double kOddShade = 0.14; ///< of the surface, in every other tensor
inline constexpr double kHovered = 0.25; ///< of the surface, under the pointer
inline constexpr double kSeparatedFrom = 5; ///< width of bars with a line between
inline constexpr double kHatchPeriod = 8;
inline constexpr double kNamedFrom = 84; ///< width of a bar that has room for a name
inline constexpr double kElidedFrom = 40; ///< width of a bar that has room for a name cut short
inline constexpr double kLabelMargin = 4;
inline constexpr double kBytesFrom = 20; ///< width of a byte that has room for its value

} // namespace file_map
