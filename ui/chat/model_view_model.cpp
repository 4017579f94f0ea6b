// The model behind the conversation, as the window shows it.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/model_view_model.h"

#include "ui/chat/answer_figures.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QLocale>

#include <utility>

using app::InferenceService;
using app::Settings;

namespace {

/// "Vulkan A card", or which part of the model is there.
QString deviceText(const app::ModelFacts& facts)
{
    const auto& placed = facts.placement;
    if (!placed || placed->isWhole()) {
        return facts.deviceName;
    }
    const QLocale locale;
    return ModelViewModel::tr("%1 of %2 layers on %3")
        .arg(locale.toString(placed->deviceBlocks), locale.toString(placed->blocks),
             facts.deviceName);
}

QString runsOn(const app::ModelFacts& facts)
{
    const QLocale locale;
    const auto& placed = facts.placement;
    if (placed && placed->isWhole() && placed->blocks > 0) {
        return ModelViewModel::tr("Runs on: %1, all %2 layers")
            .arg(facts.deviceName, locale.toString(placed->blocks));
    }
    const QString device = deviceText(facts);
    switch (facts.threads) {
    case 0: // a device has none
        return ModelViewModel::tr("Runs on: %1").arg(device);
    case 1:
        return ModelViewModel::tr("Runs on: %1, 1 thread").arg(device);
    default:
        return placed ? ModelViewModel::tr("Runs on: %1, the others on the CPU with %2 threads")
                            .arg(device, locale.toString(facts.threads))
                      : ModelViewModel::tr("Runs on: %1, %2 threads")
                            .arg(device, locale.toString(facts.threads));
    }
}

} // namespace

ModelViewModel::ModelViewModel(InferenceService& service, Settings& settings,
                               app::DeviceSource devices, QObject* parent)
    : QObject(parent)
    , m_service(service)
    , m_settings(settings)
    , m_plan(settings, std::move(devices))
{
    connect(&service, &InferenceService::stateChanged, this, &ModelViewModel::changed);
    connect(&service, &InferenceService::stateChanged, this, &ModelViewModel::reloadNeededChanged);
    connect(&service, &InferenceService::stateChanged, this, &ModelViewModel::loadProgressChanged);
    connect(&service, &InferenceService::unloaded, this, &ModelViewModel::changed);
    connect(&service, &InferenceService::factsChanged, this, &ModelViewModel::changed);
    connect(&service, &InferenceService::loadProgressChanged, this,
            &ModelViewModel::loadProgressChanged);
    connect(&service, &InferenceService::loaded, this, &ModelViewModel::onLoaded);
    connect(&service, &InferenceService::loadFailed, this,
            [this](const app::ErrorMessage& error) { setNotice(Notice(error)); });
    connect(&service, &InferenceService::fileChanged, this, [this](const app::ErrorMessage& error) {
        setNotice(Notice(error));
        Q_EMIT changed();
    });
    connect(&m_plan, &LoadPlanViewModel::decided, this, &ModelViewModel::open);
    connect(&m_plan, &LoadPlanViewModel::refused, this,
            [this](const app::ErrorMessage& error) { setNotice(Notice(error)); });
    connect(&m_demo, &app::DemoModel::changed, this, &ModelViewModel::demoChanged);
    connect(&m_demo, &app::DemoModel::fetched, this, &ModelViewModel::open);
    connect(&m_demo, &app::DemoModel::failed, this,
            [this](const app::ErrorMessage& error) { setNotice(Notice(error)); });
    connect(&settings, &Settings::recentFilesChanged, this, &ModelViewModel::recentFilesChanged);
    connect(&settings, &Settings::threadsChanged, this, &ModelViewModel::reloadNeededChanged);
    connect(&settings, &Settings::contextLengthChanged, this, &ModelViewModel::reloadNeededChanged);
    connect(&settings, &Settings::cacheTypeChanged, this, &ModelViewModel::reloadNeededChanged);
    connect(&settings, &Settings::deviceChanged, this, &ModelViewModel::reloadNeededChanged);
    connect(&settings, &Settings::deviceLayersChanged, this, &ModelViewModel::reloadNeededChanged);
}

QString ModelViewModel::summary() const
{
    const app::ModelFacts& facts = m_service.facts();
    return isLoaded()
        ? QStringList { facts.typeName, sizeText(facts.fileSize), deviceText(facts) }.join(
            QStringLiteral(" · "))
        : QString();
}

