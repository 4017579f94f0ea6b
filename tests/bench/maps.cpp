// Measures frames of the inspector's maps while they zoom and pan, and takes their pictures.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sparse_gguf.h"
#include "ui/inspector/inspected_file.h"

#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QQmlComponent>
#include <QQmlContext>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
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
    window.update();
    QTimer::singleShot(60000, &loop, &QEventLoop::quit);
    loop.exec();
    QObject::disconnect(connection);
    std::ranges::sort(frames.times);
    return frames;
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
    window->show();
    wait(500);
    if (options.isSet("pictures")) {
        takePictures(*window, *scene, options.value("pictures"), "maps");
        return 0;
    }
    std::printf("%zu tensors, %.3f GB, render loop %s\n", (*file)->tensors().size(),
                static_cast<double>((*file)->bytes().size()) / 1e9,
                qPrintable(qEnvironmentVariable("QSG_RENDER_LOOP", "(default)")));
    const auto items = window->findChildren<QQuickItem*>(QRegularExpression("^measured"));
    for (auto* item : items) {
        for (auto* other : items) { // a software renderer's time is that of all that it draws
            other->setVisible(other == item);
        }
        wait(200);
        const Frames frames = measure(*window, *item);
        if (frames.times.empty()) {
            std::fprintf(stderr, "no frames were shown\n");
            return 1;
        }
        std::printf("%-24s %zu frames: p50 %.1f ms, p99 %.1f ms, max %.1f ms\n",
                    qPrintable(item->objectName().mid(8)), frames.times.size(), frames.at(0.5),
                    frames.at(0.99), frames.times.back());
    }
    return 0;
}
