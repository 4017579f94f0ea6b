#include "engine/session/sampler.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

namespace engine::session {

namespace {

struct Candidate
{
    TokenId id;
    float logit;
    float probability;
};

using Candidates = std::vector<Candidate>;

bool likelier(const Candidate& a, const Candidate& b)
{
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
}

/// How far a logit lies below the largest one; 0 for the largest one itself, infinite or not.
float below(float logit, float most)
{
    return logit == most ? 0.0F : logit - most;
}

/// Candidates sorted by logit: fills the probabilities.
void softmax(Candidates& candidates)
{
    const float most = candidates.front().logit;
    double sum = 0.0;
    for (auto& c : candidates) {
        c.probability = std::exp(below(c.logit, most));
        sum += c.probability;
    }
    for (auto& c : candidates) {
        c.probability = static_cast<float>(c.probability / sum);
    }
}

/// The k likeliest, sorted; k = 0 sorts all.
void topK(Candidates& candidates, int k)
{
    const auto count =
        k > 0 ? std::min(static_cast<std::size_t>(k), candidates.size()) : candidates.size();
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                      candidates.end(), likelier);
    candidates.resize(count);
}

/// The fewest that together reach probability p. Source: arXiv 1904.09751.
void topP(Candidates& candidates, float p)
{
    if (p >= 1.0F) {
        return;
    }
    softmax(candidates);
    double sum = 0.0;
    std::size_t count = 0;
    while (count < candidates.size() && (count == 0 || sum < p)) {
        sum += candidates[count++].probability;
    }
    candidates.resize(count);
}

/// Those at least p times as likely as the first. Source: arXiv 2407.01082.
void minP(Candidates& candidates, float p)
{
    if (p <= 0.0F) {
        return;
    }
    const float least = candidates.front().logit + std::log(p);
    const auto unlikely = [least](const Candidate& c) { return c.logit < least; };
    candidates.erase(std::find_if(candidates.begin() + 1, candidates.end(), unlikely),
                     candidates.end());
}

/// Those whose surprise is nearest to the expected one. Source: arXiv 2202.00666.
void typical(Candidates& candidates, float p)
{
    if (p >= 1.0F) {
        return;
    }
    softmax(candidates);
    double entropy = 0.0;
    for (const auto& c : candidates) {
        if (c.probability > 0.0F) {
            entropy -= c.probability * std::log(c.probability);
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [entropy](const Candidate& a, const Candidate& b) {
                         return std::fabs(-std::log(a.probability) - entropy)
                             < std::fabs(-std::log(b.probability) - entropy);
                     });
    double sum = 0.0;
    std::size_t count = 0;
    while (count < candidates.size() && (count == 0 || sum < p)) {
        sum += candidates[count++].probability;
    }
    candidates.resize(count);
    std::sort(candidates.begin(), candidates.end(), likelier);
}

} // namespace

struct Sampler::Impl
{
    SamplerOptions options;
    std::uint64_t seed;
    std::mt19937_64 random;
    std::deque<TokenId> recent;
    std::unordered_map<TokenId, int> counts; // of the recent tokens
    Candidates candidates;

    void penalize(std::span<float> logits) const
    {
        for (const auto& [token, count] : counts) {
            if (token < 0 || static_cast<std::size_t>(token) >= logits.size()) {
                continue;
            }
            float& logit = logits[static_cast<std::size_t>(token)];
            logit = logit > 0.0F ? logit / options.repeatPenalty : logit * options.repeatPenalty;
            logit -= options.presencePenalty + static_cast<float>(count) * options.frequencyPenalty;
        }
    }

    TokenId draw()
    {
        const float most = candidates.front().logit;
        for (auto& c : candidates) {
            c.logit = below(c.logit, most) / options.temperature;
        }
        softmax(candidates);
        // 53 random bits, the same on every standard library
        double left = static_cast<double>(random() >> 11U) * 0x1.0p-53;
        for (const auto& c : candidates) {
            left -= c.probability;
            if (left < 0.0) {
                return c.id;
            }
        }
        return candidates.back().id;
    }
};

Sampler::Sampler(const SamplerOptions& options)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->options = options;
    m_impl->seed = options.seed;
    if (m_impl->seed == 0) {
        std::random_device device;
        m_impl->seed = (std::uint64_t(device()) << 32U) | device();
    }
    m_impl->random.seed(m_impl->seed);
}

Sampler::~Sampler() = default;

void Sampler::accept(TokenId token)
{
    auto& impl = *m_impl;
    const auto& o = impl.options;
    const bool penalties =
        o.repeatPenalty != 1.0F || o.presencePenalty != 0.0F || o.frequencyPenalty != 0.0F;
    if (!penalties || o.penaltyWindow == 0) {
        return;
    }
    impl.recent.push_back(token);
    ++impl.counts[token];
    if (o.penaltyWindow > 0 && impl.recent.size() > static_cast<std::size_t>(o.penaltyWindow)) {
        const auto old = impl.counts.find(impl.recent.front());
        if (--old->second == 0) {
            impl.counts.erase(old);
        }
        impl.recent.pop_front();
    }
}

TokenId Sampler::sample(std::span<float> logits)
{
    auto& impl = *m_impl;
    const auto& o = impl.options;
    impl.penalize(logits);
    // damaged weights give NaN, which no order holds for: never chosen
    std::replace_if(
        logits.begin(), logits.end(), [](float x) { return std::isnan(x); },
        -std::numeric_limits<float>::infinity());
    if (o.temperature <= 0.0F) {
        return static_cast<TokenId>(std::max_element(logits.begin(), logits.end())
                                    - logits.begin());
    }
    impl.candidates.resize(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) {
        impl.candidates[i] = { static_cast<TokenId>(i), logits[i], 0.0F };
    }
    topK(impl.candidates, o.topK);
    typical(impl.candidates, o.typicalP);
    topP(impl.candidates, o.topP);
    minP(impl.candidates, o.minP);
    return impl.draw();
}

std::uint64_t Sampler::seed() const
{
    return m_impl->seed;
}

} // namespace engine::session
