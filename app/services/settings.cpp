#include "app/services/settings.h"

#include "app/services/mailbox.h"
#include "app/services/settings_file.h"
#include "app/services/task_thread.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <future>
#include <utility>

namespace app {

namespace {

constexpr int kWriteDelayMs = 300;

QString usualDirectory()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
        + QStringLiteral("/vitrine");
}

ErrorMessage problemWith(const QString& path, const char* code)
{
    ErrorMessage message;
    message.code = QLatin1String(code);
    message.file = path;
    message.where = path;
    return message;
}

ErrorMessage readProblem(const QString& path, const SettingsRead& read)
{
    using Outcome = SettingsRead::Outcome;
    if (read.outcome == Outcome::Unreadable) {
        ErrorMessage message = problemWith(path, "settings-unreadable");
        message.what = Settings::tr("The settings cannot be read (%1); the usual ones are in use.")
                           .arg(read.reason);
        message.remedy =
            Settings::tr("Check the permissions. Nothing is written there until then.");
        return message;
    }
    ErrorMessage message = problemWith(path, "settings-damaged");
    message.what = Settings::tr("The settings file is damaged; the usual settings are in use.");
    message.remedy = read.outcome == Outcome::Damaged
        ? Settings::tr("The damaged file is kept beside it with the ending .bak.")
        : Settings::tr("It could not be moved aside, so it is left as it is. Check the permissions "
                       "of its directory.");
    return message;
}

ErrorMessage writeProblem(const QString& path, const QString& reason)
{
    ErrorMessage message = problemWith(path, "settings-not-writable");
    message.what = Settings::tr("The settings cannot be written (%1). They hold until Vitrine is "
                                "closed.")
                       .arg(reason);
    message.remedy = Settings::tr("Check the free space and the permissions of the directory.");
    return message;
}

} // namespace

struct Settings::Impl
{
    Settings* settings;
    QString path;
    SettingsData data;
    std::optional<ErrorMessage> problem;
    bool mayWrite = true; ///< false: what is there could not be read and must not be lost
    bool unwritten = false;
    std::shared_future<bool> written; ///< the latest write; false: it failed
    QTimer writeSoon;
    Mailbox mailbox;
    TaskThread writer { "vitrine-settings", TaskPriority::Normal }; // last: joined first

    void report(ErrorMessage message)
    {
        if (!problem) {
            problem = std::move(message);
            Q_EMIT settings->problemFound(*problem);
        }
    }

    void changed()
    {
        unwritten = true;
        writeSoon.start();
    }

    // The bytes are made here, so that the writing thread shares nothing with this one.
    void write()
    {
        unwritten = false;
        writeSoon.stop();
        auto promise = std::make_shared<std::promise<bool>>();
        written = promise->get_future();
        writer.post(
            [this, promise, target = path, json = settingsToJson(data), sender = mailbox.sender()] {
                const QString reason = writeSettings(target, json);
                if (!reason.isEmpty()) {
                    sender.post([this, target, reason] { report(writeProblem(target, reason)); });
                }
                promise->set_value(reason.isEmpty());
            });
    }

    /// `numbers` with another one for a file, or none. Where there are too many, one of a file that
    /// is not among the recent ones goes.
    [[nodiscard]] QMap<QString, int> with(QMap<QString, int> numbers, const QString& file,
                                          std::optional<int> number) const
    {
        numbers.remove(file);
        if (number) {
            const auto forgotten =
                std::find_if(numbers.keyBegin(), numbers.keyEnd(), [this](const QString& other) {
                    return !data.recentFiles.contains(other);
                });
            if (numbers.size() >= kMaxContextLengths && forgotten != numbers.keyEnd()) {
                numbers.remove(QString(*forgotten));
            }
            numbers.insert(file, *number);
        }
        return numbers;
    }

    template <typename T>
    bool assign(T& member, const T& value)
    {
        if (member == value) {
            return false;
        }
        member = value;
        changed();
        return true;
    }
};

