// Measures the chat page in a real window: frames while it scrolls and streams, typing beside an
// answer, and memory of a very long answer.
// usage: xvfb-run -s "-screen 0 1440x900x24" bench_chat [MODEL.gguf]   (a model for the typing)
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/long_chat.h"
#include "tests/ui/window_bench.h"

#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QtQuickControls2/QQuickStyle>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

using namespace std::chrono_literals;
using tests::WindowBench;

namespace {

constexpr QSize kWindow { 1440, 900 };

void report(const char* what, std::vector<double> times)
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

/// Resident bytes of this process.
qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly)
        ? file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE)
        : 0;
}

int itemsBelow(const QQuickItem& item)
{
    int count = 1;
    for (const QQuickItem* child : item.childItems()) {
        count += itemsBelow(*child);
    }
    return count;
}

/// Milliseconds a frame: from the moment it is wanted to its being shown, one after the other while
/// `step` changes something; until `step` returns false.
std::vector<double> frames(QQuickWindow& window, const std::function<bool()>& step)
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

bool scrollLongChat()
{
    WindowBench bench;
    if (!bench.show(kWindow) || !bench.load()) {
        return false;
    }
    const app::ChatId chat = tests::saveLongChat(bench.store, 500);
    QElapsedTimer took;
    took.start();
    bench.book.open(chat);
    if (chat == 0 || !QTest::qWaitFor([&] { return bench.count() == 500; }, 10'000)) {
        return false;
    }
    QEventLoop shown;
    QObject::connect(bench.window, &QQuickWindow::frameSwapped, &shown, &QEventLoop::quit,
                     Qt::QueuedConnection);
    bench.window->update();
    shown.exec();
    std::printf("500 long messages: shown after %lld ms\n", took.elapsed());
    QTest::qWait(300);
    auto* list = bench.item("messageList");
    for (const double pixels : { -60.0, 60.0, -400.0, 400.0 }) {
        int left = 300;
        RenderTimes render(*bench.window);
        const auto times = frames(*bench.window, [&] {
            list->setProperty("contentY", list->property("contentY").toDouble() + pixels);
            return --left > 0;
        });
        const QByteArray name =
            QByteArray("scroll by ") + QByteArray::number(pixels) + " px a frame";
        report(name.constData(), times);
        report("  of which scene graph", render.take());
    }
    return true;
}

bool stream()
{
    WindowBench bench;
    bench.script->facts.contextLength = 1'000'000;
    bench.script->pieces = { "Text: " };
    bench.script->pieces.insert(bench.script->pieces.end(), 1500, "some words ");
    bench.script->pieces.push_back("\n```cpp\n");
    bench.script->pieces.insert(bench.script->pieces.end(), 600,
                                "int value = function(argument); // why\n");
    bench.script->pieceTime = 4ms;
    if (!bench.show(kWindow) || !bench.load()) {
        return false;
    }
    QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
    RenderTimes render(*bench.window);
    bench.chat.ask(QStringLiteral("Go on"));
    const auto times = frames(*bench.window, [&] { return answered.isEmpty(); });
    report("stream 1,500 words, 600 lines of code", times);
    report("  of which scene graph", render.take());
    return true;
}

/// Types as somebody quick; each key until its picture is shown.
void type(WindowBench& bench, const char* what, const std::function<bool()>& goOn)
{
    std::vector<double> times;
    std::vector<double> keys; // what of it is the key itself
    QElapsedTimer clock;
    QEventLoop loop;
    const auto connection = QObject::connect(bench.window, &QQuickWindow::frameSwapped, &loop,
                                             &QEventLoop::quit, Qt::QueuedConnection);
    for (int key = 0; key < 200 && goOn(); ++key) {
        QTest::qWait(43); // out of step with the stream
        clock.start();
        QTest::keyClick(bench.window, Qt::Key_A);
        keys.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        loop.exec();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    QObject::disconnect(connection);
    report(what, times);
    report("  of which until the text has the letter", keys);
}

bool typeBesideAnAnswer(const QString& model)
{
    WindowBench bench(QStringLiteral("chat"), app::makeSessionEngine());
    if (!bench.show(kWindow) || !bench.load(model)) {
        return false;
    }
    type(bench, "key to picture, nothing else to do", [] { return true; });
    bench.chat.draft()->setText({});
    bench.chat.ask(QStringLiteral("Write a very long story about the sea and its ships."));
    if (!QTest::qWaitFor([&] { return bench.count() > 1 && bench.lastAnswer().size() > 50; },
                         20'000)) {
        return false;
    }
    type(bench, "key to picture while both cores answer", [&] { return !bench.chat.isIdle(); });
    bench.chat.stop();
    return QTest::qWaitFor([&] { return bench.chat.isIdle(); }, 5000);
}

bool longAnswer()
{
    WindowBench bench;
    constexpr int kTokens = 200'000;
    bench.script->facts.contextLength = 1'000'000;
    bench.script->pieces.clear();
    for (int token = 0; token < kTokens; ++token) {
        bench.script->pieces.push_back(token % 100 == 99 ? "end.\n\n" : "word ");
    }
    if (!bench.show(kWindow) || !bench.load()) {
        return false;
    }
    QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
    const qint64 before = residentBytes();
    bench.chat.ask(QStringLiteral("Go on"));
    std::printf("200,000 tokens: characters, items of the window, MB more than before\n");
    qsizetype next = 0;
    while (answered.isEmpty()) {
        QTest::qWait(100);
        const qsizetype length = bench.count() > 1 ? bench.lastAnswer().size() : 0;
        if (length >= next) {
            std::printf("  %9lld  %5d  %6.1f\n", static_cast<long long>(length),
                        itemsBelow(*bench.window->contentItem()),
                        static_cast<double>(residentBytes() - before) / 1e6);
            next = length + 150'000;
        }
    }
    std::printf("  at the end %d items, %.1f MB\n", itemsBelow(*bench.window->contentItem()),
                static_cast<double>(residentBytes() - before) / 1e6);
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    QGuiApplication application(argc, argv);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const QString model = QString::fromLocal8Bit(argc > 1 ? argv[1] : "");
    const bool done = scrollLongChat() && stream() && longAnswer()
        && (model.isEmpty() || typeBesideAnAnswer(model));
    return done ? 0 : 1;
}