QString ModelViewModel::details() const
{
    if (!isLoaded()) {
        return {};
    }
    const app::ModelFacts& facts = m_service.facts();
    const QLocale locale;
    return QStringList {
        facts.path,
        tr("File: %1 bytes").arg(locale.toString(facts.fileSize)),
        tr("Weights: %1, most of them %2")
            .arg(locale.toString(facts.parameterCount), facts.typeName),
        tr("Context: %1 tokens (trained for %2)")
            .arg(locale.toString(facts.contextLength), locale.toString(facts.trainedContextLength)),
        tr("Memory besides the file: %1").arg(sizeText(facts.sessionBytes)),
        runsOn(facts),
    }
        .join(u'\n');
}

QStringList ModelViewModel::warnings() const
{
    if (!isLoaded()) {
        return {};
    }
    const app::ModelFacts& facts = m_service.facts();
    QStringList warnings = facts.warnings;
    if (facts.contextCapped && m_loadedRequest.contextLength == 0) {
        const QLocale locale;
        warnings << tr("The context holds %1 of the %2 tokens the model was trained for: that is "
                       "what memory has room "
                       "for now. Another length can be chosen in the model's menu.")
                        .arg(locale.toString(facts.contextLength),
                             locale.toString(facts.trainedContextLength));
    }
    return warnings;
}

QString ModelViewModel::loadingName() const
{
    return isLoading() ? fileName(m_service.loadingPath()) : QString();
}

bool ModelViewModel::isReloadNeeded() const
{
    return isLoaded() && !isLoading()
        && m_settings.loadRequest(m_service.facts().path) != m_loadedRequest;
}

void ModelViewModel::open(const QString& path)
{
    setNotice({});
    m_plan.dismiss();
    m_request = m_settings.loadRequest(path);
    // Kept once it is loaded: a file that brings the application down must not do so at every
    // start.
    keepModel({});
    m_service.load(path, m_request);
}

void ModelViewModel::choose(const QString& path)
{
    setNotice({});
    m_plan.consider(path, occupied());
}

void ModelViewModel::chooseUrl(const QUrl& url)
{
    choose(url.isLocalFile() ? url.toLocalFile() : url.toString());
}

quint64 ModelViewModel::occupied() const
{
    const auto& placement = m_service.facts().placement;
    return isLoaded() && placement && m_loadedRequest.device == m_settings.device().toStdString()
        ? placement->deviceBytes
        : 0;
}

void ModelViewModel::choosePlan()
{
    if (isLoaded()) {
        setNotice({});
        m_plan.ask(m_service.facts().path, occupied());
    }
}

void ModelViewModel::reload()
{
    if (isLoaded()) {
        open(m_service.facts().path);
    }
}

void ModelViewModel::close()
{
    keepModel({});
    m_service.unload();
}

void ModelViewModel::reopen()
{
    const QString path = m_settings.place().model;
    if (!path.isEmpty() && QFileInfo(path).isFile()) {
        open(path);
    }
}

void ModelViewModel::keepModel(const QString& path)
{
    Settings::Place place = m_settings.place();
    place.model = path;
    m_settings.setPlace(place);
}

void ModelViewModel::getDemo()
{
    setNotice({});
    m_demo.fetch();
}

QString ModelViewModel::demoProgress() const
{
    return m_demo.received() == 0 ? tr("Getting the demo model")
                                  : tr("Getting the demo model: %1 of %2")
                                        .arg(sizeText(m_demo.received()), sizeText(m_demo.total()));
}

QString ModelViewModel::fileName(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    return name.isEmpty() ? path : name;
}

QString ModelViewModel::folderName(const QString& path)
{
    QString folder = QFileInfo(path).absolutePath();
    const QString home = QDir::homePath();
    if (home != QDir::rootPath() && (folder == home || folder.startsWith(home + u'/'))) {
        folder.replace(0, home.size(), QStringLiteral("~"));
    }
    return folder;
}

void ModelViewModel::onLoaded(const app::ModelFacts& facts)
{
    m_loadedRequest = m_request;
    keepModel(facts.path);
    m_settings.addRecentFile(facts.path);
    setNotice(facts.conversationError ? Notice(*facts.conversationError) : Notice());
    Q_EMIT changed();
    Q_EMIT reloadNeededChanged();
    Q_EMIT ready();
}

void ModelViewModel::setNotice(const Notice& notice)
{
    if (notice != m_notice) {
        m_notice = notice;
        Q_EMIT noticeChanged();
    }
}
