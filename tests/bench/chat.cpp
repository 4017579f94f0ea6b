// Measures the chat page in a real window: frames while it scrolls and streams, typing beside an
// answer, and memory of a very long answer.
// usage: xvfb-run -s "-screen 0 1440x900x24" bench_chat [MODEL.gguf]   (a model for the typing)
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/frames.h"
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
using tests::frames;
using tests::RenderTimes;
using tests::report;
using tests::WindowBench;

namespace {

constexpr QSize kWindow { 1440, 900 };

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
