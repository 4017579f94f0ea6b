#include "app/services/synthesis.h"

#include "engine/gguf/writer.h"
#include "engine/quant/codec.h"
#include "engine/quant/random_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

namespace app {

using engine::ErrorCode;
using engine::gguf::TensorType;
using engine::gguf::Writer;

namespace {

constexpr std::uint32_t kVocabularySize = 32000;
constexpr std::uint32_t kContextLength = 8192;
constexpr std::size_t kPoolElements = 1U << 20; // a multiple of every block size
constexpr std::size_t kChunkBytes = 1U << 20;

constexpr std::array<SynthesisShape, 4> kShapes { {
    { "135M", 30, 576, 9, 3, 1536, true },
    { "1.1B", 22, 2048, 32, 4, 5632, false },
    { "3B", 28, 3072, 24, 8, 8192, true },
    { "8B", 32, 4096, 32, 8, 14336, false },
} };

/// SplitMix64: small, good enough for weights, and the same on every machine.
class Random
{
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {
    }
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15U;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31);
    }
    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    /// Mean 0, deviation 0.02: the sum of four uniform numbers is near enough to a bell curve, and
    /// needs no function of the mathematical library that would differ from machine to machine.
    float weight()
    {
        constexpr float kMean = 4 * 32767.5F;
        constexpr float kDeviation = 37837.2F; // of a sum of four uniform numbers below 65536
        const std::uint64_t bits = next();
        const auto sum =
            (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48 & 0xFFFF);
        return (static_cast<float>(sum) - kMean) * (0.02F / kDeviation);
    }

private:
    std::uint64_t m_state;
};

struct PlannedTensor
{
    std::string name;
    TensorType type;
    std::vector<std::uint64_t> shape;
    bool isNorm = false;
};

std::uint64_t elementCount(const PlannedTensor& tensor)
{
    std::uint64_t count = 1;
    for (const auto length : tensor.shape) {
        count *= length;
    }
    return count;
}

std::uint64_t byteCount(const PlannedTensor& tensor)
{
    const auto& type = engine::gguf::tensorTypeInfo(tensor.type);
    return elementCount(tensor) / type.blockSize * type.typeSize;
}

std::vector<PlannedTensor> plan(const SynthesisRequest& request)
{
    const auto& shape = request.shape;
    const std::uint64_t kvWidth = std::uint64_t { shape.width } / shape.heads * shape.headsKv;
    std::vector<PlannedTensor> out;
    const auto matrix = [&](std::string name, std::uint64_t row, std::uint64_t rows) {
        out.push_back({ std::move(name), synthesisTensorType(request.type, row), { row, rows } });
    };
    const auto norm = [&](std::string name) {
        out.push_back({ std::move(name), TensorType::F32, { shape.width }, true });
    };
    matrix("token_embd.weight", shape.width, kVocabularySize);
    for (std::uint32_t block = 0; block < shape.blocks; ++block) {
        const std::string prefix = "blk." + std::to_string(block) + ".";
        norm(prefix + "attn_norm.weight");
        matrix(prefix + "attn_q.weight", shape.width, shape.width);
        matrix(prefix + "attn_k.weight", shape.width, kvWidth);
        matrix(prefix + "attn_v.weight", shape.width, kvWidth);
        matrix(prefix + "attn_output.weight", shape.width, shape.width);
        norm(prefix + "ffn_norm.weight");
        matrix(prefix + "ffn_gate.weight", shape.width, shape.feedForward);
        matrix(prefix + "ffn_up.weight", shape.width, shape.feedForward);
        matrix(prefix + "ffn_down.weight", shape.feedForward, shape.width);
    }
    norm("output_norm.weight");
    if (!shape.tiedEmbeddings) {
        matrix("output.weight", shape.width, kVocabularySize);
    }
    return out;
}

/// The number that general.file_type has for a file made of one type.
std::uint32_t fileType(TensorType type)
{
    switch (type) {
    case TensorType::F16:
        return 1;
    case TensorType::Q4_0:
        return 2;
    case TensorType::Q4_1:
        return 3;
    case TensorType::Q8_0:
        return 7;
    case TensorType::Q5_0:
        return 8;
    case TensorType::Q5_1:
        return 9;
    case TensorType::Q6_K:
        return 18;
    case TensorType::BF16:
        return 32;
    default:
        return 0;
    }
}

