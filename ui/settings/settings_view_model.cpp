// The settings as their page shows them.
// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings_view_model.h"

#include <QtCore/QThread>

using app::Settings;

SettingsViewModel::SettingsViewModel(Settings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_devices(settings)
{
    connect(&settings, &Settings::themeChanged, this, &SettingsViewModel::themeChanged);
    connect(&settings, &Settings::threadsChanged, this, &SettingsViewModel::threadsChanged);
    connect(&settings, &Settings::contextLengthChanged, this,
            &SettingsViewModel::contextLengthChanged);
    connect(&settings, &Settings::askContextChanged, this, &SettingsViewModel::askContextChanged);
    connect(&settings, &Settings::deviceChanged, this, &SettingsViewModel::deviceChanged);
    connect(&settings, &Settings::textSizeChanged, this, &SettingsViewModel::textSizeChanged);
    connect(&settings, &Settings::problemFound, this,
            [this](const app::ErrorMessage& problem) { setNotice(Notice(problem)); });
    if (settings.problem()) {
        m_notice = Notice(*settings.problem());
    }
}

QString SettingsViewModel::theme() const
{
    if (!m_themeOverride.isEmpty()) {
        return m_themeOverride;
    }
    switch (m_settings.theme()) {
    case Settings::Theme::Light:
        return QStringLiteral("light");
    case Settings::Theme::Dark:
        return QStringLiteral("dark");
    case Settings::Theme::System:
        break;
    }
    return QStringLiteral("system");
}

void SettingsViewModel::setTheme(const QString& theme)
{
    const QString before = this->theme();
    m_themeOverride.clear();
    m_settings.setTheme(theme == QStringLiteral("light")      ? Settings::Theme::Light
                            : theme == QStringLiteral("dark") ? Settings::Theme::Dark
                                                              : Settings::Theme::System);
    // The kept theme may be the same as before while the override was not.
    if (before != this->theme()) {
        Q_EMIT themeChanged();
    }
}

void SettingsViewModel::overrideTheme(const QString& theme)
{
    if (m_themeOverride != theme) {
        m_themeOverride = theme;
        Q_EMIT themeChanged();
    }
}

int SettingsViewModel::cores()
{
    return QThread::idealThreadCount();
}

void SettingsViewModel::setNotice(const Notice& notice)
{
    if (notice != m_notice) {
        m_notice = notice;
        Q_EMIT noticeChanged();
    }
}
