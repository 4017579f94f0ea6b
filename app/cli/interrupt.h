// Ctrl-C as a stop token.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <stop_token>
#include <thread>

namespace app::cli {

/// Turns SIGINT and SIGTERM into a stop request; a second signal before `reset` ends the process at
/// once. Create it before any other thread, since the threads inherit the blocked signals.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// Stops with the next signal. Thread-safe.
    [[nodiscard]] std::stop_token token() const;
    [[nodiscard]] bool requested() const { return token().stop_requested(); }
    /// A fresh token for the next piece of work (chat: the next answer).
    void reset();
    /// Waits until standard input can be read: true; false when a signal came first.
    [[nodiscard]] bool waitForInput() const;

private:
    void watch();

    mutable std::mutex m_mutex;
    std::stop_source m_source; // guarded by m_mutex
    int m_signals = -1; // signalfd
    int m_quit = -1; // eventfd: ends the watching thread
    int m_raised = -1; // eventfd: readable while a stop is requested
    std::thread m_thread;
};

} // namespace app::cli
