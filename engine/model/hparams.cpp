#include "engine/model/hparams.h"

#include "engine/model/architectures/architecture.h"
#include "engine/model/file_kind.h"
#include "engine/model/key_reader.h"

#include <algorithm>
#include <limits>

namespace engine::model {

namespace {

constexpr std::uint32_t kMaxBlocks = 512;
constexpr std::uint32_t kMaxWidth = 1U << 20; // of an embedding or feed-forward layer
constexpr std::uint32_t kMaxHeads = 4096;
constexpr std::uint64_t kMaxRow = 1U << 24U; // numbers of all heads together
constexpr std::uint32_t kMaxContext = 1U << 28;

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
        const auto missing = missingPart(*name);
        const auto runs = knownArchitectures()
            + (missing.empty() ? "" : "; what is missing: " + std::string(missing));
        return failure(ErrorCode::UnknownArchitecture, { std::string(*name), runs },
                       { file.path(), value->span().offset, key });
    }
    return std::string(*name);
}

void readRope(KeyReader& keys, Hparams& h)
{
    h.ropeDimensions = keys.optional("rope.dimension_count", h.keyLength, 0, h.keyLength);
    if (h.ropeDimensions % 2 != 0) {
        keys.fail(ErrorCode::BadKeyValue, { std::to_string(h.ropeDimensions), "an even number" },
                  "rope.dimension_count");
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
    } else if (scaling != "none" && scaling != "longrope") { // that one is in the factor tensors
        keys.fail(ErrorCode::UnsupportedFeature, { "RoPE scaling of the type '" + scaling + "'" },
                  "rope.scaling.type");
    }
    h.ropeOriginalContext =
        keys.optional("rope.scaling.original_context_length", h.contextLength, 1, kMaxContext);
    h.yarnAttentionFactor = keys.number("rope.scaling.attn_factor", 1.0F, 1e-3F, 1e3F);
    h.yarnExtrapolation = keys.number("rope.scaling.yarn_ext_factor", 1.0F, 0.0F, 1e3F);
    h.yarnBetaFast = keys.number("rope.scaling.yarn_beta_fast", 32.0F, 1e-3F, 1e6F);
    h.yarnLogMultiplier = keys.number("rope.scaling.yarn_log_multiplier", 0.0F, 0.0F, 1e3F);
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

/// Models of experts alone, or of state spaces, need no other feed-forward layer.
bool needsFeedForward(const KeyReader& keys)
{
    return !keys.has("expert_feed_forward_length") && !keys.has("ssm.inner_size");
}

/// The keys that everything else builds on.
void readSizes(KeyReader& keys, Hparams& h)
{
    h.blockCount = keys.required("block_count", 1, kMaxBlocks);
    const std::uint32_t blocks = keys.sound() ? h.blockCount : 0;
    h.contextLength = keys.required("context_length", 1, kMaxContext);
    h.embeddingLength = keys.required("embedding_length", 1, kMaxWidth);
    // 0: a block that has none, as hybrids and the Nemotrons of DeciLM have
    const bool hasStates = keys.has("ssm.inner_size");
    const std::uint32_t least = hasStates || h.architecture == "deci" ? 0 : 1;
    const std::string widths = "feed_forward_length";
    const std::string heads = "attention.head_count";
    h.feedForwardLengths = keys.perBlock(widths, blocks, 0, least, kMaxWidth);
    h.headCounts = keys.perBlock(heads, blocks, 0, least, kMaxHeads);
    h.headCount = *std::ranges::max_element(h.headCounts);
    if (*std::ranges::max_element(h.feedForwardLengths) == 0 && needsFeedForward(keys)) {
        keys.fail(ErrorCode::MissingKey, {}, widths);
    }
    if (h.headCount == 0 && !hasStates) {
        keys.fail(ErrorCode::MissingKey, {}, "attention.head_count");
    }
}

void readHeads(KeyReader& keys, Hparams& h)
{
    // 0 in an array: a block without attention
    const std::uint32_t low = keys.isArray("attention.head_count_kv") || h.headCount == 0 ? 0 : 1;
    h.headCountsKv = keys.perBlock("attention.head_count_kv", h.blockCount, 0, low, h.headCount);
    if (!keys.has("attention.head_count_kv")) {
        h.headCountsKv = h.headCounts;
    }
    for (std::uint32_t i = 0; i < h.blockCount; ++i) {
        if (h.headCountsKv[i] != 0 && h.headCounts[i] % h.headCountsKv[i] != 0) {
            keys.fail(ErrorCode::BadKeyValue,
                      { std::to_string(h.headCountsKv[i]), "a divisor of head_count" },
                      "attention.head_count_kv");
        }
    }
    h.rmsEpsilon = keys.number("attention.layer_norm_rms_epsilon", 1e-5F, 0.0F, 1.0F);
    h.layerNormEpsilon = keys.number("attention.layer_norm_epsilon", 1e-5F, 0.0F, 1.0F);
    if (h.headCount == 0) {
        return;
    }
    const auto fallbackLength = h.embeddingLength / h.headCount;
    h.keyLength = keys.optional("attention.key_length", fallbackLength, 1, kMaxWidth);
    h.valueLength = keys.optional("attention.value_length", fallbackLength, 1, kMaxWidth);
    if (h.keyLength == 0 || h.valueLength == 0) {
        keys.fail(ErrorCode::BadKeyValue,
                  { std::to_string(h.headCount), "at most embedding_length" },
                  "attention.head_count");
    }
    if (std::uint64_t(h.headCount) * std::max(h.keyLength, h.valueLength) > kMaxRow) {
        keys.fail(
            ErrorCode::BadKeyValue,
            { std::to_string(h.keyLength), "less, with " + std::to_string(h.headCount) + " heads" },
            "attention.key_length");
    }
}

/// Reads group after group, as long as what a group builds on is sound. Gives what is wrong.
std::vector<Error> readAll(const gguf::GgufFile& file, Hparams& h)
{
    if (auto foreign = foreignKind(file)) {
        return { std::move(*foreign) };
    }
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
