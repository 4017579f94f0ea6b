#include "engine/session/state_history.h"

#include <algorithm>

namespace engine::session {

namespace {

constexpr std::uint64_t kBudget = 512'000'000; // bytes of long-lived copies

/// At least those that the last prompt needs.
std::size_t mostCopies(std::uint64_t stateBytes)
{
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(kBudget / std::max<std::uint64_t>(stateBytes, 1), 3, 8));
}

} // namespace

std::uint64_t mostStateBytes(std::uint64_t stateBytes)
{
    return stateBytes * (mostCopies(stateBytes) + 2); // the runner's own, and the latest
}

StateHistory::StateHistory(backend::Runner& runner)
    : m_runner(runner)
    , m_stateBytes(runner.stateBytes())
{
}

void StateHistory::forgetBehind(std::size_t position)
{
    std::erase_if(m_copies, [&](const Copy& copy) { return copy.position > position; });
    if (m_latest.position > position) {
        m_latest.position = kNowhere;
    }
    if (m_live > position) {
        lose();
    }
}

void StateHistory::save(Keep keep)
{
    if (!isNeeded() || m_live == kNowhere || m_live == 0
        || std::ranges::find(m_copies, m_live, &Copy::position) != m_copies.end()) {
        return;
    }
    if (keep == Keep::UntilNext) {
        store(m_latest);
        return;
    }
    Copy copy;
    if (m_copies.size() >= mostCopies(m_stateBytes)) {
        copy = std::move(m_copies.front());
        m_copies.erase(m_copies.begin());
    }
    store(copy);
    if (copy.position == m_live) {
        m_copies.push_back(std::move(copy));
    }
}

void StateHistory::store(Copy& copy)
{
    if (copy.states.size() == 0) {
        copy.states = LazyMemory::allocate(m_stateBytes);
    }
    copy.position = kNowhere;
    if (copy.states.data()) {
        m_runner.saveState(copy.bytes());
        copy.position = m_live;
    }
}

std::size_t StateHistory::reachable(std::size_t limit) const
{
    if (!isNeeded()) {
        return limit;
    }
    std::size_t best = 0;
    const auto consider = [&](std::size_t position) {
        if (position != kNowhere && position <= limit) {
            best = std::max(best, position);
        }
    };
    consider(m_live);
    consider(m_latest.position);
    for (const auto& copy : m_copies) {
        consider(copy.position);
    }
    return best;
}

void StateHistory::goTo(std::size_t position)
{
    if (!isNeeded() || m_live == position) {
        return;
    }
    // a batch at position 0 begins with zeros by itself
    if (position > 0) {
        const auto copy = std::ranges::find(m_copies, position, &Copy::position);
        m_runner.restoreState(copy != m_copies.end() ? copy->bytes() : m_latest.bytes());
    }
    m_live = position;
}

std::uint64_t StateHistory::bytes() const
{
    std::uint64_t sum = m_latest.states.size();
    for (const auto& copy : m_copies) {
        sum += copy.states.size();
    }
    return sum;
}

} // namespace engine::session
