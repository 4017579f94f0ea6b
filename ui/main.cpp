// The application: builds services and view models, loads Main.qml.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_book.h"
#include "app/services/inference_service.h"
#include "app/services/inspection_service.h"
#include "app/services/logging.h"
#include "app/services/open_devices.h"
#include "app/services/settings.h"
#include "app/services/token_counter.h"
#include "ui/chat/chat_list_model.h"
#include "ui/chat/chat_view_model.h"
#include "ui/chat/keeping_view_model.h"
#include "ui/chat/model_view_model.h"
#include "ui/chat/steering_view_model.h"
#include "ui/inspector/inspector_view_model.h"
#include "ui/settings/settings_view_model.h"
#include "ui/shell/batch_run.h"
#include "ui/shell/display.h"
#include "ui/shell/options.h"
#include "ui/shell/startup_clock.h"
#include "ui/shell/window_geometry.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtGui/QGuiApplication>
#include <QtGui/QIcon>
#include <QtQml/QQmlApplicationEngine>
#include <QtQuick/QQuickWindow>
#include <QtQuickControls2/QQuickStyle>

#include <algorithm>
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

/// What the window shows, in the order in which one needs the other.
struct ViewModels
{
    SettingsViewModel settings;
    ModelViewModel model;
    ChatViewModel chat;
    ChatListModel chats;
    SteeringViewModel steering;
    KeepingViewModel keeping;
    InspectorViewModel inspector;
};

QQuickWindow* loadWindow(QQmlApplicationEngine& engine, const Options& options, ViewModels& models,
                         const app::Settings::Place& place)
{
    const QString page = options.page.isEmpty() ? place.page : options.page;
    engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
    engine.setInitialProperties(
        { { QStringLiteral("chat"), QVariant::fromValue(&models.chat) },
          { QStringLiteral("model"), QVariant::fromValue(&models.model) },
          { QStringLiteral("settings"), QVariant::fromValue(&models.settings) },
          { QStringLiteral("chats"), QVariant::fromValue(&models.chats) },
          { QStringLiteral("steering"), QVariant::fromValue(&models.steering) },
          { QStringLiteral("keeping"), QVariant::fromValue(&models.keeping) },
          { QStringLiteral("inspector"), QVariant::fromValue(&models.inspector) },
          { QStringLiteral("page"), page.isEmpty() ? QStringLiteral("chat") : page },
          { QStringLiteral("sidebar"), place.sidebar },
          { QStringLiteral("panel"), place.panel },
          { QStringLiteral("starting"),
            !options.isInspection()
                && (!options.files.isEmpty()
                    || (!options.isBatch() && QFileInfo(place.model).isFile())) } });
    engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Vitrine/Shell/Main.qml")));
    return engine.rootObjects().isEmpty()
        ? nullptr
        : qobject_cast<QQuickWindow*>(engine.rootObjects().constFirst());
}

/// Keeps where the window was left, for the next start.
void keepPlace(const QQuickWindow& window, const app::ChatBook& book, app::Settings& settings)
{
    app::Settings::Place place = settings.place();
    place.page = window.property("page").toString();
    place.sidebar = window.property("sidebar").toBool();
    place.panel = window.property("panel").toBool();
    place.chat = book.current().isKept() ? book.current().id() : 0;
    settings.setPlace(place);
}

/// Nothing heavy happens before the first frame; then the file is opened and the question asked.
void begin(const Options& options, ViewModels& models)
{
    ChatViewModel& chat = models.chat;
    ModelViewModel& model = models.model;
    if (options.isInspection()) {
        models.inspector.open(QFileInfo(options.files.constFirst()).absoluteFilePath());
        return;
    }
    if (options.files.isEmpty() && options.isBatch()) {
        chat.draft()->setText(options.prompt);
        return;
    }
    if (options.files.isEmpty()) {
        model.reopen();
    } else {
        model.open(options.files.constFirst());
    }
    if (!options.prompt.isEmpty()) {
        chat.askWhenReady(options.prompt);
    }
}

int run(QGuiApplication& application, const Options& options)
{
    app::Settings settings;
    // A run without a person in front of it leaves no traces among the chats.
    const QTemporaryDir unkept;
    app::ChatStore store(options.isBatch() && !options.prompt.isEmpty() ? unkept.path()
                                                                        : QString());
    const auto devices = std::make_shared<app::OpenDevices>();
    app::InferenceService service(app::makeSessionEngine(devices));
    app::InspectionService inspection;
    app::TokenCounter counter(service);
    app::ChatBook book(service, store);
    ViewModels models { SettingsViewModel(settings),
                        ModelViewModel(service, settings, app::OpenDevices::sourceOf(devices)),
                        ChatViewModel(service, book, counter),
                        ChatListModel(book),
                        SteeringViewModel(service, book),
                        KeepingViewModel(store),
                        InspectorViewModel(inspection) };
    ModelViewModel& model = models.model;
    ChatViewModel& chat = models.chat;
    const auto tellInspector = [&] { models.inspector.setChatPath(service.facts().path); };
    QObject::connect(&service, &app::InferenceService::loaded, &models.inspector, tellInspector);
    QObject::connect(&service, &app::InferenceService::unloaded, &models.inspector, tellInspector);
    models.inspector.bookmarks()->keepIn(settings);
    models.settings.overrideTheme(options.theme);
    if (options.temperature) {
        chat.setTemperature(*options.temperature);
    }
    const app::Settings::Place place = settings.place();
    if (options.prompt.isEmpty()) {
        // The last chat comes back, unless somebody was quicker than the disk.
        QObject::connect(&book, &app::ChatBook::ready, &book, [&book, last = place.chat] {
            const auto& all = book.chats();
            const bool known =
                std::any_of(all.begin(), all.end(),
                            [last](const app::ChatSummary& each) { return each.id == last; });
            if (known && !book.current().isKept()) {
                book.open(last);
            }
        });
    }
    QQmlApplicationEngine engine;
    QQuickWindow* window = loadWindow(engine, options, models, place);
    if (window == nullptr) {
        return say(stderr,
                   QStringLiteral("vitrine: The window cannot be built; VITRINE_LOG=debug says "
                                  "why. Install it again.\n"),
                   kFailed);
    }
    BatchRun batch(options, chat, *window);
    batch.waitFor(models.inspector);
    const auto shown = std::make_shared<double>(0);
    QObject::connect(
        window, &QQuickWindow::frameSwapped, &model,
        [&] {
            *shown = millisecondsSinceStart();
            qCDebug(startupLog, "window shown after %.0f ms", *shown);
            begin(options, models);
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
        QObject::connect(&application, &QGuiApplication::lastWindowClosed, &settings, [&] {
            keepGeometry(*window, settings);
            keepPlace(*window, book, settings);
        });
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
