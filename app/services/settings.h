// The settings of the application, kept in XDG_CONFIG_HOME/vitrine/settings.json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "app/services/model_facts.h"

#include <QObject>
#include <QRect>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace app {

/// Lives on the GUI thread. Read once at start; written (whole, atomically) by a thread of its own
/// a moment after a change, and at the end. Keys this version does not know are kept.
///
/// Without permission to read or write the application goes on with what it has; `problem` says so
/// once. A damaged file is kept beside as settings.json.bak.
class Settings : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Theme theme READ theme WRITE setTheme NOTIFY themeChanged)
    Q_PROPERTY(QStringList recentFiles READ recentFiles NOTIFY recentFilesChanged)
    Q_PROPERTY(int threads READ threads WRITE setThreads NOTIFY threadsChanged)
    Q_PROPERTY(
        int contextLength READ contextLength WRITE setContextLength NOTIFY contextLengthChanged)
    Q_PROPERTY(CacheType cacheType READ cacheType WRITE setCacheType NOTIFY cacheTypeChanged)
    Q_PROPERTY(QString device READ device WRITE setDevice NOTIFY deviceChanged)
    Q_PROPERTY(int textSize READ textSize WRITE setTextSize NOTIFY textSizeChanged)

public:
    enum class Theme { System, Light, Dark };
    Q_ENUM(Theme)
    enum class CacheType { F32, F16 };
    Q_ENUM(CacheType)

    static constexpr int kMaxRecentFiles = 10;
    static constexpr int kMaxThreads = 512;
    static constexpr int kMaxContextLength = 1 << 24;
    /// So many files can have a length of their own, and as many a share of the device.
    static constexpr int kMaxContextLengths = 50;
    static constexpr int kMaxDeviceLayers = 1 << 16;
    /// Of one file, and of all together.
    static constexpr int kMaxBookmarks = 200;
    static constexpr int kMaxBookmarksKept = 1000;
    static constexpr int kMaxBookmarkName = 80;
    /// Of all text, in percent.
    static constexpr int kMinTextSize = 60;
    static constexpr int kMaxTextSize = 200;

    /// `directory`: where the file is, for tests; empty: the usual place.
    explicit Settings(const QString& directory = {}, QObject* parent = nullptr);
    /// Writes what is not written yet.
    ~Settings() override;

    [[nodiscard]] QString filePath() const;

    [[nodiscard]] Theme theme() const;
    void setTheme(Theme theme);

    /// Nothing before the first window was closed.
    [[nodiscard]] QRect windowGeometry() const;
    [[nodiscard]] bool isWindowMaximized() const;
    void setWindow(const QRect& geometry, bool maximized);

    /// Newest first, absolute paths, at most ten; files that are missing now are left out.
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);
    void clearRecentFiles();

    /// 0: one a core. Values out of range are moved into it.
    [[nodiscard]] int threads() const;
    void setThreads(int threads);
    /// 0: what the model was trained for, capped by memory.
    [[nodiscard]] int contextLength() const;
    void setContextLength(int length);
    /// The length that was chosen for one file; 0: none, `contextLength` holds.
    [[nodiscard]] int contextLengthOf(const QString& path) const;
    /// 0 forgets it. Where too many are kept, one of a file that is not among the recent ones goes.
    void setContextLengthOf(const QString& path, int length);
    /// How many layers of one file run on the device; nothing: as many as fit.
    [[nodiscard]] std::optional<int> deviceLayersOf(const QString& path) const;
    /// Nothing forgets it; kept as lengths are.
    void setDeviceLayersOf(const QString& path, std::optional<int> layers);
    /// The length is asked for before each load, not only where memory caps it.
    [[nodiscard]] bool askContext() const;
    void setAskContext(bool ask);
    [[nodiscard]] CacheType cacheType() const;
    void setCacheType(CacheType type);

    /// What models run on: "auto", "cpu" or the name of a device (see deviceName).
    [[nodiscard]] QString device() const;
    void setDevice(const QString& device);

    /// 100: as designed. Values out of range are moved into it.
    [[nodiscard]] int textSize() const;
    void setTextSize(int percent);

    /// Where the window was left: what comes back at the next start.
    struct Place
    {
        QString page; ///< "chat", "inspect", "settings"; empty before the first
        QString model; ///< path of the model that was loaded; empty when none was
        qint64 chat = 0; ///< the chat that was open; 0: a new one
        bool sidebar = true; ///< the list of chats is shown
        bool panel = false; ///< the steering panel is shown

        friend bool operator==(const Place&, const Place&) = default;
    };
    [[nodiscard]] const Place& place() const;
    void setPlace(const Place& place);

    /// A place in a file that somebody wants to find again.
    struct Bookmark
    {
        quint64 offset = 0;
        QString name; ///< may be empty

        friend bool operator==(const Bookmark&, const Bookmark&) = default;
    };
    using Bookmarks = QList<Bookmark>;
    /// Of one file, by ascending offset; those past its end too, should it have become shorter.
    [[nodiscard]] Bookmarks bookmarksOf(const QString& path) const;
    /// Sorted, the first of equal offsets kept, cut at kMaxBookmarks. Where too many are kept in
    /// all, those of files that are not among the recent ones go first.
    void setBookmarksOf(const QString& path, const Bookmarks& bookmarks);

    /// threads, context length, cache type, device and layers there for one file, as
    /// InferenceService::load takes them.
    [[nodiscard]] LoadRequest loadRequest(const QString& path) const;

    /// What went wrong with the file, the first time; for a window that connects after the start.
    [[nodiscard]] const std::optional<ErrorMessage>& problem() const;

    /// Writes now and waits for it. False when it failed.
    bool flush();

Q_SIGNALS:
    void themeChanged();
    void recentFilesChanged();
    void threadsChanged();
    /// Of all files or of one.
    void contextLengthChanged();
    void deviceLayersChanged();
    void askContextChanged();
    void cacheTypeChanged();
    void deviceChanged();
    void textSizeChanged();
    /// Once: the file could not be read, was damaged, or cannot be written. Never emitted by the
    /// constructor itself.
    void problemFound(const app::ErrorMessage& problem);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace app
