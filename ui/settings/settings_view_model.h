// The settings as their page shows them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/settings.h"
#include "ui/components/notice.h"
#include "ui/settings/device_model.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the settings outlive it.
class SettingsViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    /// "system", "light" or "dark".
    Q_PROPERTY(QString theme READ theme WRITE setTheme NOTIFY themeChanged)
    /// 0: one a core.
    Q_PROPERTY(int threads READ threads WRITE setThreads NOTIFY threadsChanged)
    Q_PROPERTY(int cores READ cores CONSTANT)
    /// 0: what the model was trained for, as far as memory goes.
    Q_PROPERTY(
        int contextLength READ contextLength WRITE setContextLength NOTIFY contextLengthChanged)
    /// Before each load, not only where memory caps it.
    Q_PROPERTY(bool askContext READ askContext WRITE setAskContext NOTIFY askContextChanged)
    /// "auto", "cpu" or the value of one of `devices`.
    Q_PROPERTY(QString device READ device WRITE setDevice NOTIFY deviceChanged)
    Q_PROPERTY(DeviceModel* devices READ devices CONSTANT)
    /// Of all text, in percent.
    Q_PROPERTY(int textSize READ textSize WRITE setTextSize NOTIFY textSizeChanged)
    Q_PROPERTY(QString filePath READ filePath CONSTANT)
    /// What went wrong with the settings' file.
    Q_PROPERTY(Notice notice READ notice NOTIFY noticeChanged)

public:
    explicit SettingsViewModel(app::Settings& settings, QObject* parent = nullptr);

    [[nodiscard]] QString theme() const;
    void setTheme(const QString& theme);
    /// For one run (command line): shown, but not kept. Ends when a theme is chosen.
    void overrideTheme(const QString& theme);
    [[nodiscard]] int threads() const { return m_settings.threads(); }
    void setThreads(int threads) { m_settings.setThreads(threads); }
    [[nodiscard]] static int cores();
    [[nodiscard]] int contextLength() const { return m_settings.contextLength(); }
    void setContextLength(int length) { m_settings.setContextLength(length); }
    [[nodiscard]] bool askContext() const { return m_settings.askContext(); }
    void setAskContext(bool ask) { m_settings.setAskContext(ask); }
    [[nodiscard]] QString device() const { return m_settings.device(); }
    void setDevice(const QString& device) { m_settings.setDevice(device); }
    [[nodiscard]] DeviceModel* devices() { return &m_devices; }
    [[nodiscard]] int textSize() const { return m_settings.textSize(); }
    void setTextSize(int percent) { m_settings.setTextSize(percent); }
    [[nodiscard]] QString filePath() const { return m_settings.filePath(); }
    [[nodiscard]] const Notice& notice() const { return m_notice; }
    Q_INVOKABLE void dismissNotice() { setNotice({}); }

Q_SIGNALS:
    void themeChanged();
    void threadsChanged();
    void contextLengthChanged();
    void askContextChanged();
    void deviceChanged();
    void textSizeChanged();
    void noticeChanged();

private:
    void setNotice(const Notice& notice);

    app::Settings& m_settings;
    DeviceModel m_devices;
    QString m_themeOverride;
    Notice m_notice;
};
