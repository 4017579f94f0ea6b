#include "app/services/file_json.h"

#include "app/services/plain_text.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace app {

using engine::gguf::GgufFile;
using engine::gguf::MetadataEntry;
using engine::gguf::Problem;
using engine::gguf::SetTensor;
using engine::gguf::SplitFile;
using engine::gguf::TensorInfo;
using engine::gguf::Value;
using engine::gguf::ValueType;

namespace {

constexpr int kShownDepth = 32; // deeper arrays are valid, but nobody reads them

Json nestedJson(const Value& value, std::uint64_t most, int depth)
{
    if (value.type() == ValueType::Array) {
        Json list = Json::array();
        auto cursor = value.elements();
        for (std::uint64_t i = 0; i < most && depth < kShownDepth; ++i) {
            const auto element = cursor.next();
            if (!element) {
                break;
            }
            list.push_back(nestedJson(*element, most, depth + 1));
        }
        return list;
    }
    if (const auto text = value.asText()) {
        return std::string(*text);
    }
    if (const auto flag = value.asBool()) {
        return *flag;
    }
    if (const auto whole = value.asInteger()) {
        return *whole;
    }
    if (const auto whole = value.asUnsigned()) { // above the range of a signed number
        return *whole;
    }
    const double number = value.asNumber().value_or(std::numeric_limits<double>::quiet_NaN());
    return value.type() == ValueType::F32 ? floatJson(static_cast<float>(number)) : Json(number);
}

Json metadataJson(const MetadataEntry& entry, Arrays arrays)
{
    const std::uint64_t most =
        arrays == Arrays::Whole ? std::numeric_limits<std::uint64_t>::max() : kShownElements;
    Json json = { { "key", std::string(entry.key) },
                  { "type", engine::gguf::valueTypeName(entry.value.type()) } };
    if (entry.value.type() == ValueType::Array) {
        json["element_type"] = engine::gguf::valueTypeName(entry.value.elementType());
        json["count"] = entry.value.count();
    }
    json["value"] = valueJson(entry.value, most);
    json["offset"] = entry.span.offset;
    json["size"] = entry.span.size;
    return json;
}

Json setTensorJson(const SplitFile& set, const SetTensor& tensor, bool namesFile)
{
    Json json = tensorJson(*tensor.info);
    json["offset"] = set.offsetInFile(tensor);
    if (namesFile) {
        json["file"] = set.shards()[tensor.shard].path;
    }
    return json;
}

} // namespace

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

Json valueJson(const Value& value, std::uint64_t most)
{
    return nestedJson(value, most, 0);
}

Json tensorJson(const TensorInfo& tensor)
{
    Json shape = Json::array();
    for (std::uint32_t i = 0; i < tensor.dimensions; ++i) {
        shape.push_back(tensor.shape[i]);
    }
    const auto* type = tensor.typeInfo();
    return {
        { "name", std::string(tensor.name) }, { "type", typeText(tensor) },
        { "shape", std::move(shape) },        { "offset", tensor.data.offset },
        { "size", tensor.data.size },         { "bpw", type ? Json(type->bitsPerWeight()) : Json() }
    };
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

Json fileJson(const SplitFile& set, Arrays arrays)
{
    const GgufFile& file = *set.opened();
    const auto& header = file.header();
    Json json = { { "header",
                    { { "version", header.version },
                      { "tensor_count", header.tensorCount },
                      { "metadata_count", header.metadataCount },
                      { "alignment", header.alignment },
                      { "endianness", header.bigEndian ? "big" : "little" } } },
                  { "sections", Json::array() },
                  { "metadata", Json::array() },
                  { "tensors", Json::array() },
                  { "problems", Json::array() } };
    for (const auto& section : file.sections()) {
        json["sections"].push_back({ { "name", std::string(section.name) },
                                     { "offset", section.span.offset },
                                     { "size", section.span.size } });
    }
    for (const auto& entry : file.metadata()) {
        json["metadata"].push_back(metadataJson(entry, arrays));
    }
    const bool namesFiles = set.hasSeveralFiles();
    for (const auto& tensor : set.tensors()) {
        json["tensors"].push_back(setTensorJson(set, tensor, namesFiles));
    }
    for (const auto& problem : set.problems()) {
        json["problems"].push_back(problemJson(problem, file.path()));
    }
    return json;
}

} // namespace app