/// A SentencePiece-style vocabulary: unknown, BOS, EOS, 256 byte tokens, then the shortest words of
/// the alphabet, with and without a space in front, until the size is reached.
void addVocabulary(Writer& writer)
{
    constexpr std::int32_t kNormal = 1;
    constexpr std::int32_t kUnknown = 2;
    constexpr std::int32_t kControl = 3;
    constexpr std::int32_t kByte = 6;
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const std::string space = "\xE2\x96\x81";

    std::vector<std::string> tokens { "<unk>", "<s>", "</s>" };
    std::vector<std::int32_t> kinds { kUnknown, kControl, kControl };
    for (std::size_t byte = 0; byte < 256; ++byte) {
        tokens.push_back({ '<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>' });
        kinds.push_back(kByte);
    }
    std::vector<std::string> words { "" };
    tokens.push_back(space);
    for (std::size_t from = 0; tokens.size() < kVocabularySize; ++from) {
        for (char letter = 'a'; letter <= 'z'; ++letter) {
            words.push_back(words[from] + letter);
            tokens.push_back(words.back());
            tokens.push_back(space + words.back());
        }
    }
    tokens.resize(kVocabularySize);
    kinds.resize(kVocabularySize, kNormal);
    std::vector<float> scores(kVocabularySize, 0.0F);
    for (std::size_t i = 259; i < scores.size(); ++i) {
        scores[i] = -static_cast<float>(i - 259);
    }
    writer.addText("tokenizer.ggml.model", "llama");
    writer.addText("tokenizer.ggml.pre", "default");
    writer.addTextArray("tokenizer.ggml.tokens", tokens);
    writer.addF32Array("tokenizer.ggml.scores", scores);
    writer.addI32Array("tokenizer.ggml.token_type", kinds);
    writer.addU32("tokenizer.ggml.unknown_token_id", 0);
    writer.addU32("tokenizer.ggml.bos_token_id", 1);
    writer.addU32("tokenizer.ggml.eos_token_id", 2);
    writer.addBool("tokenizer.ggml.add_bos_token", true);
    writer.addBool("tokenizer.ggml.add_eos_token", false);
}

void addMetadata(Writer& writer, const SynthesisRequest& request)
{
    const auto& shape = request.shape;
    const auto typeName = engine::gguf::tensorTypeInfo(request.type).name;
    writer.addText("general.architecture", "llama");
    writer.addText("general.name", "Random weights " + std::string(shape.name));
    writer.addText("general.description",
                   "Random " + std::string(typeName) + " weights to measure speed with");
    writer.addU32("general.file_type", fileType(request.type));
    writer.addU32("general.quantization_version", 2);
    writer.addU32("llama.vocab_size", kVocabularySize);
    writer.addU32("llama.context_length", kContextLength);
    writer.addU32("llama.embedding_length", shape.width);
    writer.addU32("llama.block_count", shape.blocks);
    writer.addU32("llama.feed_forward_length", shape.feedForward);
    writer.addU32("llama.attention.head_count", shape.heads);
    writer.addU32("llama.attention.head_count_kv", shape.headsKv);
    writer.addF32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    writer.addU32("llama.rope.dimension_count", shape.width / shape.heads);
    writer.addF32("llama.rope.freq_base", 10000.0F);
    addVocabulary(writer);
}

