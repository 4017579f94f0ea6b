#include "app/cli/json_output.h"

#include "app/cli/console.h"

#include <charconv>
#include <cmath>

namespace app::cli {

using engine::gguf::Problem;
using engine::gguf::Severity;

void printJson(const Json& json)
{
    print(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    print("\n");
}

Json floatJson(float value)
{
    if (!std::isfinite(value)) {
        return nullptr;
    }
    char buffer[32];
    const auto written = std::to_chars(buffer, buffer + sizeof(buffer), value);
    double shortest = value;
    std::from_chars(buffer, written.ptr, shortest);
    return shortest;
}

Json floatsJson(std::span<const float> values)
{
    Json out = Json::array();
    for (const float value : values) {
        out.push_back(floatJson(value));
    }
    return out;
}

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Note:
        return "note";
    }
    return "note";
}

std::string problemMessage(const Problem& problem)
{
    return engine::fillPattern(engine::errorPattern(problem.error.code), problem.error.arguments);
}

bool isElsewhere(const Problem& problem, const std::string& file)
{
    return !problem.error.where.file.empty() && problem.error.where.file != file;
}

Json problemJson(const Problem& problem, const std::string& file)
{
    const auto& where = problem.error.where;
    Json json = { { "severity", severityName(problem.severity) },
                  { "code", engine::errorSlug(problem.error.code) },
                  { "message", problemMessage(problem) },
                  { "offset", where.offset ? Json(*where.offset) : Json() },
                  { "subject", where.subject.empty() ? Json() : Json(where.subject) } };
    if (isElsewhere(problem, file)) {
        json["file"] = where.file;
    }
    return json;
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
