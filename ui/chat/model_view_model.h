// The model behind the conversation, as the window shows it: which one, how far it is loaded, what
// it warns of. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/demo_model.h"
#include "app/services/inference_service.h"
#include "app/services/settings.h"
#include "ui/chat/load_plan_view_model.h"
#include "ui/components/notice.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QUrl>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the service and the settings outlive it.
class ModelViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    Q_PROPERTY(bool loaded READ isLoaded NOTIFY changed)
    Q_PROPERTY(bool loading READ isLoading NOTIFY changed)
    /// Loaded, and the file is still the one that was opened.
    Q_PROPERTY(bool usable READ isUsable NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)
    /// Type, size and device: "Q4_1 · 98.4 MB · CPU AVX2".
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// The same with exact numbers, several lines.
    Q_PROPERTY(QString details READ details NOTIFY changed)
    Q_PROPERTY(QStringList warnings READ warnings NOTIFY changed)
    Q_PROPERTY(int contextLength READ contextLength NOTIFY changed)
    /// The demo model is on its way.
    Q_PROPERTY(bool fetchingDemo READ isFetchingDemo NOTIFY demoChanged)
    /// From 0 to 1; below 0 while nobody knows.
    Q_PROPERTY(double demoFraction READ demoFraction NOTIFY demoChanged)
    Q_PROPERTY(QString demoProgress READ demoProgress NOTIFY demoChanged)
    Q_PROPERTY(QString loadingName READ loadingName NOTIFY loadProgressChanged)
    Q_PROPERTY(QString loadStage READ loadStage NOTIFY loadProgressChanged)
    Q_PROPERTY(double loadFraction READ loadFraction NOTIFY loadProgressChanged)
    /// The settings ask for other threads or another context than the model was loaded with.
    Q_PROPERTY(bool reloadNeeded READ isReloadNeeded NOTIFY reloadNeededChanged)
    Q_PROPERTY(QStringList recentFiles READ recentFiles NOTIFY recentFilesChanged)
    Q_PROPERTY(LoadPlanViewModel* plan READ plan CONSTANT)
    Q_PROPERTY(Notice notice READ notice NOTIFY noticeChanged)

public:
    ModelViewModel(app::InferenceService& service, app::Settings& settings,
                   app::DeviceSource devices = {}, QObject* parent = nullptr);

    [[nodiscard]] bool isLoaded() const { return m_service.hasModel(); }
    [[nodiscard]] bool isLoading() const
    {
        return m_service.state() == app::InferenceService::State::Loading;
    }
    [[nodiscard]] bool isUsable() const { return isLoaded() && !m_service.isFileChanged(); }
    [[nodiscard]] QString name() const { return m_service.facts().displayName; }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString details() const;
    [[nodiscard]] QStringList warnings() const;
    [[nodiscard]] int contextLength() const
    {
        return static_cast<int>(m_service.facts().contextLength);
    }
    [[nodiscard]] bool isFetchingDemo() const
    {
        return m_demo.state() == app::DemoModel::State::Fetching;
    }
    [[nodiscard]] double demoFraction() const { return m_demo.fraction(); }
    [[nodiscard]] QString demoProgress() const;
    [[nodiscard]] QString loadingName() const;
    [[nodiscard]] QString loadStage() const { return m_service.loadStageText(); }
    [[nodiscard]] double loadFraction() const { return m_service.loadFraction(); }
    [[nodiscard]] bool isReloadNeeded() const;
    [[nodiscard]] QStringList recentFiles() const { return m_settings.recentFiles(); }
    [[nodiscard]] LoadPlanViewModel* plan() { return &m_plan; }
    [[nodiscard]] const Notice& notice() const { return m_notice; }

    /// Loads a file in place of the current model; the conversation stays.
    void open(const QString& path);
    /// The same where somebody picked the file: the context length is asked for first if need be.
    Q_INVOKABLE void choose(const QString& path);
    /// The same for a local file's URL (dialog, drop).
    Q_INVOKABLE void chooseUrl(const QUrl& url);
    /// Asks for another context length, and share of the device, of the model that is loaded.
    Q_INVOKABLE void choosePlan();
    /// Loads the current file again, with the settings of now.
    Q_INVOKABLE void reload();
    Q_INVOKABLE void cancelLoad() { m_service.cancelLoad(); }
    Q_INVOKABLE void close();
    /// Opens the model that was loaded when the application was left. A file that brought it down
    /// is not tried again.
    void reopen();
    /// Fetches the demo model and opens it.
    Q_INVOKABLE void getDemo();
    Q_INVOKABLE void cancelDemo() { m_demo.cancel(); }
    Q_INVOKABLE void dismissNotice() { setNotice({}); }
    Q_INVOKABLE void clearRecentFiles() { m_settings.clearRecentFiles(); }
    /// A path as people read it: the name of its file, and the folder it lies in.
    Q_INVOKABLE static QString fileName(const QString& path);
    Q_INVOKABLE static QString folderName(const QString& path);

Q_SIGNALS:
    void changed();
    /// A model was loaded just now.
    void ready();
    void demoChanged();
    void loadProgressChanged();
    void reloadNeededChanged();
    void recentFilesChanged();
    void noticeChanged();

private:
    void onLoaded(const app::ModelFacts& facts);
    void setNotice(const Notice& notice);
    void keepModel(const QString& path);
    /// Bytes on the device that a model loaded next would be given.
    [[nodiscard]] quint64 occupied() const;

    app::InferenceService& m_service;
    app::Settings& m_settings;
    app::LoadRequest m_request; ///< of the latest load
    app::LoadRequest m_loadedRequest; ///< of the model that is loaded
    app::DemoModel m_demo;
    LoadPlanViewModel m_plan;
    Notice m_notice;
};
