// The application: builds services and view models, loads Main.qml.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/inference_service.h"
#include "app/services/logging.h"
#include "app/services/settings.h"
#include "ui/chat/chat_view_model.h"
#include "ui/chat/model_view_model.h"
#include "ui/settings/settings_view_model.h"
#include "ui/shell/batch_run.h"
#include "ui/shell/display.h"
#include "ui/shell/options.h"
#include "ui/shell/startup_clock.h"
#include "ui/shell/window_geometry.h"

#include <QtGui/QGuiApplication>
#include <QtGui/QIcon>
#include <QtQml/QQmlApplicationEngine>
#include <QtQuick/QQuickWindow>
#include <QtQuickControls2/QQuickStyle>

#include <cstdio>
#include <memory>

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int say(std::FILE* stream, const QString& text, int status)
{
    std::fputs(qUtf8Printable(text), stream);
    return status;
}

QStringList argumentsOf(int argc, char** argv)
{
    QStringList arguments;
    for (int at = 1; at < argc; ++at) {
        arguments << QString::fromLocal8Bit(argv[at]);
    }
    return arguments;
}

QQuickWindow* loadWindow(QQmlApplicationEngine& engine, const Options& options, ChatViewModel& chat,
                         ModelViewModel& model, SettingsViewModel& settings)
{
    engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
    engine.setInitialProperties({ { QStringLiteral("chat"), QVariant::fromValue(&chat) },
                                  { QStringLiteral("model"), QVariant::fromValue(&model) },
                                  { QStringLiteral("settings"), QVariant::fromValue(&settings) },
                                  { QStringLiteral("page"), options.page },
                                  { QStringLiteral("starting"), !options.files.isEmpty() } });
    engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Vitrine/Shell/Main.qml")));
    return engine.rootObjects().isEmpty()
        ? nullptr
        : qobject_cast<QQuickWindow*>(engine.rootObjects().constFirst());
}

/// Nothing heavy happens before the first frame; then the file is opened and the question asked.
void begin(const Options& options, ChatViewModel& chat, ModelViewModel& model)
{
    if (options.files.isEmpty()) {
        chat.setDraft(options.prompt);
        return;
    }
    model.open(options.files.constFirst());
    if (!options.prompt.isEmpty()) {
        chat.askWhenReady(options.prompt);
    }
}

int run(QGuiApplication& application, const Options& options)
{
    app::Settings settings;
    app::InferenceService service(app::makeSessionEngine());
    SettingsViewModel settingsViewModel(settings);
    settingsViewModel.overrideTheme(options.theme);
    ModelViewModel model(service, settings);
    ChatViewModel chat(service);
    if (options.temperature) {
        engine::session::SamplerOptions sampler;
        sampler.temperature = *options.temperature;
        chat.setSampler(sampler);
    }
    QQmlApplicationEngine engine;
    QQuickWindow* window = loadWindow(engine, options, chat, model, settingsViewModel);
    if (window == nullptr) {
        return say(stderr,
                   QStringLiteral("vitrine: The window cannot be built; VITRINE_LOG=debug says "
                                  "why. Install it again.\n"),
                   kFailed);
    }
    BatchRun batch(options, chat, *window);
    const auto shown = std::make_shared<double>(0);
    QObject::connect(
        window, &QQuickWindow::frameSwapped, &model,
        [&] {
            *shown = millisecondsSinceStart();
            qCDebug(startupLog, "window shown after %.0f ms", *shown);
            begin(options, chat, model);
            if (options.isBatch()) {
                batch.start();
            }
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    QObject::connect(&model, &ModelViewModel::ready, &model, [shown] {
        qCDebug(startupLog, "model ready %.0f ms later", millisecondsSinceStart() - *shown);
    });
    const bool maximized = restoreGeometry(*window, settings, options.size);
    if (!options.isBatch()) {
        QObject::connect(&application, &QGuiApplication::lastWindowClosed, &settings,
                         [&] { keepGeometry(*window, settings); });
    }
    maximized ? window->showMaximized() : window->show();
    return QGuiApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    const CommandLine line = parseCommandLine(argumentsOf(argc, argv));
    switch (line.action) {
    case CommandLine::Action::Help:
        return say(stdout, helpText(), 0);
    case CommandLine::Action::Version:
        return say(stdout, versionText(), 0);
    case CommandLine::Action::Wrong:
        return say(stderr, QStringLiteral("vitrine: %1\n").arg(line.complaint), kWrongUsage);
    case CommandLine::Action::Run:
        break;
    }
    if (const QString obstacle = displayObstacle(); !obstacle.isEmpty()) {
        return say(stderr, QStringLiteral("vitrine: %1\n").arg(obstacle), kFailed);
    }
    if (line.options.scale > 0) {
        qputenv("QT_SCALE_FACTOR", QByteArray::number(line.options.scale));
    }
    app::initLogging();
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    const auto application = makeApplication(argc, argv);
    QGuiApplication::setApplicationName(QStringLiteral("vitrine"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Vitrine"));
    QGuiApplication::setApplicationVersion(QStringLiteral(VITRINE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("vitrine"));
    return run(*application, line.options);
}