Settings::Settings(const QString& directory, QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>())
{
    m_impl->settings = this;
    m_impl->path =
        (directory.isEmpty() ? usualDirectory() : directory) + QStringLiteral("/settings.json");
    m_impl->writeSoon.setSingleShot(true);
    m_impl->writeSoon.setInterval(kWriteDelayMs);
    connect(&m_impl->writeSoon, &QTimer::timeout, this, [this] {
        if (m_impl->mayWrite) {
            m_impl->write();
        }
    });

    auto read = readSettings(m_impl->path);
    m_impl->data = std::move(read.data);
    using Outcome = SettingsRead::Outcome;
    m_impl->mayWrite = read.outcome == Outcome::Fine || read.outcome == Outcome::Damaged;
    if (read.outcome != Outcome::Fine) {
        m_impl->problem = readProblem(m_impl->path, read);
        QTimer::singleShot(0, this, [this] { Q_EMIT problemFound(*m_impl->problem); });
    }
}

Settings::~Settings()
{
    flush();
}

bool Settings::flush()
{
    if (!m_impl->mayWrite) {
        return false;
    }
    if (m_impl->unwritten) {
        m_impl->write();
    }
    return !m_impl->written.valid() || m_impl->written.get();
}

QString Settings::filePath() const
{
    return m_impl->path;
}

Settings::Theme Settings::theme() const
{
    return m_impl->data.theme;
}

void Settings::setTheme(Theme theme)
{
    if (m_impl->assign(m_impl->data.theme, theme)) {
        Q_EMIT themeChanged();
    }
}

QRect Settings::windowGeometry() const
{
    return m_impl->data.windowGeometry;
}

bool Settings::isWindowMaximized() const
{
    return m_impl->data.windowMaximized;
}

void Settings::setWindow(const QRect& geometry, bool maximized)
{
    m_impl->assign(m_impl->data.windowGeometry, geometry);
    m_impl->assign(m_impl->data.windowMaximized, maximized);
}

QStringList Settings::recentFiles() const
{
    QStringList present;
    std::copy_if(m_impl->data.recentFiles.cbegin(), m_impl->data.recentFiles.cend(),
                 std::back_inserter(present),
                 [](const QString& path) { return QFileInfo(path).isFile(); });
    return present;
}

void Settings::addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = m_impl->data.recentFiles;
    files.removeAll(absolute);
    files.prepend(absolute);
    files = files.mid(0, kMaxRecentFiles);
    if (m_impl->assign(m_impl->data.recentFiles, files)) {
        Q_EMIT recentFilesChanged();
    }
}

void Settings::removeRecentFile(const QString& path)
{
    QStringList files = m_impl->data.recentFiles;
    files.removeAll(path);
    if (m_impl->assign(m_impl->data.recentFiles, files)) {
        Q_EMIT recentFilesChanged();
    }
}

void Settings::clearRecentFiles()
{
    if (m_impl->assign(m_impl->data.recentFiles, QStringList())) {
        Q_EMIT recentFilesChanged();
    }
}

int Settings::threads() const
{
    return m_impl->data.threads;
}

void Settings::setThreads(int threads)
{
    if (m_impl->assign(m_impl->data.threads, std::clamp(threads, 0, kMaxThreads))) {
        Q_EMIT threadsChanged();
    }
}

int Settings::contextLength() const
{
    return m_impl->data.contextLength;
}

void Settings::setContextLength(int length)
{
    if (m_impl->assign(m_impl->data.contextLength, std::clamp(length, 0, kMaxContextLength))) {
        Q_EMIT contextLengthChanged();
    }
}

int Settings::contextLengthOf(const QString& path) const
{
    return m_impl->data.contextLengths.value(QFileInfo(path).absoluteFilePath());
}

