// Sizes and times of the heat map.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heat_map {

inline constexpr int kStandstill = 60; ///< milliseconds without a move before finer cells are asked
inline constexpr double kFine = 1.5; ///< pixels of a cell that nobody would see in parts
inline constexpr double kMargin = 0.125; ///< of the view, asked for around it
inline constexpr double kMostCells = 4096; ///< in a row or a column
inline constexpr double kDeepestWidth = 64; ///< of a number, in pixels
inline constexpr double kDeepestHeight = 30;
inline constexpr double kLinesFrom = 8; ///< pixels of a number that has lines around
inline constexpr auto kWidestNumber = "-0.0001"; ///< that needs room before numbers are written
inline constexpr double kLeastFrame = 8; ///< of the selection

} // namespace heat_map
