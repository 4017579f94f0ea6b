#include "engine/model/key_reader.h"

#include <algorithm>

namespace engine::model {

namespace {

std::string rangeText(const std::string& low, const std::string& high)
{
    return "from " + low + " to " + high;
}

} // namespace

KeyReader::KeyReader(const gguf::GgufFile& file, const std::string& architecture)
    : m_file(file)
    , m_prefix(architecture + ".")
{
}

/// Apertus' activation is the one thing that files keep under names without the architecture's.
std::string KeyReader::full(const std::string& name) const
{
    return name.starts_with("xielu.") ? name : m_prefix + name;
}

const gguf::Value* KeyReader::find(const std::string& name) const
{
    return m_file.find(full(name));
}

bool KeyReader::has(const std::string& name) const
{
    return find(name) != nullptr;
}

bool KeyReader::isArray(const std::string& name) const
{
    const auto* value = find(name);
    return value && value->type() == gguf::ValueType::Array;
}

std::uint32_t KeyReader::required(const std::string& name, std::uint32_t low, std::uint32_t high)
{
    if (!has(name)) {
        fail(ErrorCode::MissingKey, {}, name);
        return low;
    }
    return optional(name, low, low, high);
}

std::uint32_t KeyReader::optional(const std::string& name, std::uint32_t fallback,
                                  std::uint32_t low, std::uint32_t high)
{
    const auto* value = find(name);
    return value ? integer(name, *value, low, high) : fallback;
}

std::vector<std::uint32_t> KeyReader::perBlock(const std::string& name, std::uint32_t blocks,
                                               std::uint32_t fallback, std::uint32_t low,
                                               std::uint32_t high)
{
    const auto* value = find(name);
    if (!value || value->type() != gguf::ValueType::Array) {
        const auto common = value ? integer(name, *value, low, high) : fallback;
        return std::vector<std::uint32_t>(std::max(blocks, 1U), common);
    }
    std::vector<std::uint32_t> numbers;
    if (blocks != 0 && value->count() != blocks) {
        fail(ErrorCode::BadKeyValue,
             { "of " + std::to_string(value->count()) + " items",
               "one for each of " + std::to_string(blocks) + " blocks" },
             name, value);
        numbers.assign(blocks, low);
        return numbers;
    }
    auto cursor = value->elements();
    while (const auto element = cursor.next()) {
        const auto truth = element->asBool();
        numbers.push_back(truth ? (*truth ? 1U : 0U) : integer(name, *element, low, high));
        if (!sound()) {
            break; // one item tells what is wrong
        }
    }
    numbers.resize(std::max<std::size_t>(blocks, std::max<std::size_t>(numbers.size(), 1)), low);
    return numbers;
}

float KeyReader::number(const std::string& name, float fallback, float low, float high)
{
    const auto* value = find(name);
    return value ? number(name, *value, fallback, low, high) : fallback;
}

float KeyReader::number(const std::string& name, const gguf::Value& value, float fallback,
                        float low, float high)
{
    const auto read = value.asNumber();
    if (!read) {
        fail(ErrorCode::WrongKeyType,
             { std::string(gguf::valueTypeName(value.type())), "a number" }, name, &value);
        return fallback;
    }
    const auto n = static_cast<float>(*read);
    if (!(n >= low && n <= high)) {
        fail(ErrorCode::BadKeyValue,
             { std::to_string(*read), rangeText(std::to_string(low), std::to_string(high)) }, name,
             &value);
        return fallback;
    }
    return n;
}

std::vector<float> KeyReader::numbersPerBlock(const std::string& name, std::uint32_t blocks,
                                              float fallback, float low, float high)
{
    const auto* value = find(name);
    if (!value || value->type() != gguf::ValueType::Array) {
        return std::vector<float>(blocks, number(name, fallback, low, high));
    }
    std::vector<float> numbers;
    auto cursor = value->elements();
    while (const auto element = cursor.next()) {
        numbers.push_back(number(name, *element, fallback, low, high));
        if (!sound()) {
            break; // one item tells what is wrong
        }
    }
    if (sound() && numbers.size() != blocks) {
        fail(ErrorCode::BadKeyValue,
             { "of " + std::to_string(value->count()) + " items",
               "one for each of " + std::to_string(blocks) + " blocks" },
             name, value);
    }
    numbers.resize(blocks, fallback);
    return numbers;
}

bool KeyReader::flag(const std::string& name, bool fallback)
{
    const auto* value = find(name);
    if (!value) {
        return fallback;
    }
    const auto read = value->asBool();
    if (!read) {
        fail(ErrorCode::WrongKeyType,
             { std::string(gguf::valueTypeName(value->type())), "true or false" }, name, value);
    }
    return read.value_or(fallback);
}

std::string KeyReader::text(const std::string& name)
{
    const auto* value = find(name);
    if (!value) {
        return {};
    }
    const auto read = value->asText();
    if (!read) {
        fail(ErrorCode::WrongKeyType,
             { std::string(gguf::valueTypeName(value->type())), "a string" }, name, value);
    }
    return std::string(read.value_or(""));
}

void KeyReader::fail(ErrorCode code, std::vector<std::string> arguments, const std::string& name,
                     const gguf::Value* value)
{
    Where where { m_file.path(), std::nullopt, full(name) };
    for (const Error& known : m_faults) {
        if (known.where.subject == where.subject) {
            return;
        }
    }
    if (!value) {
        value = find(name);
    }
    if (value) {
        where.offset = value->span().offset;
    }
    m_faults.push_back({ code, std::move(arguments), std::move(where) });
}

std::uint32_t KeyReader::integer(const std::string& name, const gguf::Value& value,
                                 std::uint32_t low, std::uint32_t high)
{
    const auto refuse = [&](const std::string& number) {
        fail(ErrorCode::BadKeyValue,
             { number, rangeText(std::to_string(low), std::to_string(high)) }, name, &value);
        return low;
    };
    const auto read = value.asInteger();
    if (!read) {
        if (const auto large = value.asUnsigned()) {
            return refuse(std::to_string(*large));
        }
        fail(ErrorCode::WrongKeyType,
             { std::string(gguf::valueTypeName(value.type())), "an integer" }, name, &value);
        return low;
    }
    if (*read < std::int64_t(low) || *read > std::int64_t(high)) {
        return refuse(std::to_string(*read));
    }
    return static_cast<std::uint32_t>(*read);
}

} // namespace engine::model
