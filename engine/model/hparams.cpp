#include "engine/model/hparams.h"

#include "engine/model/architectures/architecture.h"

#include <cmath>
#include <limits>

namespace engine::model {

namespace {

constexpr std::uint32_t kMaxBlocks = 512;
constexpr std::uint32_t kMaxWidth = 1U << 20; // of an embedding or feed-forward layer
constexpr std::uint32_t kMaxHeads = 4096;
constexpr std::uint32_t kMaxContext = 1U << 28;

/// Reads typed, range-checked keys of one architecture; keeps the failures, one a key.
class KeyReader
{
public:
    KeyReader(const gguf::GgufFile& file, std::string architecture)
        : m_file(file)
        , m_prefix(std::move(architecture) + ".")
    {
    }

    std::uint32_t required(const std::string& name, std::uint32_t low, std::uint32_t high)
    {
        if (!m_file.find(m_prefix + name)) {
            fail(ErrorCode::MissingKey, {}, name, nullptr);
            return low;
        }
        return optional(name, low, low, high);
    }

    std::uint32_t optional(const std::string& name, std::uint32_t fallback, std::uint32_t low,
                           std::uint32_t high)
    {
        const auto* value = m_file.find(m_prefix + name);
        return value ? integer(name, *value, low, high) : fallback;
    }

    /// A scalar, or an array of one equal value a block; of any length where `blocks` is 0.
    std::uint32_t perBlock(const std::string& name, std::uint32_t blocks, std::uint32_t fallback,
                           std::uint32_t low, std::uint32_t high)
    {
        const auto* value = m_file.find(m_prefix + name);
        if (!value) {
            return fallback;
        }
        if (value->type() != gguf::ValueType::Array) {
            return integer(name, *value, low, high);
        }
        if (blocks != 0 && value->count() != blocks) {
            fail(ErrorCode::BadKeyValue,
                 { "of " + std::to_string(value->count()) + " items",
                   "one for each of " + std::to_string(blocks) + " blocks" },
                 name, value);
            return low;
        }
        auto cursor = value->elements();
        std::optional<std::uint32_t> common;
        while (const auto element = cursor.next()) {
            const auto n = integer(name, *element, low, high);
            if (common && *common != n) {
                fail(ErrorCode::UnsupportedFeature, { "blocks with different " + name }, name,
                     value);
                return low;
            }
            common = n;
        }
        return common.value_or(low);
    }

    float number(const std::string& name, float fallback, float low, float high)
    {
        const auto* value = m_file.find(m_prefix + name);
        if (!value) {
            return fallback;
        }
        const auto read = value->asNumber();
        if (!read) {
            fail(ErrorCode::WrongKeyType,
                 { std::string(gguf::valueTypeName(value->type())), "a number" }, name, value);
            return fallback;
        }
        const auto n = static_cast<float>(*read);
        if (!(n >= low && n <= high)) {
            fail(ErrorCode::BadKeyValue,
                 { std::to_string(*read),
                   "from " + std::to_string(low) + " to " + std::to_string(high) },
                 name, value);
            return fallback;
        }
        return n;
    }

