// Measures frames of the inspector's maps while they zoom and pan, and takes their pictures.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sparse_gguf.h"
#include "ui/inspector/inspected_file.h"
#include "ui/inspector/map/heat_map_item.h"

#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QQmlComponent>
#include <QQmlContext>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr int kFrames = 400;

// Milliseconds from one frame shown to the next, while each frame asks for another one with the
// view moved.
struct Frames
{
    std::vector<double> times;
    double processor = 0; ///< milliseconds of all threads a frame: the same on a busy machine

    [[nodiscard]] double at(double share) const
    {
        return times[std::min(times.size() - 1,
                              static_cast<std::size_t>(share * static_cast<double>(times.size())))];
    }
};

void turnWheel(QQuickWindow& window, QPointF at, QPoint angle)
{
    QWheelEvent event(at, window.mapToGlobal(at), {}, angle, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&window, &event);
}

// Zooms in to the deepest, pans, zooms out again, at one place of the item.
void moveView(QQuickWindow& window, const QQuickItem& item, int frame)
{
    const QPointF at = item.mapToScene({ item.width() * 0.37, item.height() * 0.5 });
    const int phase = frame % 100;
    if (phase < 40) {
        turnWheel(window, at, { 0, 120 });
    } else if (phase < 60) {
        turnWheel(window, at, { phase % 2 == 0 ? -240 : -120, 0 });
    } else {
        turnWheel(window, at, { 0, -120 });
    }
}

double processorMilliseconds()
{
    rusage used {};
    getrusage(RUSAGE_SELF, &used);
    const auto milliseconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    };
    return milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
}

Frames measure(QQuickWindow& window, QQuickItem& item)
{
    Frames frames;
    QEventLoop loop;
    QElapsedTimer clock;
    int count = 0;
    // Swaps are told on the render thread; the next move is the GUI thread's.
    const auto connection = QObject::connect(
        &window, &QQuickWindow::frameSwapped, &loop,
        [&] {
            if (clock.isValid()) {
                frames.times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
            }
            if (++count > kFrames) {
                loop.quit();
                return;
            }
            clock.start();
            moveView(window, item, count);
            window.update();
        },
        Qt::QueuedConnection);
    const double before = processorMilliseconds();
    window.update();
    QTimer::singleShot(60000, &loop, &QEventLoop::quit);
    loop.exec();
    QObject::disconnect(connection);
    frames.processor = (processorMilliseconds() - before) / std::max(count, 1);
    std::ranges::sort(frames.times);
    return frames;
}

/// Numbers as a weight matrix has them: a bell around zero, some columns and rows stronger.
float madeUp(double column, double row)
{
    const double noise =
        std::fmod(std::abs(std::sin(column * 12.9898 + row * 78.233) * 43758.5453), 1);
    const double strength = 1 + std::pow(std::sin(column * 0.013) * std::sin(row * 0.007), 4) * 3;
    return static_cast<float>((noise - 0.5) * 0.05 * strength);
}

/// Answers a heat map at once, as a page would after a scan.
void answer(HeatMapItem& map)
{
    QObject::connect(&map, &HeatMapItem::needsRegion, &map,
                     [&map](qreal x, qreal y, qreal w, qreal h, int cellsX, int cellsY) {
                         auto cells = std::make_shared<std::vector<float>>();
                         for (int row = 0; row < cellsY; ++row) {
                             for (int column = 0; column < cellsX; ++column) {
                                 cells->push_back(madeUp(std::floor(x + column * w / cellsX),
                                                         std::floor(y + row * h / cellsY)));
                             }
                         }
                         map.setGrid({ { x, y, w, h }, cellsX, cellsY, cells });
                     });
}

void wait(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

void takePictures(QQuickWindow& window, QObject& scene, const QString& folder, const QString& name)
{
    for (const char* mode : { "light", "dark" }) {
        scene.setProperty("mode", mode);
        wait(300);
        const QString path = QStringLiteral("%1/%2-%3.png").arg(folder, name, mode);
        std::printf("%s %s\n", window.grabWindow().save(path) ? "saved" : "could not save",
                    qPrintable(path));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const QGuiApplication application(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(
        "Frame times of the inspector's maps. Needs a display with OpenGL (xvfb-run).");
    options.addHelpOption();
    options.addOptions({ { "pictures", "Save pictures there instead of measuring.", "folder" },
                         { "notches", "Of the wheel, turned before the pictures.", "count", "0" },
                         { "layers", "Of the made-up file; 9 tensors each.", "count", "333" } });
    options.addPositionalArgument("file", "A GGUF file; else one of 3,000 tensors is made up.");
    options.process(application);

    const QTemporaryDir folder;
    QString path = options.positionalArguments().value(0);
    if (path.isEmpty()) {
        path = folder.filePath("sparse.gguf");
        const auto written = tests::writeSparseGguf(
            path.toStdString(), tests::layeredTensors(options.value("layers").toInt()));
        if (!written) {
            std::fprintf(stderr, "could not write %s\n", qPrintable(path));
            return 1;
        }
    }
    auto file = engine::gguf::GgufFile::open(path.toStdString());
    if (!file) {
        std::fprintf(stderr, "%s\n", engine::englishSentence(file.error()).c_str());
        return 1;
    }
    QQmlEngine engine;
    engine.addImportPath("qrc:/qt/qml");
    QQmlComponent component(&engine, QUrl::fromLocalFile(VITRINE_BENCH_SCENE));
    if (!component.isReady()) {
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
        return 1;
    }
    const std::unique_ptr<QObject> scene(component.createWithInitialProperties(
        { { "file", QVariant::fromValue(InspectedFile { *file }) } }));
    auto* window = qobject_cast<QQuickWindow*>(scene.get());
    if (window == nullptr) {
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
        return 1;
    }
    for (auto* map : window->findChildren<HeatMapItem*>()) {
        answer(*map);
    }
    window->show();
    wait(500);
    if (options.isSet("pictures")) {
        for (auto* item : window->findChildren<ZoomableItem*>()) {
            const QPointF at = item->mapToScene({ item->width() * 0.37, item->height() * 0.4 });
            turnWheel(*window, at, { 0, 120 * options.value("notches").toInt() });
        }
        takePictures(*window, *scene, options.value("pictures"), "maps");
        return 0;
    }
    std::printf("%zu tensors, %.3f GB, render loop %s\n", (*file)->tensors().size(),
                static_cast<double>((*file)->bytes().size()) / 1e9,
                qPrintable(qEnvironmentVariable("QSG_RENDER_LOOP", "(default)")));
    const auto items = window->findChildren<ZoomableItem*>();
    for (auto* item : items) {
        if (!item->objectName().startsWith("measured")) {
            continue;
        }
        for (auto* other : items) { // a software renderer's time is that of all that it draws
            other->setVisible(other == item);
        }
        wait(200);
        const Frames frames = measure(*window, *item);
        if (frames.times.empty()) {
            std::fprintf(stderr, "no frames were shown\n");
            return 1;
        }
        std::printf(
            "%-24s %zu frames: p50 %.1f ms, p99 %.1f ms, max %.1f ms; %.1f ms of processor each\n",
            qPrintable(item->objectName().mid(8)), frames.times.size(), frames.at(0.5),
            frames.at(0.99), frames.times.back(), frames.processor);
    }
    return 0;
}
