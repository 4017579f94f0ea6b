#include "app/services/inference_service.h"

#include "app/services/inference_thread.h"
#include "app/services/load_watch.h"
#include "app/services/mailbox.h"

#include <QFile>
#include <QPointer>

#include <chrono>
#include <optional>
#include <utility>

namespace app {

namespace {

using engine::model::LoadStage;

Outcome::Finish finishOf(engine::session::FinishReason reason)
{
    using engine::session::FinishReason;
    switch (reason) {
    case FinishReason::End:
        return Outcome::Finish::End;
    case FinishReason::Length:
        return Outcome::Finish::Length;
    case FinishReason::Stop:
        return Outcome::Finish::Stop;
    case FinishReason::Context:
        return Outcome::Finish::Context;
    case FinishReason::Cancelled:
        return Outcome::Finish::Cancelled;
    }
    return Outcome::Finish::End;
}

double rate(std::size_t count, double milliseconds)
{
    return milliseconds > 0 ? static_cast<double>(count) * 1000.0 / milliseconds : 0;
}

Outcome outcomeOf(const AnswerResult& result)
{
    Outcome outcome;
    outcome.promptTokens = result.promptTokens;
    outcome.leftOut = result.leftOut;
    outcome.firstTokenMs = result.firstTokenMs;
    if (result.generated) {
        const auto& timings = result.generated->timings;
        outcome.finish = finishOf(result.generated->finish);
        outcome.tokens = result.generated->ids.size();
        outcome.reusedTokens = timings.reusedTokens;
        outcome.reasoningMs = timings.reasoningMs;
        outcome.tokensPerSecond = rate(timings.decodeTokens, timings.decodeMs);
        outcome.promptTokensPerSecond = rate(timings.prefillTokens, timings.prefillMs);
    } else if (result.generated.error().code == engine::ErrorCode::Cancelled) {
        outcome.finish = Outcome::Finish::Cancelled;
        outcome.tokens = result.answerTokens;
    } else {
        outcome.finish = Outcome::Finish::Failed;
        outcome.tokens = result.answerTokens;
        outcome.error = errorMessage(result.generated.error());
    }
    return outcome;
}

} // namespace

struct InferenceService::Impl
{
    struct Load
    {
        quint64 id = 0;
        QString path;
        std::stop_source stop;
        std::shared_ptr<LoadTicket> ticket;
        LoadStage stage = LoadStage::File;
        double fraction = 0;
    };

    InferenceService* service;
    std::optional<Load> load;
    quint64 lastLoad = 0;
    quint64 forgottenLoads = 0; ///< results of loads up to this one come too late
    quint64 lastGeneration = 0;
    bool hasModel = false;
    bool fileChanged = false;
    ModelFacts facts;
    CountTokens counter;
    QPointer<Generation> generation; ///< the latest
    QPointer<Generation> aside; ///< the latest
    std::size_t contextUsed = 0;
    State reported = State::Empty;

    Mailbox mailbox; // on the GUI thread; gone before the rest of the state, after the threads
    LoadWatch watch;
    InferenceThread thread; // last: joined first

    Impl(InferenceService* owner, std::unique_ptr<InferenceEngine> engine)
        : service(owner)
        , watch([this, sender = mailbox.sender()] { sender.post([this] { onFileChanged(); }); })
        , thread(std::move(engine))
    {
    }

    [[nodiscard]] bool isGenerating() const { return generation && !generation->isFinished(); }

    [[nodiscard]] State state() const
    {
        if (load) {
            return State::Loading;
        }
        if (isGenerating()) {
            return State::Generating;
        }
        return hasModel ? State::Ready : State::Empty;
    }

    void reportState()
    {
        const State now = state();
        if (reported != now) {
            reported = now;
            Q_EMIT service->stateChanged();
        }
    }

    // True when a load was running and will not report any more.
    bool dropLoad()
    {
        if (!load) {
            return false;
        }
        load->stop.request_stop();
        if (!load->ticket->cancel()) {
            return false;
        }
        load.reset();
        return true;
    }

    void stopGeneration()
    {
        if (isGenerating()) {
            generation->stop();
        }
    }

    void stopAside()
    {
        if (aside && !aside->isFinished()) {
            aside->stop();
        }
    }

    // A new generation in place of the latest one of its kind.
    Generation* begin(QPointer<Generation>& latest)
    {
        if (latest) {
            latest->deleteLater();
        }
        latest = new Generation(++lastGeneration, service);
        return latest;
    }

    // Posts a question whose answer goes to `started`.
    void post(Generation* started, AskRequest request);

    void setContextUsed(std::size_t tokens)
    {
        if (contextUsed != tokens) {
            contextUsed = tokens;
            Q_EMIT service->contextUsedChanged();
        }
    }

