// A model ready to run: hyperparameters, weights as views into the map, tokenizer and chat
// template. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/chat/chat_template.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/composer.h"
#include "engine/model/hparams.h"
#include "engine/text/tokenizer.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace engine::model {

/// Stages of loading, for progress displays. Device: what follows on a device that is new here.
enum class LoadStage { File, Weights, Tokenizer, Device };
/// `fraction` of the whole load, 0 to 1.
using LoadProgress = std::function<void(LoadStage stage, double fraction)>;

/// Immutable, thread-safe.
class Model
{
public:
    /// Opens and binds `path`. Errors name the key, tensor or type and what to do.
    [[nodiscard]] static Result<std::shared_ptr<const Model>>
    load(const std::string& path, std::stop_token stop = {}, const LoadProgress& progress = {});

    [[nodiscard]] const gguf::GgufFile& file() const { return *m_file; }
    [[nodiscard]] std::shared_ptr<const gguf::GgufFile> sharedFile() const { return m_file; }
    [[nodiscard]] const Hparams& hparams() const { return m_hparams; }
    /// The op list of one forward pass.
    [[nodiscard]] const Graph& graph() const { return m_composition.graph; }
    [[nodiscard]] const text::Tokenizer& tokenizer() const { return *m_tokenizer; }
    /// What the user should know: template missing, unknown pre-tokenizer, …
    [[nodiscard]] const std::vector<gguf::Problem>& warnings() const { return m_warnings; }
    /// Error when the model's own template does not parse (a conversation can't start then;
    /// completion can).
    [[nodiscard]] const Result<chat::ChatTemplate>& chatTemplate() const { return m_chatTemplate; }

    /// general.name, else the file name without ending.
    [[nodiscard]] std::string displayName() const;
    /// The type most of the weights' bytes have, e.g. "Q4_1".
    [[nodiscard]] std::string typeName() const;
    [[nodiscard]] std::uint64_t parameterCount() const;

    ~Model();

private:
    Model();
    Result<void> bindWeights();
    Result<void> loadTokenizer();

    std::shared_ptr<const gguf::GgufFile> m_file;
    Hparams m_hparams;
    Composition m_composition;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<gguf::Problem> m_warnings;
    Result<chat::ChatTemplate> m_chatTemplate;
};

} // namespace engine::model
