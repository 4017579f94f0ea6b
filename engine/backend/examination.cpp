#include "engine/backend/examination.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace engine::backend {

namespace {

using Names = std::vector<std::string>;

// So much of the time with a feature must be left without it: less may be chance.
constexpr double kMuchFaster = 0.8;

class Examiner
{
public:
    Examiner(const DeviceOpener& open, const DeviceFeatures& features,
             std::span<const SelfTestCase> cases, const SelfTestControl& control,
             const PromptTimer& timer)
        : m_open(open)
        , m_features(features)
        , m_cases(cases)
        , m_control(control)
        , m_timer(timer)
    {
    }

    Result<Examination> run()
    {
        while (true) {
            auto device = testAll();
            if (!device) {
                return tl::unexpected(device.error());
            }
            const auto wrong = std::ranges::find(m_result.checks, false, &OpCheck::ok);
            if (wrong == m_result.checks.end()) {
                if (leavesOutSlow(**device)) {
                    device->reset();
                    continue;
                }
                m_result.device = std::move(*device);
                return std::move(m_result);
            }
            device->reset(); // room for others
            const auto& test = m_cases[static_cast<std::size_t>(wrong - m_result.checks.begin())];
            const auto cure = cureFor(test);
            if (m_control.stop.stop_requested()) {
                return failure(ErrorCode::Cancelled);
            }
            if (cure.empty()) {
                m_result.verdict.failed = wrong->name();
                return std::move(m_result);
            }
            for (const auto& feature : cure) {
                m_without.push_back(feature);
                m_result.verdict.leftOut.push_back({ feature, wrong->name() });
                m_result.cured.push_back({ feature, *wrong });
            }
        }
    }

private:
    /// The device as it is tested now, with all checks done.
    Result<std::shared_ptr<const Backend>> testAll()
    {
        auto first = m_open(m_without);
        if (!first) {
            return first;
        }
        constexpr std::size_t kMost = 4;
        constexpr std::size_t kCasesWorthOne = 16;
        const auto wanted = std::min({ kMost, std::size_t(std::thread::hardware_concurrency()),
                                       m_cases.size() / kCasesWorthOne + 1 });
        std::vector<std::shared_ptr<const Backend>> owners { *first };
        while (owners.size() < wanted) {
            auto another = m_open(m_without);
            if (!another) {
                break; // one will do
            }
            owners.push_back(std::move(*another));
        }
        std::vector<const Backend*> devices;
        for (const auto& owner : owners) {
            devices.push_back(owner.get());
        }
        auto checks = selfTest(devices, m_cases, m_control);
        if (!checks) {
            return tl::unexpected(checks.error());
        }
        m_result.checks = std::move(*checks);
        return first;
    }

    [[nodiscard]] bool passes(const SelfTestCase& test, const Names& without) const
    {
        const auto device = m_open(without);
        if (!device) {
            return false;
        }
        const auto* const only = device->get();
        const auto checks =
            selfTest({ &only, 1 }, { &test, 1 }, { .stop = m_control.stop, .progress = {} });
        return checks && checks->front().ok;
    }

    /// The features to leave out besides, so that the case passes; empty where that is of no use.
    [[nodiscard]] Names cureFor(const SelfTestCase& test) const
    {
        if (passes(test, m_without)) {
            return {}; // at times
        }
        Names all;
        for (const auto& feature : namedFeatures()) {
            const std::string name(feature.name);
            if (!isUsed(feature)) {
                continue;
            }
            all.push_back(name);
            auto without = m_without;
            without.push_back(name);
            if (passes(test, without)) {
                return { name };
            }
        }
        auto without = m_without;
        without.insert(without.end(), all.begin(), all.end());
        return all.size() > 1 && passes(test, without) ? all : Names();
    }

    /// Whether something is left out now for being slow, which is asked once.
    bool leavesOutSlow(const Backend& device)
    {
        const auto with = m_timer && !m_isTimed ? m_timer(device) : std::nullopt;
        m_isTimed = true;
        double best = with.value_or(0);
        const auto before = m_without.size();
        for (const auto& name : { "matrix", "dot", "float16" }) {
            const auto feature = std::ranges::find(namedFeatures(), name, &NamedFeature::name);
            if (!with || !isUsed(*feature)) {
                continue;
            }
            auto without = m_without;
            without.emplace_back(name);
            const auto other = m_open(without);
            const auto time = other ? m_timer(**other) : std::nullopt;
            if (time && *time < kMuchFaster * best) {
                best = *time;
                m_without = std::move(without);
                m_result.verdict.leftOut.push_back({ name, {} });
            }
        }
        return m_without.size() > before;
    }

    [[nodiscard]] bool isUsed(const NamedFeature& feature) const
    {
        return m_features.*feature.isThere
            && std::ranges::find(m_without, feature.name) == m_without.end();
    }

    const DeviceOpener& m_open;
    const DeviceFeatures& m_features;
    std::span<const SelfTestCase> m_cases;
    const SelfTestControl& m_control;
    const PromptTimer& m_timer;
    bool m_isTimed = false;
    Names m_without;
    Examination m_result;
};

} // namespace

Result<Examination> examine(const DeviceOpener& open, const DeviceFeatures& features,
                            std::span<const SelfTestCase> cases, const SelfTestControl& control,
                            const PromptTimer& timer)
{
    return Examiner(open, features, cases, control, timer).run();
}

} // namespace engine::backend
