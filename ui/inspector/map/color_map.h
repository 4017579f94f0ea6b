// Colours along a line of stops, for maps of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtGui/QColor>

#include <array>

/// Mixes in Oklab, where equal steps look equal. A table of 512 colours, made once.
class ColorMap
{
public:
    ColorMap() = default;
    /// Stops at equal distances; one at least.
    explicit ColorMap(const QList<QColor>& stops);

    /// The colour at 0 … 1, clamped; opaque.
    [[nodiscard]] QRgb at(double share) const;

private:
    std::array<QRgb, 512> m_table {};
};

/// The colour at 0 … 1 between stops at equal distances; one stop at least.
[[nodiscard]] QColor colorBetween(const QList<QColor>& stops, double share);
/// `share` of the second colour in the first, mixed in Oklab; opaque.
[[nodiscard]] QColor mixedColor(const QColor& first, const QColor& second, double share);
/// Black or white, whichever is easier to read on that ground.
[[nodiscard]] QColor inkOn(const QColor& ground);