void Settings::setContextLengthOf(const QString& path, int length)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const auto kept =
        length > 0 ? std::optional(std::min(length, kMaxContextLength)) : std::nullopt;
    if (m_impl->assign(m_impl->data.contextLengths,
                       m_impl->with(m_impl->data.contextLengths, absolute, kept))) {
        Q_EMIT contextLengthChanged();
    }
}

std::optional<int> Settings::deviceLayersOf(const QString& path) const
{
    const auto& kept = m_impl->data.deviceLayers;
    const auto found = kept.find(QFileInfo(path).absoluteFilePath());
    return found != kept.end() ? std::optional(*found) : std::nullopt;
}

void Settings::setDeviceLayersOf(const QString& path, std::optional<int> layers)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (layers) {
        layers = std::clamp(*layers, 0, kMaxDeviceLayers);
    }
    if (m_impl->assign(m_impl->data.deviceLayers,
                       m_impl->with(m_impl->data.deviceLayers, absolute, layers))) {
        Q_EMIT deviceLayersChanged();
    }
}

bool Settings::askContext() const
{
    return m_impl->data.askContext;
}

void Settings::setAskContext(bool ask)
{
    if (m_impl->assign(m_impl->data.askContext, ask)) {
        Q_EMIT askContextChanged();
    }
}

Settings::CacheType Settings::cacheType() const
{
    return m_impl->data.cacheType;
}

void Settings::setCacheType(CacheType type)
{
    if (m_impl->assign(m_impl->data.cacheType, type)) {
        Q_EMIT cacheTypeChanged();
    }
}

QString Settings::device() const
{
    return m_impl->data.device;
}

void Settings::setDevice(const QString& device)
{
    if (m_impl->assign(m_impl->data.device, tidiedDevice(device))) {
        Q_EMIT deviceChanged();
    }
}

int Settings::textSize() const
{
    return m_impl->data.textSize;
}

void Settings::setTextSize(int percent)
{
    if (m_impl->assign(m_impl->data.textSize, std::clamp(percent, kMinTextSize, kMaxTextSize))) {
        Q_EMIT textSizeChanged();
    }
}

const Settings::Place& Settings::place() const
{
    return m_impl->data.place;
}

void Settings::setPlace(const Place& place)
{
    m_impl->assign(m_impl->data.place, place);
}

Settings::Bookmarks Settings::bookmarksOf(const QString& path) const
{
    return m_impl->data.bookmarks.value(QFileInfo(path).absoluteFilePath());
}

void Settings::setBookmarksOf(const QString& path, const Bookmarks& bookmarks)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QMap<QString, Bookmarks> all = m_impl->data.bookmarks;
    all.remove(absolute);
    const Bookmarks own = tidied(bookmarks);
    qsizetype kept = own.size();
    for (const Bookmarks& each : std::as_const(all)) {
        kept += each.size();
    }
    while (kept > kMaxBookmarksKept && !all.isEmpty()) {
        const auto old = std::find_if(all.keyBegin(), all.keyEnd(), [this](const QString& other) {
            return !m_impl->data.recentFiles.contains(other);
        });
        const QString forgotten = old != all.keyEnd() ? *old : all.firstKey();
        kept -= all.take(forgotten).size();
    }
    if (!own.isEmpty()) {
        all.insert(absolute, own);
    }
    m_impl->assign(m_impl->data.bookmarks, all);
}

LoadRequest Settings::loadRequest(const QString& path) const
{
    LoadRequest request;
    request.threads = threads();
    const int own = contextLengthOf(path);
    request.contextLength = static_cast<std::uint32_t>(own > 0 ? own : contextLength());
    request.cacheType = cacheType() == CacheType::F32 ? engine::session::CacheType::F32
                                                      : engine::session::CacheType::F16;
    request.device = device().toStdString();
    if (const auto layers = deviceLayersOf(path)) {
        request.deviceLayers = static_cast<std::uint32_t>(*layers);
    }
    return request;
}

const std::optional<ErrorMessage>& Settings::problem() const
{
    return m_impl->problem;
}

} // namespace app
