// Recurrent states of a conversation at a few of its positions: where a model with such states can
// go back to. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/lazy_memory.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine::session {

/// Bytes of a session's states and of all that its history may keep, where the states take
/// `stateBytes` once.
[[nodiscard]] std::uint64_t mostStateBytes(std::uint64_t stateBytes);

/// Knows at which position the runner's states are, and keeps copies. Does nothing for a graph
/// without states, which can go anywhere. A position is a number of tokens; at 0 all are zeros.
class StateHistory
{
public:
    /// The runner must outlive it.
    explicit StateHistory(backend::Runner& runner);

    /// The runner came to this position.
    void moveTo(std::size_t position) { m_live = position; }
    /// A run failed: the runner's states are of no position.
    void lose() { m_live = kNowhere; }
    /// Tokens behind this position were dropped.
    void forgetBehind(std::size_t position);

    enum class Keep {
        Long, ///< the oldest such copy goes when there are too many
        UntilNext, ///< of another one of this kind
    };
    /// Copies the runner's states as they are; where memory does not suffice there is no copy.
    void save(Keep keep);

    /// The last position not behind `limit` at which the runner can be.
    [[nodiscard]] std::size_t reachable(std::size_t limit) const;
    /// Puts the runner there; `position` is reachable.
    void goTo(std::size_t position);

    [[nodiscard]] bool isNeeded() const { return m_stateBytes > 0; }
    /// Of all copies.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    static constexpr std::size_t kNowhere = ~std::size_t(0);

    struct Copy
    {
        std::size_t position = kNowhere; ///< nowhere: only its memory is of use
        LazyMemory states;

        [[nodiscard]] std::span<std::byte> bytes() const
        {
            return { states.data(), states.size() };
        }
    };

    void store(Copy& copy);

    backend::Runner& m_runner;
    std::uint64_t m_stateBytes;
    std::size_t m_live = 0;
    std::vector<Copy> m_copies; ///< the oldest first
    Copy m_latest;
};

} // namespace engine::session
