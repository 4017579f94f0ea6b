// Reads the quantization folder of the conformance pack: hexadecimal bytes, exact values, types by
// name. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tests {

/// "0aff" → two bytes.
[[nodiscard]] inline std::vector<std::byte> fromHex(const std::string& hex)
{
    std::vector<std::byte> bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::byte>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

[[nodiscard]] inline std::string toHex(const std::vector<std::byte>& bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    for (const auto byte : bytes) {
        hex += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        hex += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    return hex;
}

/// Numbers, and the strings "nan", "inf" and "-inf".
[[nodiscard]] inline std::vector<float> floatsOf(const nlohmann::ordered_json& list)
{
    std::vector<float> values;
    values.reserve(list.size());
    for (const auto& item : list) {
        if (item.is_number()) {
            values.push_back(item.get<float>());
        } else if (item == "nan") {
            values.push_back(std::numeric_limits<float>::quiet_NaN());
        } else {
            const float infinity = std::numeric_limits<float>::infinity();
            values.push_back(item == "-inf" ? -infinity : infinity);
        }
    }
    return values;
}

} // namespace tests
