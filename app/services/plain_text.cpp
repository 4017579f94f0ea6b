#include "app/services/plain_text.h"

#include <algorithm>
#include <cstdio>

namespace app {

using engine::gguf::Problem;
using engine::gguf::Severity;
using engine::gguf::TensorInfo;
using engine::gguf::Value;

std::string decimalText(double value, int decimals)
{
    char buffer[64];
    const int length = std::snprintf(buffer, sizeof(buffer), "%.*f", decimals, value);
    return std::string(buffer, static_cast<std::size_t>(std::clamp(length, 0, 63)));
}

std::string sizeText(std::uint64_t bytes)
{
    constexpr const char* kUnits[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
    if (bytes < 1000) {
        return std::to_string(bytes) + " B";
    }
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
        value /= 1000;
        ++unit;
    }
    return decimalText(value, value < 9.995 ? 2 : 1) + " " + kUnits[unit];
}

std::string hexText(std::uint64_t value, std::uint64_t largest)
{
    std::size_t groups = 1;
    while (groups < 4 && (std::max(value, largest) >> (16 * groups)) != 0) {
        ++groups;
    }
    std::string out;
    for (std::size_t i = groups; i-- > 0;) {
        char buffer[8];
        std::snprintf(buffer, sizeof(buffer), "%04x",
                      static_cast<unsigned>(value >> (16 * i)) & 0xFFFFU);
        out += out.empty() ? "" : " ";
        out += buffer;
    }
    return out;
}

std::string countText(std::uint64_t value)
{
    const std::string digits = std::to_string(value);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) {
            out += ',';
        }
        out += digits[i];
    }
    return out;
}

std::string typeText(const TensorInfo& tensor)
{
    if (const auto* type = tensor.typeInfo()) {
        return std::string(type->name);
    }
    const auto former = engine::gguf::formerTensorTypeName(tensor.typeNumber);
    return former.empty() ? "type " + std::to_string(tensor.typeNumber) : std::string(former);
}

std::string shapeText(const TensorInfo& tensor)
{
    std::string out;
    for (std::uint32_t i = 0; i < tensor.dimensions; ++i) {
        out += (i > 0 ? " × " : "") + std::to_string(tensor.shape[i]);
    }
    return out.empty() ? "scalar" : out;
}

std::string typeText(const Value& value)
{
    if (value.type() != engine::gguf::ValueType::Array) {
        return std::string(engine::gguf::valueTypeName(value.type()));
    }
    return std::string(engine::gguf::valueTypeName(value.elementType())) + "["
        + std::to_string(value.count()) + "]";
}

std::string fileName(const std::string& path)
{
    return path.substr(path.find_last_of('/') + 1);
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

} // namespace app
