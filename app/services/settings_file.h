// The settings as data, and the file they are kept in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/settings.h"

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QRect>
#include <QString>
#include <QStringList>

namespace app {

struct SettingsData
{
    Settings::Theme theme = Settings::Theme::System;
    QRect windowGeometry;
    bool windowMaximized = false;
    QStringList recentFiles;
    int threads = 0;
    int contextLength = 0;
    QMap<QString, int> contextLengths; ///< chosen for one file, by its path
    QMap<QString, int> deviceLayers; ///< likewise
    bool askContext = false;
    Settings::CacheType cacheType = Settings::CacheType::F16;
    QString device = QStringLiteral("auto");
    int textSize = 100;
    Settings::Place place;
    QMap<QString, Settings::Bookmarks> bookmarks; ///< by path of their file
    QJsonObject all; ///< as read: keys this version does not know stay in the file
};

/// Values that make no sense are left at their defaults.
[[nodiscard]] SettingsData settingsFromJson(const QJsonObject& object);
[[nodiscard]] QByteArray settingsToJson(const SettingsData& data);

/// What Settings keeps of a device's name: never nothing, and not too much.
[[nodiscard]] QString tidiedDevice(const QString& device);

/// As Settings keeps those of one file: sorted, no offset twice, not too many, names not too long.
[[nodiscard]] Settings::Bookmarks tidied(Settings::Bookmarks bookmarks);

/// What reading a settings file came to.
struct SettingsRead
{
    enum class Outcome {
        Fine, ///< also when there is no file yet
        Unreadable, ///< there is a file, but not for us
        Damaged, ///< kept aside as `.bak`
        DamagedInPlace, ///< could not be moved aside
    };
    Outcome outcome = Outcome::Fine;
    SettingsData data;
    QString reason; ///< of the system, when unreadable
};

[[nodiscard]] SettingsRead readSettings(const QString& path);

/// Replaces the file as a whole (and makes its directory). Empty, or the system's reason why it
/// failed.
[[nodiscard]] QString writeSettings(const QString& path, const QByteArray& json);

} // namespace app
