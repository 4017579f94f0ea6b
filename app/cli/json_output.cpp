#include "app/cli/json_output.h"

#include "app/cli/console.h"

#include <algorithm>

namespace app::cli {

void printJson(const Json& json)
{
    print(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    print("\n");
}

std::string toBase64(std::string_view bytes)
{
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            bits = bits << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            out += j <= count ? kDigits[(bits >> (18 - 6 * j)) & 63] : '=';
        }
    }
    return out;
}

std::string toHex(std::span<const std::byte> bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const std::byte byte : bytes) {
        out += kDigits[std::to_integer<unsigned>(byte) >> 4];
        out += kDigits[std::to_integer<unsigned>(byte) & 15];
    }
    return out;
}

} // namespace app::cli