double rootMeanSquare(std::span<const float> values)
{
    double sum = 0;
    for (const float value : values) {
        sum += double(value) * value;
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Blocks of a type that we don't encode: random bits with scales that make the weights as large as
/// random ones are.
std::vector<std::byte> randomPool(TensorType type, std::uint32_t seed)
{
    constexpr float kTry = 0.01F; // weights follow the scale in proportion
    constexpr float kDeviation = 0.02F;
    const auto& info = engine::gguf::tensorTypeInfo(type);
    std::vector<float> values(std::size_t(64) * info.blockSize);
    const auto sample = engine::quant::randomBlocks(type, values.size(), seed, kTry);
    engine::quant::codec(type)->decode(sample.data(), values.data(), 64);
    const auto scale = static_cast<float>(kTry * kDeviation / rootMeanSquare(values));
    return engine::quant::randomBlocks(type, kPoolElements, seed, scale);
}

/// A stretch of random weights that the rows of all matrices are cut from at random places: each
/// block is valid, and writing is as fast as copying.
std::vector<std::byte> weightPool(TensorType type, Random& random)
{
    const auto* codec = engine::quant::codec(type);
    if (codec->encode == nullptr) {
        return randomPool(type, static_cast<std::uint32_t>(random.next()));
    }
    std::vector<float> values(kPoolElements);
    std::generate(values.begin(), values.end(), [&] { return random.weight(); });
    const auto& info = engine::gguf::tensorTypeInfo(type);
    const std::size_t blocks = kPoolElements / info.blockSize;
    std::vector<std::byte> out(blocks * info.typeSize);
    codec->encode(values.data(), out.data(), blocks);
    return out;
}

/// Writes tensors out of pools, with progress over all of them.
class WeightStream
{
public:
    WeightStream(Writer& writer, std::uint64_t seed, std::uint64_t total, std::stop_token stop,
                 const SynthesisProgress& progress)
        : m_writer(writer)
        , m_random(seed)
        , m_total(total)
        , m_stop(std::move(stop))
        , m_progress(progress)
    {
    }

    engine::Result<void> write(const PlannedTensor& tensor)
    {
        return tensor.isNorm ? writeNorm(tensor) : writeMatrix(tensor);
    }

private:
    engine::Result<void> writeNorm(const PlannedTensor& tensor)
    {
        const std::vector<float> ones(tensor.shape[0], 1.0F);
        return put(std::as_bytes(std::span(ones)));
    }

    engine::Result<void> writeMatrix(const PlannedTensor& tensor)
    {
        const auto& info = engine::gguf::tensorTypeInfo(tensor.type);
        auto pool = m_pools.find(tensor.type);
        if (pool == m_pools.end()) {
            pool = m_pools.emplace(tensor.type, weightPool(tensor.type, m_random)).first;
        }
        const std::size_t rowBlocks = tensor.shape[0] / info.blockSize;
        const std::size_t rowBytes = rowBlocks * info.typeSize;
        const std::size_t places = kPoolElements / info.blockSize - rowBlocks + 1;
        const std::uint64_t rows = tensor.shape[1];
        const std::uint64_t rowsAtOnce = std::max<std::uint64_t>(1, kChunkBytes / rowBytes);
        std::vector<std::byte> chunk(rowsAtOnce * rowBytes);
        for (std::uint64_t row = 0; row < rows;) {
            const std::uint64_t count = std::min(rowsAtOnce, rows - row);
            for (std::uint64_t i = 0; i < count; ++i) {
                const std::size_t place = m_random.below(places) * info.typeSize;
                std::memcpy(chunk.data() + i * rowBytes, pool->second.data() + place, rowBytes);
            }
            if (auto written = put(std::span(chunk).first(count * rowBytes)); !written) {
                return written;
            }
            row += count;
        }
        return {};
    }

    engine::Result<void> put(std::span<const std::byte> bytes)
    {
        if (m_stop.stop_requested()) {
            return engine::failure(ErrorCode::Cancelled);
        }
        auto written = m_writer.writeData(bytes);
        m_done += bytes.size();
        if (written && m_progress) {
            m_progress(static_cast<double>(m_done) / static_cast<double>(m_total));
        }
        return written;
    }

    Writer& m_writer;
    Random m_random;
    std::map<TensorType, std::vector<std::byte>> m_pools;
    std::uint64_t m_done = 0;
    std::uint64_t m_total;
    std::stop_token m_stop;
    const SynthesisProgress& m_progress;
};

/// Rather now than after minutes of writing.
engine::Result<void> requireSpace(const std::string& path, std::uint64_t bytes)
{
    std::error_code unknown;
    const auto folder = std::filesystem::absolute(path, unknown).parent_path();
    const auto space = std::filesystem::space(folder, unknown);
    if (!unknown && space.available < bytes) {
        return engine::failure(ErrorCode::FileWriteFailed,
                               { std::to_string(bytes / 1'000'000) + " MB are needed, "
                                 + std::to_string(space.available / 1'000'000) + " MB are free" },
                               { path, {}, {} });
    }
    return {};
}

/// Whether matrices are ever stored so: intermediate types and integers are not.
bool canBeWritten(const engine::quant::Codec& codec)
{
    const bool isIntermediate = codec.type == TensorType::Q8_1 || codec.type == TensorType::Q8_K;
    return codec.encode != nullptr
        || (!isIntermediate && engine::gguf::tensorTypeInfo(codec.type).blockSize > 1);
}

std::string writableTypes()
{
    std::string out;
    for (const auto& codec : engine::quant::codecs()) {
        if (canBeWritten(codec)) {
            out += (out.empty() ? "" : ", ")
                + std::string(engine::gguf::tensorTypeInfo(codec.type).name);
        }
    }
    return out;
}

} // namespace

std::span<const SynthesisShape> synthesisShapes()
{
    return kShapes;
}

engine::Result<SynthesisRequest> parseSynthesis(std::string_view text)
{
    const auto colon = text.find(':');
    const auto shapeName = text.substr(0, colon);
    const auto shape = std::find_if(kShapes.begin(), kShapes.end(),
                                    [&](const auto& row) { return row.name == shapeName; });
    if (colon == std::string_view::npos || shape == kShapes.end()) {
        return engine::failure(
            ErrorCode::InvalidArgument,
            { std::string(text)
              + " is not SHAPE:TYPE; the shapes are 135M, 1.1B, 3B and 8B, as in 135M:Q4_0" });
    }
    const auto typeName = text.substr(colon + 1);
    const auto type = engine::gguf::tensorTypeByName(typeName);
    const auto* codec = type ? engine::quant::codec(*type) : nullptr;
    if (codec == nullptr || !canBeWritten(*codec)) {
        return engine::failure(ErrorCode::InvalidArgument,
                               { "the type " + std::string(typeName)
                                 + " cannot be written; choose one of " + writableTypes() });
    }
    return SynthesisRequest { *shape, *type };
}

TensorType synthesisTensorType(TensorType type, std::uint64_t rowLength)
{
    const auto fits = [&](TensorType candidate) {
        const auto* codec = engine::quant::codec(candidate);
        return codec != nullptr && canBeWritten(*codec)
            && rowLength % engine::gguf::tensorTypeInfo(candidate).blockSize == 0;
    };
    if (fits(type)) {
        return type;
    }
    TensorType smaller = TensorType::F16;
    switch (type) {
    case TensorType::Q4_K:
        smaller = TensorType::Q5_0;
        break;
    case TensorType::Q5_K:
        smaller = TensorType::Q5_1;
        break;
    case TensorType::Q6_K:
        smaller = TensorType::Q8_0;
        break;
    case TensorType::Q2_K:
    case TensorType::Q3_K:
        smaller = TensorType::Q4_0;
        break;
    default:
        break;
    }
    return fits(smaller) ? smaller : TensorType::F16;
}

engine::Result<Synthesized> synthesize(const SynthesisRequest& request, const std::string& path,
                                       std::stop_token stop, const SynthesisProgress& progress)
{
    const auto tensors = plan(request);
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    for (const auto& tensor : tensors) {
        elements += elementCount(tensor);
        bytes += byteCount(tensor);
    }
    if (auto space = requireSpace(path, bytes); !space) {
        return tl::make_unexpected(space.error());
    }
    Writer writer(path);
    addMetadata(writer, request);
    for (const auto& tensor : tensors) {
        writer.declareTensor(tensor.name, tensor.type, tensor.shape);
    }
    if (auto begun = writer.begin(); !begun) {
        return tl::make_unexpected(begun.error());
    }
    WeightStream stream(writer, request.seed, bytes, std::move(stop), progress);
    for (const auto& tensor : tensors) {
        if (auto written = stream.write(tensor); !written) {
            return tl::make_unexpected(written.error());
        }
    }
    auto size = writer.finish();
    if (!size) {
        return tl::make_unexpected(size.error());
    }
    return Synthesized { *size, 8.0 * static_cast<double>(bytes) / static_cast<double>(elements) };
}

} // namespace app
