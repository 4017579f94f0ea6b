#include "app/services/conversation.h"
#include "app/services/device_choice.h"
#include "app/services/inference_engine.h"
#include "app/services/open_devices.h"
#include "app/services/open_models.h"
#include "engine/backend/offload.h"
#include "engine/chat/thinking.h"
#include "engine/session/session.h"
#include "engine/session/succession.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace app {

namespace {

using engine::ErrorCode;
using engine::Result;
using engine::model::LoadStage;
using engine::text::TokenId;

// The model's weights and vocabulary take this much of the progress, the session's memory the rest.
constexpr double kModelShare = 0.9;
constexpr double kModelShareOnDevice = 0.2; // there the weights are copied

/// How the model's makers want it sampled (keys general.sampling.* of the GGUF specification), over
/// our defaults.
engine::session::SamplerOptions samplerOf(const engine::gguf::GgufFile& file)
{
    engine::session::SamplerOptions options;
    const auto number = [&file](std::string_view key, double from,
                                double to) -> std::optional<double> {
        const auto* value = file.find("general.sampling." + std::string(key));
        const auto said = value != nullptr ? value->asNumber() : std::nullopt;
        return said && *said >= from && *said <= to ? said : std::nullopt;
    };
    const auto real = [&](std::string_view key, double from, double to, float& target) {
        if (const auto value = number(key, from, to)) {
            target = static_cast<float>(*value);
        }
    };
    const auto whole = [&](std::string_view key, double from, double to, int& target) {
        if (const auto value = number(key, from, to)) {
            target = static_cast<int>(*value);
        }
    };
    real("temp", 0, 10, options.temperature);
    whole("top_k", -1, 1e6, options.topK);
    options.topK = std::max(options.topK, 0); // -1 also stands for all
    real("top_p", 0, 1, options.topP);
    real("min_p", 0, 1, options.minP);
    real("penalty_repeat", 0.1, 10, options.repeatPenalty);
    whole("penalty_last_n", -1, 1e6, options.penaltyWindow);
    return options;
}

LoadedFacts factsOf(const engine::model::Model& model, const engine::session::Session& session,
                    const std::string& path)
{
    LoadedFacts facts;
    facts.path = path;
    facts.displayName = model.displayName();
    facts.typeName = model.typeName();
    facts.deviceName = session.deviceName();
    facts.deviceFailure = session.fallback();
    facts.placement = session.placement();
    if (facts.placement) {
        for (const auto type : engine::backend::typesWithoutShader(model.graph())) {
            facts.cpuTypes.emplace_back(engine::gguf::tensorTypeInfo(type).name);
        }
    }
    facts.fileSize = model.file().bytes().size();
    facts.parameterCount = model.parameterCount();
    facts.sessionBytes = session.memoryBytes();
    facts.contextLength = session.contextLength();
    facts.trainedContextLength = model.hparams().contextLength;
    facts.threads = session.threads();
    facts.contextCapped = session.contextLength() < facts.trainedContextLength;
    facts.modelSampler = samplerOf(model.file());
    facts.warnings = model.warnings();
    if (!model.chatTemplate()) {
        facts.conversationError = model.chatTemplate().error();
        facts.conversationError->where.file = path;
    } else {
        facts.templateOrigin = model.chatTemplate()->origin();
        facts.thinks =
            engine::chat::thinksByDefault(*model.chatTemplate(), model.tokenizer().vocabulary());
    }
    return facts;
}

class SessionModel : public LoadedModel
{
public:
    SessionModel(std::shared_ptr<engine::session::Session> session, LoadedFacts facts)
        : m_session(std::move(session))
        , m_facts(std::move(facts))
    {
    }

    [[nodiscard]] const LoadedFacts& facts() const override
    {
        if (m_facts.placement && !m_session->placement()) {
            m_facts.deviceFailure = m_session->fallback();
            m_facts.leftDevice = !m_facts.deviceFailure;
            m_facts.placement.reset();
            m_facts.deviceName = m_session->deviceName();
            m_facts.threads = m_session->threads();
            m_facts.sessionBytes = m_session->memoryBytes();
        }
        return m_facts;
    }

    [[nodiscard]] Result<std::vector<TokenId>>
    prompt(std::span<const engine::chat::Message> messages, PromptFormat format,
           std::optional<bool> thinking) override
    {
        engine::chat::RenderOptions options;
        options.thinking = thinking;
        return conversationPrompt(m_session->model(), messages, options, format);
    }

    [[nodiscard]] Result<engine::session::Generated>
    generate(std::span<const TokenId> prompt, const engine::session::GenerateOptions& options,
             PromptFormat format, std::stop_token stop,
             const engine::session::GenerateCallbacks& callbacks) override
    {
        return engine::session::generate(*m_session, prompt,
                                         conversationOptions(m_session->model(), options, format),
                                         std::move(stop), callbacks);
    }

