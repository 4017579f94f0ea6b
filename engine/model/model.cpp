#include "engine/model/model.h"

#include "engine/gguf/joined_file.h"
#include "engine/model/architectures/architecture.h"

#include <filesystem>
#include <map>

namespace engine::model {

Model::Model()
    : m_chatTemplate(failure(ErrorCode::Cancelled))
{
}

Model::~Model() = default;

Result<std::shared_ptr<const Model>> Model::load(const std::string& path, std::stop_token stop,
                                                 const LoadProgress& progress)
{
    const auto report = [&](LoadStage stage, double fraction) {
        if (progress) {
            progress(stage, fraction);
        }
    };
    const auto cancelled = [&] {
        return failure(ErrorCode::Cancelled, {}, { path, std::nullopt, "" });
    };
    report(LoadStage::File, 0.0);
    auto file = gguf::openJoined(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (auto sound = (*file)->requireSound(); !sound) {
        return tl::unexpected(sound.error());
    }
    std::shared_ptr<Model> model(new Model);
    model->m_file = *file;
    for (const auto& problem : model->m_file->problems()) {
        model->m_warnings.push_back(problem);
    }
    auto hparams = readHparams(*model->m_file);
    if (!hparams) {
        return tl::unexpected(hparams.error());
    }
    model->m_hparams = *hparams;
    if (auto some = requireWeights(*model->m_file); !some) {
        return tl::unexpected(some.error());
    }

    if (stop.stop_requested()) {
        return cancelled();
    }
    report(LoadStage::Weights, 0.1);
    if (auto bound = model->bindWeights(); !bound) {
        return tl::unexpected(bound.error());
    }
    report(LoadStage::Tokenizer, 0.3);
    if (auto loaded = model->loadTokenizer(); !loaded) {
        return tl::unexpected(loaded.error());
    }
    if (stop.stop_requested()) {
        return cancelled();
    }
    report(LoadStage::Tokenizer, 1.0);
    return model;
}

Result<void> Model::bindWeights()
{
    WeightBinder binder(*m_file);
    {
        Composer composer(m_hparams, binder, m_composition);
        architecture(m_hparams.architecture)->compose(composer);
    }
    return binder.result();
}

Result<void> Model::loadTokenizer()
{
    auto loaded = text::Tokenizer::load(m_file);
    if (!loaded) {
        return tl::unexpected(loaded.error());
    }
    m_tokenizer = loaded->tokenizer;
    m_warnings.insert(m_warnings.end(), loaded->warnings.begin(), loaded->warnings.end());
    const auto tokens = static_cast<std::uint32_t>(m_tokenizer->vocabulary().size());
    if (tokens > m_hparams.vocabularySize) {
        return failure(ErrorCode::VocabularyMismatch,
                       { std::to_string(tokens), std::to_string(m_hparams.vocabularySize) },
                       { m_file->path(), std::nullopt, "token_embd.weight" });
    }
    m_chatTemplate = chat::ChatTemplate::forVocabulary(m_tokenizer->vocabulary());
    return {};
}

std::string Model::displayName() const
{
    if (const auto* value = m_file->find("general.name")) {
        if (const auto name = value->asText(); name && !name->empty()) {
            return std::string(*name);
        }
    }
    return std::filesystem::path(m_file->path()).stem().string();
}

std::string Model::typeName() const
{
    std::map<std::string_view, std::uint64_t> bytes;
    for (const auto& tensor : m_file->tensors()) {
        // the embedding is often kept in a finer type than the matrices that name the quantization
        if (const auto* info = tensor.typeInfo(); info && tensor.name.starts_with("blk.")) {
            bytes[info->name] += tensor.data.size;
        }
    }
    std::string_view most = "?";
    std::uint64_t mostBytes = 0;
    for (const auto& [name, size] : bytes) {
        if (size > mostBytes) {
            most = name;
            mostBytes = size;
        }
    }
    return std::string(most);
}

std::uint64_t Model::parameterCount() const
{
    std::uint64_t count = 0;
    for (const auto& tensor : m_file->tensors()) {
        count += tensor.elements;
    }
    return count;
}

} // namespace engine::model
