#include "app/cli/model_run.h"

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_file.h"
#include "app/services/device_choice.h"
#include "engine/backend/offload.h"

#include <chrono>
#include <cstdio>
#include <utility>

namespace app::cli {

using engine::backend::DeviceWish;
using engine::session::CacheType;
using engine::session::Generated;
using engine::session::GenerateOptions;
using engine::session::SessionOptions;

namespace {

constexpr double kMostTokens = 2147483647;

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

Outcome<DeviceWish> wishedDevice(const Arguments& arguments)
{
    const auto text = arguments.text("device").value_or("auto");
    const auto wish = engine::backend::parseDeviceWish(text);
    if (!wish) {
        return wrongUsage("--device needs auto, cpu or vulkan[:N], not \"" + text + "\"");
    }
    return *wish;
}

Outcome<ChosenDevice> deviceFor(const Context& context, const DeviceWish& wish)
{
    DeviceVerdicts verdicts;
    Progress progress("testing the device, once");
    auto chosen = chosenDevice(wish, verdicts, context.interrupt.token(),
                               [&](double fraction) { progress.update(fraction); });
    progress.clear();
    if (!chosen) {
        return failed(chosen.error());
    }
    if (chosen->passedOver) {
        message(engine::englishSentence(*chosen->passedOver));
    }
    return std::move(*chosen);
}

Outcome<CacheType> cacheTypeOf(const std::string& name)
{
    if (name == "f32") {
        return CacheType::F32;
    }
    if (name == "f16") {
        return CacheType::F16;
    }
    return failed("--cache-type " + name
                  + ": this build keeps the cache as f32 or f16; use one of them");
}

/// Reasoning goes dimmed to the terminal of a person, beside the answer, and nowhere else.
class ShownReasoning
{
public:
    explicit ShownReasoning(bool shows)
        : m_shows(shows)
    {
    }
    void add(std::string_view piece)
    {
        if (!m_shows || piece.empty()) {
            return;
        }
        m_open = true;
        const std::string text = kDim + terminalSafe(piece) + kUsual;
        std::fwrite(text.data(), 1, text.size(), stderr);
    }
    /// The answer follows on a line of its own.
    void end()
    {
        if (std::exchange(m_open, false)) {
            std::fputs("\n\n", stderr);
        }
    }

private:
    static constexpr const char* kDim = "\033[2m";
    static constexpr const char* kUsual = "\033[22m";
    bool m_shows;
    bool m_open = false;
};

/// Which layers the CPU keeps, where a device has not all of them.
void tellPlacement(const engine::session::Session& session)
{
    const auto placed = session.placement();
    if (!placed || placed->isWhole()) {
        return;
    }
    std::string text = countText(placed->deviceBlocks) + " of " + countText(placed->blocks)
        + " layers run on " + session.deviceName() + ", the CPU runs the others";
    std::string types;
    for (const auto type : engine::backend::typesWithoutShader(session.model().graph())) {
        types += (types.empty() ? "" : ", ") + std::string(engine::gguf::tensorTypeInfo(type).name);
    }
    message(text + (types.empty() ? "" : "; there is no shader for " + types));
}

std::string speedText(std::size_t tokens, double milliseconds)
{
    std::string out = countText(tokens) + " tokens in " + decimalText(milliseconds, 1) + " ms";
    if (milliseconds > 0 && tokens > 0) {
        out +=
            " (" + decimalText(static_cast<double>(tokens) * 1000 / milliseconds, 1) + " tokens/s)";
    }
    return out;
}

} // namespace

std::vector<Option> runOptions()
{
    return {
        text("device", "auto|cpu|vulkan[:N]",
             "where the model runs (auto: a GPU where there is one); see devices"),
        integer("threads", "N", "threads on the processor (one a core)", 1, 1024),
        integer("ctx", "N", "context length in tokens (what the model was trained for)", 1,
                kMostTokens),
        choice("cache-type", "f32|f16|q8_0|q4_0", "type of the key/value cache (f16)"),
        integer("layers", "N",
                "last layers that run on the device (all that fit; the CPU runs the others)", 0,
                kMostTokens),
        choice("activations", "q8|f32",
               "q8 rounds activations to 8 bits where weights are quantized (fast), f32 leaves "
               "them alone (q8)"),
    };
}

std::vector<Option> samplingOptions()
{
    Option stop = text("stop", "TEXT", "end before this text; may be given several times");
    stop.repeats = true;
    return {
        integer("n-predict", "N", "at most this many new tokens (until the context is full)", -1,
                kMostTokens, 'n'),
        number("temp", "T", "temperature; 0 always takes the most likely token (0.8)", 0, 100),
        integer("top-k", "N", "only the N most likely tokens; 0: all (40)", 0, kMostTokens),
        number("top-p", "P", "only the tokens that make up this probability; 1: all (0.95)", 0, 1),
        number("min-p", "P", "only tokens with this share of the best one's; 0: all (0.05)", 0, 1),
        number("typical", "P", "locally typical tokens of this probability; 1: all (1)", 0, 1),
        number("repeat-penalty", "F", "against repeated tokens; 1: none (1)", 0.01, 100),
        number("presence-penalty", "F", "taken off the logits of tokens that occurred (0)", -100,
               100),
        number("frequency-penalty", "F", "the same for each occurrence (0)", -100, 100),
        integer("repeat-last-n", "N", "how far back penalties look; -1: all (64)", -1, kMostTokens),
        integer("seed", "N", "of the random draw; 0: another one each time (0)", 0, 9e18),
        stop,
        flag("ignore-eos", "go on past end tokens"),
    };
}

std::vector<Option> joinedOptions(std::vector<std::vector<Option>> tables)
{
    std::vector<Option> out;
    for (auto& table : tables) {
        out.insert(out.end(), table.begin(), table.end());
    }
    return out;
}

Outcome<SessionOptions> sessionOptions(const Arguments& arguments, CacheType cacheType)
{
    if (auto wish = wishedDevice(arguments); !wish) {
        return tl::unexpected(wish.error());
    }
    if (const auto name = arguments.text("cache-type")) {
        const auto chosen = cacheTypeOf(*name);
        if (!chosen) {
            return tl::unexpected(chosen.error());
        }
        cacheType = *chosen;
    }
    SessionOptions options;
    options.contextLength = static_cast<std::uint32_t>(arguments.integer("ctx", 0));
    options.cacheType = cacheType;
    options.threads = static_cast<int>(arguments.integer("threads", 0));
    if (arguments.has("layers")) {
        options.deviceBlocks = static_cast<std::uint32_t>(arguments.integer("layers", 0));
    }
    options.activations = arguments.text("activations").value_or("q8") == "f32"
        ? engine::session::ActivationMode::Float
        : engine::session::ActivationMode::Q8;
    return options;
}

GenerateOptions generateOptions(const Arguments& arguments)
{
    GenerateOptions options;
    auto& sampler = options.sampler;
    const auto real = [&](std::string_view name, float fallback) {
        return static_cast<float>(arguments.number(name, fallback));
    };
    const auto whole = [&](std::string_view name, int fallback) {
        return static_cast<int>(arguments.integer(name, fallback));
    };
    sampler.temperature = real("temp", sampler.temperature);
    sampler.topK = whole("top-k", sampler.topK);
    sampler.topP = real("top-p", sampler.topP);
    sampler.minP = real("min-p", sampler.minP);
    sampler.typicalP = real("typical", sampler.typicalP);
    sampler.repeatPenalty = real("repeat-penalty", sampler.repeatPenalty);
    sampler.presencePenalty = real("presence-penalty", sampler.presencePenalty);
    sampler.frequencyPenalty = real("frequency-penalty", sampler.frequencyPenalty);
    sampler.penaltyWindow = whole("repeat-last-n", sampler.penaltyWindow);
    sampler.seed = static_cast<std::uint64_t>(arguments.integer("seed", 0));
    options.maxTokens = whole("n-predict", -1);
    options.stopTexts = arguments.all("stop");
    options.ignoreEnd = arguments.has("ignore-eos");
    return options;
}

void tellFallback(Running& running)
{
    const auto& error = running.session->fallback();
    if (error && !std::exchange(running.saidFallback, true)) {
        message(engine::englishSentence(*error) + " The CPU does the work in its place now.");
    }
}

Outcome<Running> loadModel(const Context& context, const std::string& path,
                           const SessionOptions& options)
{
    const auto start = std::chrono::steady_clock::now();
    const auto wish = wishedDevice(context.arguments);
    if (!wish) {
        return tl::unexpected(wish.error());
    }
    ChosenDevice device;
    const auto take = [&]() -> Outcome<void> {
        auto chosen = deviceFor(context, *wish);
        if (!chosen) {
            return tl::unexpected(chosen.error());
        }
        device = std::move(*chosen);
        return {};
    };
    const bool isAuto = wish->kind == DeviceWish::Kind::Auto;
    if (auto taken = isAuto ? Outcome<void>() : take(); !taken) { // before a long load
        return tl::unexpected(taken.error());
    }
    Progress progress("loading");
    auto model = engine::model::Model::load(
        path, context.interrupt.token(),
        [&](engine::model::LoadStage, double fraction) { progress.update(fraction); });
    progress.clear();
    if (!model) {
        return failed(model.error(), path);
    }
    printWarnings(path, (*model)->warnings());
    if (auto taken = isAuto ? take() : Outcome<void>(); !taken) { // after a file that is no model
        return tl::unexpected(taken.error());
    }
    SessionOptions onDevice = options;
    onDevice.device = device.backend;
    Progress copying("copying the weights to the device");
    auto session =
        engine::session::Session::create(*model, onDevice, context.interrupt.token(),
                                         [&](double fraction) { copying.update(fraction); });
    copying.clear();
    if (!session) {
        return failed(session.error(), path);
    }
    Running running { std::move(*model), std::move(*session), millisecondsSince(start), device.id };
    tellFallback(running);
    tellPlacement(*running.session);
    return running;
}

Json generatedJson(const Generated& generated, double loadMs)
{
    Json out { { "ids", generated.ids },
               { "text", generated.text },
               { "finish", engine::session::finishReasonName(generated.finish) },
               { "timings",
                 { { "prefill_tokens", generated.timings.prefillTokens },
                   { "prefill_ms", generated.timings.prefillMs },
                   { "decode_tokens", generated.timings.decodeTokens },
                   { "decode_ms", generated.timings.decodeMs },
                   { "load_ms", loadMs } } } };
    if (!generated.reasoning.empty()) {
        out["reasoning"] = generated.reasoning;
    }
    return out;
}

std::string timingsText(const Generated& generated)
{
    const auto& timings = generated.timings;
    return "prefill " + speedText(timings.prefillTokens, timings.prefillMs) + ", decode "
        + speedText(timings.decodeTokens, timings.decodeMs)
        + ", finish: " + std::string(engine::session::finishReasonName(generated.finish));
}

Outcome<Generated> streamAnswer(const Context& context, Running& running,
                                std::span<const engine::text::TokenId> prompt,
                                const GenerateOptions& options)
{
    Progress progress("reading the prompt");
    engine::session::GenerateCallbacks callbacks;
    callbacks.onPrefill = [&](std::size_t done, std::size_t total) {
        if (done < total) {
            progress.update(static_cast<double>(done) / static_cast<double>(total));
        }
    };
    ShownReasoning shown(!context.json && messagesAreTerminal());
    callbacks.onReasoning = [&](std::string_view piece, std::size_t) {
        progress.clear();
        shown.add(piece);
    };
    callbacks.onText = [&, safe = outputIsTerminal()](std::string_view piece, std::size_t) {
        progress.clear();
        if (!piece.empty()) {
            shown.end();
        }
        if (!context.json && !piece.empty()) {
            print(safe ? terminalSafe(piece) : std::string(piece));
            // A closed pipe ends the process by SIGPIPE; other failures are told at the end.
            [[maybe_unused]] const bool flushed = flushOutput();
        }
    };
    callbacks.onTurned = [&] {
        if (!context.json) {
            print("\n"); // it is printed; what follows is the answer
        }
    };
    auto generated = engine::session::generate(*running.session, prompt, options,
                                               context.interrupt.token(), callbacks);
    progress.clear();
    shown.end();
    tellFallback(running);
    if (!generated) {
        return failed(generated.error(), running.model->file().path());
    }
    return std::move(*generated);
}

} // namespace app::cli