    [[nodiscard]] std::function<bool()> changeProbe() const override
    {
        return [file = m_session->model().sharedFile()] { return file->changed(); };
    }

    [[nodiscard]] CountTokens tokenCounter() const override
    {
        return [model = m_session->sharedModel()](std::string_view text) {
            return model->tokenizer()
                .encode(text, { .addSpecial = false, .parseSpecial = false })
                .size();
        };
    }

private:
    std::shared_ptr<engine::session::Session> m_session;
    mutable LoadedFacts m_facts; // follows the session
};

class SessionEngine : public InferenceEngine
{
public:
    explicit SessionEngine(std::shared_ptr<OpenDevices> devices)
        : m_devices(std::move(devices))
    {
    }

    [[nodiscard]] Result<std::unique_ptr<LoadedModel>>
    load(const std::string& path, const LoadRequest& request, std::stop_token stop,
         const engine::model::LoadProgress& progress) override
    {
        auto device = chosen(request, stop, progress);
        if (!device) {
            return tl::make_unexpected(device.error());
        }
        const double modelShare = device->backend ? kModelShareOnDevice : kModelShare;
        auto model = m_models.load(path, stop, [&](LoadStage stage, double fraction) {
            progress(stage, fraction * modelShare);
        });
        if (!model) {
            return tl::make_unexpected(model.error());
        }
        if (stop.stop_requested()) {
            return engine::failure(ErrorCode::Cancelled);
        }
        progress(LoadStage::Weights, modelShare);
        const auto place = [&] {
            return placed(*model, request, device->backend, stop, [&](double fraction) {
                progress(LoadStage::Weights, modelShare + fraction * (1 - modelShare));
            });
        };
        auto session = place();
        if (session && hasFailed(**session) && m_devices->forget(device->backend.get())) {
            // it may have failed long ago, without anybody noticing
            device = chosen(request, stop, progress);
            if (!device) {
                return tl::make_unexpected(device.error());
            }
            session = place();
        }
        if (!session) {
            engine::Error error = session.error();
            if (error.where.file.empty()) {
                error.where.file = path;
            }
            return tl::make_unexpected(std::move(error));
        }
        LoadedFacts facts = factsOf(**model, **session, path);
        facts.passedOver = device->passedOver;
        const SharedSession shared(std::move(*session));
        m_sessions.emplace_back(shared);
        return std::make_unique<SessionModel>(shared, std::move(facts));
    }

private:
    using SharedSession = std::shared_ptr<engine::session::Session>;

    Result<ChosenDevice> chosen(const LoadRequest& request, const std::stop_token& stop,
                                const engine::model::LoadProgress& progress)
    {
        DeviceVerdicts verdicts;
        return preferredDevice(
            request.device, verdicts, stop,
            [&](double fraction) { progress(LoadStage::Device, fraction); },
            OpenDevices::sourceOf(m_devices));
    }

    /// The model before stays until this one is there: a load may still be given up.
    Result<std::unique_ptr<engine::session::Session>>
    placed(const std::shared_ptr<const engine::model::Model>& model, const LoadRequest& request,
           const std::shared_ptr<const engine::backend::Backend>& device,
           const std::stop_token& stop, const std::function<void(double)>& progress)
    {
        engine::session::SessionOptions options;
        options.contextLength = request.contextLength;
        options.cacheType = request.cacheType;
        options.threads = request.threads;
        options.device = device;
        options.deviceBlocks = request.deviceLayers;
        std::erase_if(m_sessions, [](const auto& session) { return session.expired(); });
        const auto before = m_sessions.empty() ? nullptr : m_sessions.back().lock();
        return engine::session::createAfter(before.get(), model, options, stop, progress);
    }

    /// Whether the device does not work, however much memory it has.
    static bool hasFailed(const engine::session::Session& session)
    {
        const auto& failure = session.fallback();
        return failure && failure->code != ErrorCode::DeviceOutOfMemory;
    }

    std::shared_ptr<OpenDevices> m_devices;
    OpenModels m_models;
    // Those that somebody keeps: one, but for the latest of a load that was given up at its end.
    std::vector<std::weak_ptr<engine::session::Session>> m_sessions;
};

} // namespace

std::unique_ptr<InferenceEngine> makeSessionEngine()
{
    return makeSessionEngine(DeviceSource());
}

std::unique_ptr<InferenceEngine> makeSessionEngine(DeviceSource devices)
{
    return makeSessionEngine(std::make_shared<OpenDevices>(std::move(devices)));
}

std::unique_ptr<InferenceEngine> makeSessionEngine(std::shared_ptr<OpenDevices> devices)
{
    return std::make_unique<SessionEngine>(std::move(devices));
}

} // namespace app
