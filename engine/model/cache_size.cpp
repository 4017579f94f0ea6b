#include "engine/model/cache_size.h"

#include <algorithm>
#include <limits>

namespace engine::model {

namespace {

constexpr std::uint32_t kMaxBlocks = 4096;
constexpr std::uint32_t kMaxHeads = 1U << 16U;
constexpr std::uint32_t kMaxWidth = 1U << 20U;
constexpr std::uint32_t kMaxContext = std::numeric_limits<std::uint32_t>::max();

/// Reads the keys of the file's own architecture; keeps the first failure.
class CacheKeys
{
public:
    explicit CacheKeys(const gguf::GgufFile& file)
        : m_file(file)
    {
        const std::string key = "general.architecture";
        const auto* value = file.find(key);
        const auto name = value ? value->asText() : std::nullopt;
        if (!name) {
            m_error = Error { ErrorCode::MissingKey, {}, { file.path(), std::nullopt, key } };
        }
        m_prefix = std::string(name.value_or("")) + ".";
    }

    [[nodiscard]] bool has(const std::string& name) const { return find(name) != nullptr; }

    std::uint32_t one(const std::string& name, std::uint32_t fallback, std::uint32_t most)
    {
        const auto* value = find(name);
        return value ? number(name, *value, most) : fallback;
    }
    std::uint32_t required(const std::string& name, std::uint32_t most)
    {
        if (!has(name)) {
            fail(ErrorCode::MissingKey, {}, name);
            return 0;
        }
        return one(name, 0, most);
    }

    /// A number, or an array with one a block; flags count as 0 and 1.
    std::vector<std::uint32_t> perBlock(const std::string& name, std::size_t blocks,
                                        std::uint32_t fallback, std::uint32_t most)
    {
        const auto* value = find(name);
        std::vector<std::uint32_t> out;
        if (!value || value->type() != gguf::ValueType::Array) {
            out.assign(blocks, one(name, fallback, most));
            return out;
        }
        auto cursor = value->elements();
        while (out.size() < blocks) {
            const auto element = cursor.next();
            if (!element) {
                fail(ErrorCode::BadKeyValue,
                     { "of " + std::to_string(value->count()) + " items",
                       "one for each of " + std::to_string(blocks) + " blocks" },
                     name);
                out.resize(blocks);
                break;
            }
            const auto flag = element->asBool();
            out.push_back(flag ? (*flag ? 1 : 0) : number(name, *element, most));
        }
        return out;
    }