    LoadJob jobFor(quint64 id, const QString& path, const LoadRequest& request);
    void onLoadProgress(quint64 id, LoadStage stage, double fraction);
    void onLoaded(quint64 id, const LoadedFacts& loadedFacts, std::function<bool()> probe,
                  CountTokens count);
    void onLoadFailed(quint64 id, const engine::Error& error);
    void onFileChanged();
    void onFactsChanged(const LoadedFacts& loadedFacts);
    void watchGeneration(Generation* started);
    void onAnswered(quint64 id, const AnswerResult& result);
};

LoadJob InferenceService::Impl::jobFor(quint64 id, const QString& path, const LoadRequest& request)
{
    const Mailbox::Sender sender = mailbox.sender();
    LoadJob job;
    job.path = QFile::encodeName(path).toStdString();
    job.request = request;
    job.stop = load->stop.get_token();
    job.ticket = load->ticket;
    job.onProgress = [this, sender, id](LoadStage stage, double fraction) {
        sender.post([this, id, stage, fraction] { onLoadProgress(id, stage, fraction); });
    };
    job.onLoaded = [this, sender, id](const LoadedFacts& loadedFacts, std::function<bool()> probe,
                                      CountTokens count) {
        sender.post([this, id, loadedFacts, probe = std::move(probe), count = std::move(count)] {
            onLoaded(id, loadedFacts, probe, count);
        });
    };
    job.onFailed = [this, sender, id](const engine::Error& error) {
        sender.post([this, id, error] { onLoadFailed(id, error); });
    };
    return job;
}

void InferenceService::Impl::onLoadProgress(quint64 id, LoadStage stage, double fraction)
{
    if (load && load->id == id) {
        load->stage = stage;
        load->fraction = fraction;
        Q_EMIT service->loadProgressChanged();
    }
}

void InferenceService::Impl::onLoaded(quint64 id, const LoadedFacts& loadedFacts,
                                      std::function<bool()> probe, CountTokens count)
{
    if (id <= forgottenLoads) {
        return;
    }
    hasModel = true;
    fileChanged = false;
    facts = modelFacts(loadedFacts);
    counter = std::move(count);
    watch.start(std::move(probe));
    for (Generation* earlier : { generation.data(), aside.data() }) {
        if (earlier != nullptr && !earlier->isFinished()) {
            earlier->flush(); // its last text, so that its end doesn't come after the new model
        }
    }
    setContextUsed(0);
    if (!load || load->id != id) {
        return; // a newer load runs; this model answers if that one fails
    }
    load.reset();
    reportState();
    Q_EMIT service->loaded(facts);
}

void InferenceService::Impl::onLoadFailed(quint64 id, const engine::Error& error)
{
    if (!load || load->id != id) {
        return;
    }
    load.reset();
    reportState();
    if (error.code == engine::ErrorCode::Cancelled) {
        Q_EMIT service->loadCancelled();
    } else {
        Q_EMIT service->loadFailed(errorMessage(error));
    }
}

void InferenceService::Impl::onFileChanged()
{
    if (!hasModel || fileChanged) {
        return;
    }
    fileChanged = true;
    stopGeneration(); // it ends with FileChanged
    stopAside();
    engine::Error error { engine::ErrorCode::FileChanged, {}, {} };
    error.where.file = facts.path.toStdString();
    Q_EMIT service->fileChanged(errorMessage(error));
}

void InferenceService::Impl::onFactsChanged(const LoadedFacts& loadedFacts)
{
    if (hasModel && facts.path == QString::fromStdString(loadedFacts.path)) {
        facts = modelFacts(loadedFacts);
        Q_EMIT service->factsChanged();
    }
}

void InferenceService::Impl::watchGeneration(Generation* started)
{
    const auto count = [this, started] {
        const auto& progress = started->progress();
        if (hasModel && started == generation && progress.promptDone + progress.tokens > 0) {
            setContextUsed(progress.promptDone + progress.tokens);
        }
    };
    connect(started, &Generation::promptProgress, service, count);
    connect(started, &Generation::textAdded, service, count);
    connect(started, &Generation::reasoningAdded, service, count);
    connect(started, &Generation::phaseChanged, service, [this, started] {
        if (started->isFinished()) {
            const Outcome& outcome = started->outcome();
            if (hasModel && started == generation && !outcome.error) {
                setContextUsed(started->progress().promptDone + outcome.tokens);
            }
            reportState();
        }
    });
}

void InferenceService::Impl::post(Generation* started, AskRequest request)
{
    AskJob job;
    job.request = std::move(request);
    job.stop = started->m_stop.get_token();
    job.sink = started->m_stream.sink();
    job.asked = std::chrono::steady_clock::now();
    job.onFacts = [this, sender = mailbox.sender()](const LoadedFacts& loadedFacts) {
        sender.post([this, loadedFacts] { onFactsChanged(loadedFacts); });
    };
    job.onDone = [this, sender = mailbox.sender(), id = started->id()](const AnswerResult& result) {
        sender.post([this, id, result] { onAnswered(id, result); });
    };
    thread.ask(std::move(job));
}

void InferenceService::Impl::onAnswered(quint64 id, const AnswerResult& result)
{
    for (Generation* each : { generation.data(), aside.data() }) {
        if (each != nullptr && each->id() == id) {
            each->complete(outcomeOf(result));
        }
    }
}

InferenceService::InferenceService(std::unique_ptr<InferenceEngine> engine, QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>(this, std::move(engine)))
{
}

InferenceService::~InferenceService()
{
    m_impl->dropLoad();
    m_impl->stopGeneration();
    m_impl->stopAside();
    if (m_impl->generation) {
        m_impl->generation->disconnect(this);
    }
}

InferenceService::State InferenceService::state() const
{
    return m_impl->state();
}

bool InferenceService::hasModel() const
{
    return m_impl->hasModel;
}

const ModelFacts& InferenceService::facts() const
{
    return m_impl->facts;
}

bool InferenceService::isFileChanged() const
{
    return m_impl->fileChanged;
}

QString InferenceService::loadingPath() const
{
    return m_impl->load ? m_impl->load->path : QString();
}

LoadStage InferenceService::loadStage() const
{
    return m_impl->load ? m_impl->load->stage : LoadStage::File;
}

QString InferenceService::loadStageText() const
{
    switch (loadStage()) {
    case LoadStage::File:
        return tr("Opening the file");
    case LoadStage::Tokenizer:
        return tr("Reading the vocabulary");
    case LoadStage::Weights:
        return tr("Preparing the weights");
    case LoadStage::Device:
        return tr("Testing the graphics device, once for its driver");
    }
    return {};
}

double InferenceService::loadFraction() const
{
    return m_impl->load ? m_impl->load->fraction : 0;
}

void InferenceService::load(const QString& path, const LoadRequest& request)
{
    m_impl->dropLoad();
    m_impl->stopGeneration();
    m_impl->stopAside();

    Impl::Load next;
    next.id = ++m_impl->lastLoad;
    next.path = path;
    next.ticket = std::make_shared<LoadTicket>();
    m_impl->load = std::move(next);
    m_impl->thread.load(m_impl->jobFor(m_impl->lastLoad, path, request));
    m_impl->reportState();
    Q_EMIT loadProgressChanged();
}

void InferenceService::cancelLoad()
{
    if (m_impl->dropLoad()) {
        m_impl->reportState();
        Q_EMIT loadCancelled();
    }
}

void InferenceService::unload()
{
    const bool cancelled = m_impl->load.has_value();
    m_impl->dropLoad();
    m_impl->load.reset();
    m_impl->forgottenLoads = m_impl->lastLoad;
    m_impl->stopGeneration();
    m_impl->stopAside();
    const bool had = std::exchange(m_impl->hasModel, false);
    m_impl->facts = {};
    m_impl->counter = nullptr;
    m_impl->fileChanged = false;
    m_impl->watch.stop();
    m_impl->thread.unload();
    m_impl->setContextUsed(0);
    m_impl->reportState();
    if (cancelled) {
        Q_EMIT loadCancelled();
    }
    if (had) {
        Q_EMIT unloaded();
    }
}

const CountTokens& InferenceService::tokenCounter() const
{
    return m_impl->counter;
}

Generation* InferenceService::ask(std::vector<engine::chat::Message> messages,
                                  const engine::session::GenerateOptions& options)
{
    AskRequest request;
    request.messages = std::move(messages);
    request.options = options;
    return ask(std::move(request));
}

Generation* InferenceService::ask(AskRequest request)
{
    if (state() != State::Ready) {
        return nullptr;
    }
    m_impl->stopAside();
    Generation* started = m_impl->begin(m_impl->generation);
    m_impl->watchGeneration(started);
    m_impl->post(started, std::move(request));
    m_impl->reportState();
    return started;
}

Generation* InferenceService::askAside(AskRequest request)
{
    if (state() != State::Ready || (m_impl->aside && !m_impl->aside->isFinished())) {
        return nullptr;
    }
    Generation* started = m_impl->begin(m_impl->aside);
    m_impl->post(started, std::move(request));
    return started;
}

Generation* InferenceService::generation() const
{
    return m_impl->isGenerating() ? m_impl->generation.data() : nullptr;
}

void InferenceService::stop()
{
    m_impl->stopGeneration();
}

std::size_t InferenceService::contextUsed() const
{
    return m_impl->contextUsed;
}

} // namespace app
