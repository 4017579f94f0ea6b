#include "engine/model/file_kind.h"

#include "engine/gguf/printable.h"

#include <algorithm>
#include <array>
#include <string>

namespace engine::model {

namespace {

constexpr std::string_view kTypeKey = "general.type";
constexpr std::string_view kArchitectureKey = "general.architecture";

struct Kind
{
    std::string_view name;
    ErrorCode code;
};

/// By general.type, as gguf-py writes it.
constexpr auto kTypes = std::to_array<Kind>({
    { "adapter", ErrorCode::AdapterFile },
    { "imatrix", ErrorCode::ImportanceMatrixFile },
    { "mmproj", ErrorCode::MediaProjector },
    { "clip-vision", ErrorCode::MediaProjector },
});

/// By general.architecture: those of llama.cpp that write no text one token after the other, and
/// those of other programs that keep their models in GGUF files (stable-diffusion.cpp,
/// ComfyUI-GGUF, whisper.cpp's and TTS.cpp's converters).
constexpr auto kArchitectures = std::to_array<Kind>({
    { "clip", ErrorCode::MediaProjector },
    { "mmproj", ErrorCode::MediaProjector },
    { "controlvector", ErrorCode::ControlVectorFile },
    { "bert", ErrorCode::EmbeddingModel },
    { "modern-bert", ErrorCode::EmbeddingModel },
    { "nomic-bert", ErrorCode::EmbeddingModel },
    { "nomic-bert-moe", ErrorCode::EmbeddingModel },
    { "neo-bert", ErrorCode::EmbeddingModel },
    { "jina-bert-v2", ErrorCode::EmbeddingModel },
    { "jina-bert-v3", ErrorCode::EmbeddingModel },
    { "eurobert", ErrorCode::EmbeddingModel },
    { "gte", ErrorCode::EmbeddingModel },
    { "gemma-embedding", ErrorCode::EmbeddingModel },
    { "llama-embed", ErrorCode::EmbeddingModel },
    { "t5encoder", ErrorCode::EmbeddingModel },
    { "t5", ErrorCode::EncoderDecoderModel },
    { "dream", ErrorCode::DiffusionLanguageModel },
    { "llada", ErrorCode::DiffusionLanguageModel },
    { "llada-moe", ErrorCode::DiffusionLanguageModel },
    { "rnd1", ErrorCode::DiffusionLanguageModel },
    { "flux", ErrorCode::PictureModel },
    { "sd1", ErrorCode::PictureModel },
    { "sd2", ErrorCode::PictureModel },
    { "sd3", ErrorCode::PictureModel },
    { "sdxl", ErrorCode::PictureModel },
    { "aura", ErrorCode::PictureModel },
    { "hidream", ErrorCode::PictureModel },
    { "lumina2", ErrorCode::PictureModel },
    { "qwen_image", ErrorCode::PictureModel },
    { "cosmos", ErrorCode::PictureModel },
    { "hyvid", ErrorCode::PictureModel },
    { "ltxv", ErrorCode::PictureModel },
    { "wan", ErrorCode::PictureModel },
    { "pig", ErrorCode::PictureModel },
    { "whisper", ErrorCode::SpeechModel },
    { "wavtokenizer-dec", ErrorCode::SpeechModel },
    { "csm", ErrorCode::SpeechModel },
    { "orpheus", ErrorCode::SpeechModel },
    { "parler-tts", ErrorCode::SpeechModel },
    { "kokoro", ErrorCode::SpeechModel },
    { "dia", ErrorCode::SpeechModel },
    { "bark", ErrorCode::SpeechModel },
    { "snac", ErrorCode::SpeechModel },
    { "moonshine", ErrorCode::SpeechModel },
    { "parakeet", ErrorCode::SpeechModel },
});

/// By how a tensor's name begins, for files that name no architecture.
constexpr auto kTensorNames = std::to_array<Kind>({
    { "model.diffusion_model.", ErrorCode::PictureModel },
    { "first_stage_model.", ErrorCode::PictureModel },
    { "double_blocks.", ErrorCode::PictureModel },
    { "joint_blocks.", ErrorCode::PictureModel },
    { "input_blocks.", ErrorCode::PictureModel },
    { "encoder.conv1.", ErrorCode::SpeechModel },
});

template <std::size_t N>
const Kind* named(const std::array<Kind, N>& kinds, std::string_view name)
{
    const auto found = std::ranges::find(kinds, name, &Kind::name);
    return found == kinds.end() ? nullptr : &*found;
}

class KindFinder
{
public:
    explicit KindFinder(const gguf::GgufFile& file)
        : m_file(file)
        , m_architecture(textOf(kArchitectureKey))
    {
    }

    [[nodiscard]] std::optional<Error> find() const
    {
        if (const Kind* kind = named(kTypes, textOf(kTypeKey))) {
            return error(kind->code, kTypeKey);
        }
        const Kind* kind = named(kArchitectures, m_architecture);
        if (kind && kind->code != ErrorCode::EmbeddingModel) {
            return error(kind->code, kArchitectureKey);
        }
        if (const auto byKeys = ofPooling()) {
            return byKeys;
        }
        if (kind) {
            return error(kind->code, kArchitectureKey);
        }
        return m_architecture.empty() ? ofTensors() : std::nullopt;
    }

private:
    [[nodiscard]] std::string_view textOf(std::string_view key) const
    {
        const auto* value = m_file.find(key);
        return value ? value->asText().value_or(std::string_view()) : std::string_view();
    }

    /// Pooled outputs make one vector of a text; an attention that sees what comes later can't
    /// write it.
    [[nodiscard]] std::optional<Error> ofPooling() const
    {
        constexpr std::uint64_t kNone = 0;
        constexpr std::uint64_t kRank = 4;
        const std::string poolingKey = std::string(m_architecture) + ".pooling_type";
        const auto* pooling = m_file.find(poolingKey);
        const auto type = pooling ? pooling->asUnsigned().value_or(kNone) : kNone;
        if (type != kNone) {
            return error(type == kRank ? ErrorCode::RerankingModel : ErrorCode::EmbeddingModel,
                         poolingKey);
        }
        const std::string causalKey = std::string(m_architecture) + ".attention.causal";
        const auto* causal = m_file.find(causalKey);
        if (causal && !causal->asBool().value_or(true)) {
            return error(ErrorCode::EmbeddingModel, causalKey);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Error> ofTensors() const
    {
        for (const auto& tensor : m_file.tensors()) {
            for (const Kind& kind : kTensorNames) {
                if (tensor.name.starts_with(kind.name)) {
                    return Error { kind.code,
                                   { gguf::printable(tensor.name) },
                                   m_file.placeOf(tensor.entry.offset,
                                                  gguf::printable(tensor.name)) };
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Error error(ErrorCode code, std::string_view key) const
    {
        std::string_view about = m_architecture;
        if (code == ErrorCode::ControlVectorFile) {
            about = textOf("controlvector.model_hint");
        }
        return { code,
                 { about.empty() ? "unknown" : gguf::printable(about) },
                 m_file.placeOf(m_file.find(key)->span().offset, gguf::printable(key)) };
    }

    const gguf::GgufFile& m_file;
    std::string_view m_architecture;
};

} // namespace

std::optional<Error> foreignKind(const gguf::GgufFile& file)
{
    return KindFinder(file).find();
}

} // namespace engine::model