    std::string text(const std::string& name)
    {
        const auto* value = m_file.find(m_prefix + name);
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

    void fail(ErrorCode code, std::vector<std::string> arguments, const std::string& name,
              const gguf::Value* value)
    {
        Where where { m_file.path(), std::nullopt, m_prefix + name };
        for (const Error& known : m_faults) {
            if (known.where.subject == where.subject) {
                return;
            }
        }
        if (!value) {
            value = m_file.find(m_prefix + name);
        }
        if (value) {
            where.offset = value->span().offset;
        }
        m_faults.push_back({ code, std::move(arguments), std::move(where) });
    }

    [[nodiscard]] bool sound() const { return m_faults.empty(); }
    [[nodiscard]] std::vector<Error> takeFaults() { return std::move(m_faults); }

private:
    std::uint32_t integer(const std::string& name, const gguf::Value& value, std::uint32_t low,
                          std::uint32_t high)
    {
        const auto refuse = [&](const std::string& number) {
            fail(ErrorCode::BadKeyValue,
                 { number, "from " + std::to_string(low) + " to " + std::to_string(high) }, name,
                 &value);
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

    const gguf::GgufFile& m_file;
    std::string m_prefix;
    std::vector<Error> m_faults;
};

Result<std::string> architectureName(const gguf::GgufFile& file)
{
    const std::string key = "general.architecture";
    const auto* value = file.find(key);
    if (!value) {
        return failure(ErrorCode::MissingKey, {}, { file.path(), std::nullopt, key });
    }
    const auto name = value->asText();
    if (!name) {
        return failure(ErrorCode::WrongKeyType,
                       { std::string(gguf::valueTypeName(value->type())), "a string" },
                       { file.path(), value->span().offset, key });
    }
    if (!architecture(*name)) {
        return failure(ErrorCode::UnknownArchitecture, { std::string(*name), architectureNames() },
                       { file.path(), value->span().offset, key });
    }
    return std::string(*name);
}

void readRope(KeyReader& keys, Hparams& h)
{
    h.ropeDimensions = keys.optional("rope.dimension_count", h.keyLength, 0, h.keyLength);
    if (h.ropeDimensions % 2 != 0) {
        keys.fail(ErrorCode::BadKeyValue, { std::to_string(h.ropeDimensions), "an even number" },
                  "rope.dimension_count", nullptr);
    }
    constexpr float huge = std::numeric_limits<float>::max();
    h.ropeBase = keys.number("rope.freq_base", 10000.0F, 1.0F, huge);
    const auto scaling = keys.text("rope.scaling.type");
    h.ropeFactor = keys.number("rope.scaling.factor", 1.0F, 1e-3F, 1e6F);
    if (scaling == "linear") {
        h.ropeScaling = RopeScaling::Linear;
    } else if (scaling == "yarn") {
        h.ropeScaling = RopeScaling::Yarn;
    } else if (scaling.empty()) {
        // files from before rope.scaling.type existed
        h.ropeFactor = keys.number("rope.scale_linear", h.ropeFactor, 1e-3F, 1e6F);
        h.ropeScaling = h.ropeFactor != 1.0F ? RopeScaling::Linear : RopeScaling::None;
    } else if (scaling != "none") {
        keys.fail(ErrorCode::UnsupportedFeature, { "RoPE scaling of the type '" + scaling + "'" },
                  "rope.scaling.type", nullptr);
    }
    h.ropeOriginalContext =
        keys.optional("rope.scaling.original_context_length", h.contextLength, 1, kMaxContext);
    h.yarnAttentionFactor = keys.number("rope.scaling.attn_factor", 1.0F, 1e-3F, 1e3F);
    h.yarnExtrapolation = keys.number("rope.scaling.yarn_ext_factor", 1.0F, 0.0F, 1e3F);
    h.yarnBetaFast = keys.number("rope.scaling.yarn_beta_fast", 32.0F, 1e-3F, 1e6F);
    h.yarnBetaSlow = keys.number("rope.scaling.yarn_beta_slow", 1.0F, 1e-3F, 1e6F);
}

/// The embedding's rows are the truth; without weights the vocabulary's length.
std::uint32_t vocabularySize(const gguf::GgufFile& file)
{
    constexpr std::uint64_t limit = std::numeric_limits<std::int32_t>::max();
    if (const auto* embedding = file.findTensor("token_embd.weight")) {
        return static_cast<std::uint32_t>(std::min(embedding->rows(), limit));
    }
    const auto* tokens = file.find("tokenizer.ggml.tokens");
    return tokens ? static_cast<std::uint32_t>(std::min(tokens->count(), limit)) : 0;
}

/// The keys that everything else builds on.
void readSizes(KeyReader& keys, Hparams& h)
{
    h.blockCount = keys.required("block_count", 1, kMaxBlocks);
    const std::uint32_t blocks = keys.sound() ? h.blockCount : 0;
    h.contextLength = keys.required("context_length", 1, kMaxContext);
    h.embeddingLength = keys.required("embedding_length", 1, kMaxWidth);
    h.feedForwardLength = keys.perBlock("feed_forward_length", blocks, 0, 1, kMaxWidth);
    h.headCount = keys.perBlock("attention.head_count", blocks, 0, 1, kMaxHeads);
    if (h.feedForwardLength == 0) {
        keys.fail(ErrorCode::MissingKey, {}, "feed_forward_length", nullptr);
    }
    if (h.headCount == 0) {
        keys.fail(ErrorCode::MissingKey, {}, "attention.head_count", nullptr);
    }
}

void readHeads(KeyReader& keys, Hparams& h)
{
    h.headCountKv =
        keys.perBlock("attention.head_count_kv", h.blockCount, h.headCount, 1, h.headCount);
    if (h.headCount % h.headCountKv != 0) {
        keys.fail(ErrorCode::BadKeyValue,
                  { std::to_string(h.headCountKv), "a divisor of head_count" },
                  "attention.head_count_kv", nullptr);
    }
    const auto fallbackLength = h.embeddingLength / h.headCount;
    h.keyLength = keys.optional("attention.key_length", fallbackLength, 1, kMaxWidth);
    h.valueLength = keys.optional("attention.value_length", fallbackLength, 1, kMaxWidth);
    if (h.keyLength == 0 || h.valueLength == 0) {
        keys.fail(ErrorCode::BadKeyValue,
                  { std::to_string(h.headCount), "at most embedding_length" },
                  "attention.head_count", nullptr);
    }
    h.rmsEpsilon = keys.number("attention.layer_norm_rms_epsilon", 1e-5F, 0.0F, 1.0F);
}

/// Reads group after group, as long as what a group builds on is sound. Gives what is wrong.
std::vector<Error> readAll(const gguf::GgufFile& file, Hparams& h)
{
    auto name = architectureName(file);
    if (!name) {
        return { name.error() };
    }
    h.architecture = *name;
    KeyReader keys(file, *name);
    for (const auto group : { readSizes, readHeads, readRope }) {
        group(keys, h);
        if (!keys.sound()) {
            return keys.takeFaults();
        }
    }
    h.vocabularySize = vocabularySize(file);
    if (auto error = architecture(h.architecture)->unsupported(file, h)) {
        return { std::move(*error) };
    }
    return {};
}

} // namespace

Result<Hparams> readHparams(const gguf::GgufFile& file)
{
    Hparams h;
    auto faults = readAll(file, h);
    if (!faults.empty()) {
        return tl::unexpected(std::move(faults.front()));
    }
    return h;
}

std::vector<Error> hparamFaults(const gguf::GgufFile& file)
{
    Hparams ignored;
    return readAll(file, ignored);
}

} // namespace engine::model