    [[nodiscard]] bool isArray(const std::string& name) const
    {
        const auto* value = find(name);
        return value && value->type() == gguf::ValueType::Array;
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

    void fail(ErrorCode code, std::vector<std::string> arguments, const std::string& name)
    {
        if (!m_error) {
            Where where { m_file.path(), std::nullopt, m_prefix + name };
            if (const auto* value = find(name)) {
                where.offset = value->span().offset;
            }
            m_error = Error { code, std::move(arguments), std::move(where) };
        }
    }

private:
    [[nodiscard]] const gguf::Value* find(const std::string& name) const
    {
        return m_file.find(m_prefix + name);
    }

    std::uint32_t number(const std::string& name, const gguf::Value& value, std::uint32_t most)
    {
        if (!value.asInteger() && !value.asUnsigned()) {
            fail(ErrorCode::WrongKeyType,
                 { std::string(gguf::valueTypeName(value.type())), "an integer" }, name);
            return 0;
        }
        const auto read = value.asUnsigned();
        if (!read || *read > most) {
            fail(ErrorCode::BadKeyValue, { value.display(), "from 0 to " + std::to_string(most) },
                 name);
            return 0;
        }
        return static_cast<std::uint32_t>(*read);
    }

    const gguf::GgufFile& m_file;
    std::string m_prefix;
    std::optional<Error> m_error;
};

/// Blocks that are recurrent, or use the cache of an earlier one.
void dropSilentLayers(CacheKeys& keys, std::vector<CacheLayer>& layers)
{
    // every Nth block has attention, the others have a state of fixed size
    const std::uint32_t interval = keys.one("full_attention_interval", 1, kMaxBlocks);
    const std::uint32_t shared = keys.one("attention.shared_kv_layers", 0, kMaxBlocks);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const bool isRecurrent = interval > 1 && (i + 1) % interval != 0;
        if (isRecurrent || i + shared >= layers.size()) {
            layers[i].heads = 0;
        }
    }
}

void placeWindows(CacheKeys& keys, CacheShape& shape)
{
    const std::string pattern = "attention.sliding_window_pattern";
    const std::uint32_t window = keys.one("attention.sliding_window", 0, kMaxContext);
    if (window == 0) {
        return;
    }
    if (!keys.isArray(pattern)) {
        shape.unplacedWindow = window;
        return;
    }
    const auto slides = keys.perBlock(pattern, shape.layers.size(), 0, 1);
    for (std::size_t i = 0; i < shape.layers.size(); ++i) {
        if (slides[i] != 0) {
            CacheLayer& layer = shape.layers[i];
            layer.window = window;
            layer.keyLength = keys.one("attention.key_length_swa", layer.keyLength, kMaxWidth);
            layer.valueLength =
                keys.one("attention.value_length_swa", layer.valueLength, kMaxWidth);
        }
    }
}

/// a · b, or the largest number.
std::uint64_t product(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t out = 0;
    return __builtin_mul_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t out = 0;
    return __builtin_add_overflow(a, b, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

} // namespace

bool CacheShape::isUniform() const
{
    return std::ranges::all_of(layers, [&](const CacheLayer& layer) {
        const CacheLayer& first = layers.front();
        return layer.heads == first.heads && layer.keyLength == layer.valueLength
            && layer.keyLength == first.keyLength && layer.window == 0;
    });
}

Result<CacheShape> readCacheShape(const gguf::GgufFile& file)
{
    CacheKeys keys(file);
    CacheShape shape;
    if (keys.error()) {
        return tl::unexpected(*keys.error());
    }
    const std::size_t blocks = keys.required("block_count", kMaxBlocks);
    shape.trainedContext = keys.one("context_length", 0, kMaxContext);
    if (!keys.has("attention.head_count")) {
        keys.fail(ErrorCode::MissingKey, {}, "attention.head_count");
    }
    const auto heads = keys.perBlock("attention.head_count", blocks, 0, kMaxHeads);
    const auto most = heads.empty() ? 0 : *std::ranges::max_element(heads);
    std::uint32_t width = 0;
    if (!keys.has("attention.key_length") || !keys.has("attention.value_length")) {
        width = most == 0 ? 0 : keys.required("embedding_length", kMaxWidth) / most;
    }
    const auto keyLength = keys.one("attention.key_length", width, kMaxWidth);
    const auto valueLength = keys.one("attention.value_length", width, kMaxWidth);
    const bool hasOwn = keys.has("attention.head_count_kv");
    const auto own = keys.perBlock("attention.head_count_kv", blocks, 0, kMaxHeads);
    for (std::size_t i = 0; i < blocks; ++i) {
        shape.layers.push_back({ hasOwn ? own[i] : heads[i], keyLength, valueLength, 0 });
    }
    dropSilentLayers(keys, shape.layers);
    placeWindows(keys, shape);
    if (keys.error()) {
        return tl::unexpected(*keys.error());
    }
    return shape;
}

std::uint64_t cacheBytes(const CacheShape& shape, std::uint64_t context, gguf::TensorType type)
{
    const auto& info = gguf::tensorTypeInfo(type);
    const auto rowBytes = [&](const CacheLayer& layer, std::uint32_t width) {
        const std::uint64_t numbers = std::uint64_t(layer.heads) * width;
        return (numbers + info.blockSize - 1) / info.blockSize * info.typeSize;
    };
    std::uint64_t bytes = 0;
    for (const CacheLayer& layer : shape.layers) {
        const std::uint64_t kept =
            layer.window != 0 ? std::min<std::uint64_t>(layer.window, context) : context;
        const std::uint64_t perToken =
            rowBytes(layer, layer.keyLength) + rowBytes(layer, layer.valueLength);
        bytes = sum(bytes, product(perToken, kept));
    }
    return bytes;
}

} // namespace engine::model
