// Measures frames of a real window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QEventLoop>
#include <QQuickWindow>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

namespace tests {

/// Prints one line: how many, median, 99th percentile and longest, in milliseconds.
inline void report(const char* what, std::vector<double> times)
{
    if (times.empty()) {
        std::printf("%-44s nothing was shown\n", what);
        return;
    }
    std::sort(times.begin(), times.end());
    const auto at = [&times](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    const auto late = std::count_if(times.begin(), times.end(), [](double t) { return t > 33.3; });
    std::printf("%-44s n %5zu  median %5.1f  p99 %5.1f  max %5.1f ms  over 33 ms: %td\n", what,
                times.size(), at(0.5), at(0.99), at(1), late);
}

/// Milliseconds a frame: from the moment it is wanted to its being shown, one after the other while
/// `step` changes something; until `step` returns false.
inline std::vector<double> frames(QQuickWindow& window, const std::function<bool()>& step)
{
    std::vector<double> times;
    QEventLoop loop;
    QElapsedTimer clock;
    const auto connection = QObject::connect(
        &window, &QQuickWindow::frameSwapped, &loop,
        [&] {
            if (clock.isValid()) {
                times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
            }
            clock.start();
            if (!step()) {
                loop.quit();
                return;
            }
            window.update();
        },
        Qt::QueuedConnection);
    window.update();
    loop.exec();
    QObject::disconnect(connection);
    return times;
}

/// As the scene graph sees it: from the synchronisation with the GUI thread to the swap.
class RenderTimes
{
public:
    explicit RenderTimes(QQuickWindow& window)
    {
        QObject::connect(
            &window, &QQuickWindow::beforeSynchronizing, &m_context, [this] { m_clock.start(); },
            Qt::DirectConnection);
        QObject::connect(
            &window, &QQuickWindow::frameSwapped, &m_context,
            [this] {
                if (m_clock.isValid()) {
                    m_times.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
                }
            },
            Qt::DirectConnection);
    }
    [[nodiscard]] std::vector<double> take() { return std::exchange(m_times, {}); }

private:
    QObject m_context;
    QElapsedTimer m_clock;
    std::vector<double> m_times;
};

} // namespace tests
