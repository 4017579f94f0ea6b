// Measures the inspector's page in a real window: how soon a file shows, and frames while its
// vocabulary and tables scroll and its map zooms.
// usage: xvfb-run -s "-screen 0 1440x900x24" bench_inspector FILE…   (see inspect_files.py)
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/frames.h"
#include "tests/ui/window_bench.h"

#include <QGuiApplication>
#include <QWheelEvent>
#include <QtQuickControls2/QQuickStyle>

#include <atomic>
#include <cstdio>

using tests::frames;
using tests::RenderTimes;
using tests::report;
using tests::WindowBench;

namespace {

constexpr QSize kWindow { 1440, 900 };
constexpr int kFrames = 300;
constexpr int kOpenings = 7;

/// Milliseconds from the choice to the first picture that shows the file.
double firstPicture(WindowBench& bench, const QString& path)
{
    QElapsedTimer clock;
    QEventLoop loop;
    // The frame whose synchronisation saw the file; written while the GUI thread waits.
    bool isKnown = false;
    std::atomic<bool> isDrawn = false;
    QObject context;
    QObject::connect(&bench.inspector, &InspectorViewModel::fileChanged, &context, [&] {
        std::printf("  known after %.1f ms\n", static_cast<double>(clock.nsecsElapsed()) / 1e6);
        isKnown = true;
    });
    QObject::connect(
        bench.window, &QQuickWindow::beforeSynchronizing, &context, [&] { isDrawn = isKnown; },
        Qt::DirectConnection);
    QObject::connect(
        bench.window, &QQuickWindow::frameSwapped, &context,
        [&] {
            if (isDrawn) {
                QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
            }
        },
        Qt::DirectConnection);
    clock.start();
    bench.inspector.open(path);
    loop.exec();
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

/// The first of a fresh window, and later ones, each after another file.
bool openings(const QString& path, const QString& other)
{
    std::vector<double> first;
    std::vector<double> again;
    for (int round = 0; round < kOpenings; ++round) {
        WindowBench bench(QStringLiteral("inspect"));
        if (!bench.show(kWindow)) {
            return false;
        }
        QTest::qWait(300);
        first.push_back(firstPicture(bench, path));
        QTest::qWait(300);
        firstPicture(bench, other);
        QTest::qWait(300);
        again.push_back(firstPicture(bench, path));
    }
    report("first picture in a fresh window", first);
    report("first picture after another file", again);
    return true;
}

void scroll(WindowBench& bench, const char* what, const char* list, double pixels)
{
    QQuickItem* item = bench.item(list);
    if (item == nullptr || !item->isVisible()) {
        std::printf("%-44s is not there\n", what);
        return;
    }
    QTest::qWait(300);
    int left = kFrames;
    RenderTimes render(*bench.window);
    const auto times = frames(*bench.window, [&] {
        const double most =
            std::max(0.0, item->property("contentHeight").toDouble() - item->height());
        const double next = item->property("contentY").toDouble() + pixels;
        item->setProperty("contentY", next > most ? 0 : next);
        return --left > 0;
    });
    report(what, times);
    report("  of which scene graph", render.take());
}

/// Zooms to single bytes, pans, and out again, in the whole page.
void zoomMap(WindowBench& bench)
{
    QQuickItem* map = bench.item("fileMap");
    const QPointF at = map->mapToScene({ map->width() * 0.37, map->height() * 0.5 });
    int frame = 0;
    RenderTimes render(*bench.window);
    const auto times = frames(*bench.window, [&] {
        const int phase = frame % 100;
        const QPoint angle = phase < 40 ? QPoint(0, 120)
            : phase < 60                ? QPoint(-240, 0)
                                        : QPoint(0, -120);
        QWheelEvent event(at, bench.window->mapToGlobal(at), {}, angle, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(bench.window, &event);
        return ++frame < kFrames;
    });
    report("zoom and pan the map", times);
    report("  of which scene graph", render.take());
}

bool walk(const QString& path)
{
    WindowBench bench(QStringLiteral("inspect"));
    if (!bench.show(kWindow)) {
        return false;
    }
    bench.inspector.open(path);
    if (!QTest::qWaitFor([&] { return bench.inspector.isShown() && !bench.inspector.isBusy(); },
                         30'000)) {
        return false;
    }
    zoomMap(bench);
    scroll(bench, "scroll the tensors", "tensorList", 60);
    bench.key(Qt::Key_2, Qt::AltModifier);
    scroll(bench, "scroll the metadata", "metadataList", 60);
    const auto entries = bench.inspector.file().gguf->metadata();
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        if (entries[entry].key == "tokenizer.ggml.tokens") {
            bench.inspector.selection()->selectMetadata(static_cast<int>(entry));
            scroll(bench, "scroll the vocabulary", "elementList", 60);
            scroll(bench, "scroll the vocabulary fast", "elementList", 4000);
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    const QGuiApplication application(argc, argv);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const QStringList files = QCoreApplication::arguments().mid(1);
    bool done = true;
    for (const QString& file : files) {
        std::printf("%s\n", qPrintable(file));
        done = openings(file, files.last() == file ? files.first() : files.last()) && walk(file)
            && done;
    }
    return done ? 0 : 1;
}
