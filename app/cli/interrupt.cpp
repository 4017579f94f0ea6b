#include "app/cli/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

namespace app::cli {

namespace {

constexpr int kInterruptedStatus = 130; // what shells expect of a program ended by SIGINT

void raiseEvent(int event)
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(event, &one, sizeof(one));
}

} // namespace

Interrupt::Interrupt()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_signals = signalfd(-1, &signals, SFD_CLOEXEC);
    m_quit = eventfd(0, EFD_CLOEXEC);
    m_raised = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    m_thread = std::thread([this] { watch(); });
}

Interrupt::~Interrupt()
{
    raiseEvent(m_quit);
    m_thread.join();
    close(m_signals);
    close(m_quit);
    close(m_raised);
}

void Interrupt::watch()
{
    while (true) {
        pollfd polled[] = { { m_signals, POLLIN, 0 }, { m_quit, POLLIN, 0 } };
        if (poll(polled, 2, -1) < 0) {
            continue;
        }
        if (polled[1].revents != 0) {
            return;
        }
        signalfd_siginfo info {};
        if (read(m_signals, &info, sizeof(info)) != sizeof(info)) {
            continue;
        }
        // Both under the lock, so that a reset sees either none of them or both.
        const std::scoped_lock lock(m_mutex);
        if (!m_source.request_stop()) {
            _exit(kInterruptedStatus); // whoever presses twice does not want to wait
        }
        raiseEvent(m_raised);
    }
}

std::stop_token Interrupt::token() const
{
    const std::scoped_lock lock(m_mutex);
    return m_source.get_token();
}

void Interrupt::reset()
{
    const std::scoped_lock lock(m_mutex);
    m_source = std::stop_source();
    std::uint64_t count = 0;
    [[maybe_unused]] const auto drained = read(m_raised, &count, sizeof(count));
}

bool Interrupt::waitForInput() const
{
    pollfd polled[] = { { STDIN_FILENO, POLLIN, 0 }, { m_raised, POLLIN, 0 } };
    while (poll(polled, 2, -1) < 0) { }
    return polled[1].revents == 0;
}

} // namespace app::cli
