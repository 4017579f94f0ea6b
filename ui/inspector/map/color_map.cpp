// Colour maps in Oklab (Björn Ottosson's colour space of equal steps).
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/color_map.h"

#include <glm/common.hpp>
#include <glm/gtc/color_space.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>

namespace {

using glm::dmat3;
using glm::dvec3;

// Columns first, as GLM has it: light as the cones see it, and lightness with two opponent axes.
const dmat3 kCones { 0.4122214708, 0.2119034982, 0.0883024619, 0.5363325363, 0.6806995451,
                     0.2817188376, 0.0514459929, 0.1073969566, 0.6299787005 };
const dmat3 kLab { 0.2104542553, 1.9779984951,  0.0259040371, 0.7936177850, -2.4285922050,
                   0.7827717662, -0.0040720468, 0.4505937099, -0.8086757660 };

dvec3 toLab(const QColor& color)
{
    const dvec3 linear =
        glm::convertSRGBToLinear(dvec3(color.redF(), color.greenF(), color.blueF()));
    const dvec3 cones = kCones * linear;
    return kLab * dvec3(std::cbrt(cones.x), std::cbrt(cones.y), std::cbrt(cones.z));
}

QColor fromLab(const dvec3& lab)
{
    static const dmat3 kFromLab = glm::inverse(kLab);
    static const dmat3 kFromCones = glm::inverse(kCones);
    const dvec3 roots = kFromLab * lab;
    const dvec3 linear = kFromCones * (roots * roots * roots);
    const dvec3 rgb =
        glm::convertLinearToSRGB(glm::clamp(linear, dvec3(0), dvec3(1))) * 255.0 + 0.5;
    return { static_cast<int>(rgb.x), static_cast<int>(rgb.y), static_cast<int>(rgb.z) };
}

} // namespace

ColorMap::ColorMap(const QList<QColor>& stops)
{
    for (std::size_t i = 0; i < m_table.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(m_table.size() - 1);
        m_table[i] = colorBetween(stops, share).rgb();
    }
}

QRgb ColorMap::at(double share) const
{
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(m_table.size() - 1);
    return m_table[static_cast<std::size_t>(std::lround(place))];
}

QColor colorBetween(const QList<QColor>& stops, double share)
{
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto before = static_cast<qsizetype>(place);
    const qsizetype after = std::min(before + 1, stops.size() - 1);
    return mixedColor(stops[before], stops[after], place - static_cast<double>(before));
}

QColor mixedColor(const QColor& first, const QColor& second, double share)
{
    return fromLab(glm::mix(toLab(first), toLab(second), share));
}

QColor inkOn(const QColor& ground)
{
    const dvec3 linear =
        glm::convertSRGBToLinear(dvec3(ground.redF(), ground.greenF(), ground.blueF()));
    const double luminance = glm::dot(linear, dvec3(0.2126, 0.7152, 0.0722));
    // Contrast with white is 1.05 / (L + 0.05), with black (L + 0.05) / 0.05.
    return (luminance + 0.05) * (luminance + 0.05) > 1.05 * 0.05 ? QColor(Qt::black)
                                                                 : QColor(Qt::white);
}
