// Loads a model and asks it, on one inference thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "app/services/generation.h"
#include "app/services/inference_engine.h"
#include "app/services/model_facts.h"
#include "engine/chat/message.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace app {

/// Lives on the GUI thread; no call waits. One model at a time, one generation at a time.
///
/// A model stays loaded until another one is there: a load that fails or is cancelled changes
/// nothing.
class InferenceService : public QObject
{
    Q_OBJECT

public:
    enum class State { Empty, Loading, Ready, Generating };
    Q_ENUM(State)

    explicit InferenceService(std::unique_ptr<InferenceEngine> engine, QObject* parent = nullptr);
    /// Stops whatever runs and joins the inference thread (about 50 ms).
    ~InferenceService() override;

    [[nodiscard]] State state() const;
    /// True also while another model is being loaded.
    [[nodiscard]] bool hasModel() const;
    /// Of the loaded model; empty without one.
    [[nodiscard]] const ModelFacts& facts() const;
    /// The loaded model's file was changed or cut short; answers end with an error until it is
    /// loaded again.
    [[nodiscard]] bool isFileChanged() const;

    // While loading.
    [[nodiscard]] QString loadingPath() const;
    [[nodiscard]] engine::model::LoadStage loadStage() const;
    /// What is being done, translated, e.g. "Reading the vocabulary".
    [[nodiscard]] QString loadStageText() const;
    [[nodiscard]] double loadFraction() const;

    /// Stops a running answer and a running load first. Ends with `loaded`, `loadFailed` or
    /// `loadCancelled`; only the last of several loads reports.
    void load(const QString& path, const LoadRequest& request = {});
    /// The state is as before at once. Does nothing when no load runs or it is done already.
    void cancelLoad();
    /// Stops a running answer and forgets the model.
    void unload();

    /// Counts tokens of a text on any thread, also when the model is gone; empty without a model.
    [[nodiscard]] const CountTokens& tokenCounter() const;

    /// Asks for the next answer. Nothing (null) unless the state is Ready. Errors arrive through
    /// the generation.
    Generation* ask(AskRequest request);
    Generation* ask(std::vector<engine::chat::Message> messages,
                    const engine::session::GenerateOptions& options = {});
    /// A small answer beside the conversation (a title): the state stays Ready, contextUsed is not
    /// touched, and whatever is asked for next stops it. Nothing unless the state is Ready and no
    /// other one runs. Valid until the next `askAside`.
    Generation* askAside(AskRequest request);
    /// The running generation, or null.
    [[nodiscard]] Generation* generation() const;
    /// Stops the running generation, if any.
    void stop();

    /// Tokens of the context in use by the latest prompt and answer; grows while one streams.
    [[nodiscard]] std::size_t contextUsed() const;

Q_SIGNALS:
    void stateChanged();
    /// At most 30 times a second; also when the stage changes.
    void loadProgressChanged();
    void loaded(const app::ModelFacts& facts);
    void loadFailed(const app::ErrorMessage& error);
    void loadCancelled();
    void unloaded();
    void contextUsedChanged();
    /// The loaded model runs elsewhere now: its device failed.
    void factsChanged();
    /// The file changed underneath; once a loaded model.
    void fileChanged(const app::ErrorMessage& error);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace app
