#include "app/services/settings_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace app {

namespace {

constexpr qint64 kMaxFileSize = 1 << 20;

const auto kTheme = QStringLiteral("theme");
const auto kWindow = QStringLiteral("window");
const auto kRecentFiles = QStringLiteral("recentFiles");
const auto kThreads = QStringLiteral("threads");
const auto kContextLength = QStringLiteral("contextLength");
const auto kContextLengths = QStringLiteral("contextLengths");
const auto kDeviceLayers = QStringLiteral("deviceLayers");
const auto kAskContext = QStringLiteral("askContext");
const auto kCacheType = QStringLiteral("cacheType");
const auto kDevice = QStringLiteral("device");
const auto kTextSize = QStringLiteral("textSize");
const auto kBookmarks = QStringLiteral("bookmarks");
const auto kPlace = QStringLiteral("place");

constexpr std::array<std::pair<Settings::Theme, const char*>, 3> kThemeNames { {
    { Settings::Theme::System, "system" },
    { Settings::Theme::Light, "light" },
    { Settings::Theme::Dark, "dark" },
} };
constexpr std::array<std::pair<Settings::CacheType, const char*>, 2> kCacheTypeNames { {
    { Settings::CacheType::F32, "f32" },
    { Settings::CacheType::F16, "f16" },
} };

template <typename Names, typename Value>
Value valueNamed(const Names& names, const QJsonValue& name, Value otherwise)
{
    const QString text = name.toString();
    for (const auto& [value, known] : names) {
        if (text == QLatin1String(known)) {
            return value;
        }
    }
    return otherwise;
}

template <typename Names, typename Value>
QString nameOf(const Names& names, Value wanted)
{
    for (const auto& [value, name] : names) {
        if (value == wanted) {
            return QLatin1String(name);
        }
    }
    return {};
}

QRect rectangleFrom(const QJsonObject& window)
{
    const QRect rectangle(window[u"x"].toInt(), window[u"y"].toInt(), window[u"width"].toInt(),
                          window[u"height"].toInt());
    constexpr int kFar = 1 << 16;
    const bool sound = rectangle.width() > 0 && rectangle.height() > 0 && rectangle.width() < kFar
        && rectangle.height() < kFar && std::abs(rectangle.x()) < kFar
        && std::abs(rectangle.y()) < kFar;
    return sound ? rectangle : QRect();
}

Settings::Place placeFrom(const QJsonObject& object)
{
    Settings::Place place;
    place.page = object[u"page"].toString();
    place.model = object[u"model"].toString();
    // As text: a JSON number holds no more than 53 bits.
    place.chat = object[u"chat"].toString().toLongLong();
    place.sidebar = object[u"sidebar"].toBool(place.sidebar);
    place.panel = object[u"panel"].toBool(place.panel);
    return place;
}

/// Numbers of files by their path; what is out of range is left out.
QMap<QString, int> numbersFrom(const QJsonObject& object, int least, int most)
{
    QMap<QString, int> numbers;
    for (auto each = object.begin(); each != object.end(); ++each) {
        const int number = std::min(each->toInt(least - 1), most);
        if (number >= least && numbers.size() < Settings::kMaxContextLengths) {
            numbers.insert(each.key(), number);
        }
    }
    return numbers;
}

QJsonObject numbersToJson(const QMap<QString, int>& numbers)
{
    QJsonObject object;
    for (auto each = numbers.begin(); each != numbers.end(); ++each) {
        object[each.key()] = each.value();
    }
    return object;
}

/// Each is a text: the offset, then the name if it has one ("1024 the first token").
QMap<QString, Settings::Bookmarks> bookmarksFrom(const QJsonObject& object)
{
    QMap<QString, Settings::Bookmarks> all;
    qsizetype room = Settings::kMaxBookmarksKept;
    for (auto each = object.begin(); each != object.end(); ++each) {
        Settings::Bookmarks list;
        for (const QJsonValue value : each->toArray()) {
            const QString text = value.toString();
            const qsizetype end = text.indexOf(u' ');
            bool isNumber = false;
            const quint64 offset = QStringView(text).left(end).toULongLong(&isNumber);
            if (isNumber) {
                list << Settings::Bookmark { offset, end < 0 ? QString() : text.mid(end + 1) };
            }
        }
        list = tidied(list).mid(0, room);
        if (!list.isEmpty()) {
            room -= list.size();
            all.insert(each.key(), list);
        }
    }
    return all;
}

QJsonObject bookmarksToJson(const QMap<QString, Settings::Bookmarks>& all)
{
    QJsonObject object;
    for (auto each = all.begin(); each != all.end(); ++each) {
        QJsonArray list;
        for (const Settings::Bookmark& bookmark : *each) {
            const QString offset = QString::number(bookmark.offset);
            list << (bookmark.name.isEmpty() ? offset : offset + u' ' + bookmark.name);
        }
        object[each.key()] = list;
    }
    return object;
}

} // namespace

QString tidiedDevice(const QString& device)
{
    constexpr qsizetype kLongest = 256; // as Vulkan's names are
    const QString name = device.simplified().left(kLongest);
    return name.isEmpty() ? QStringLiteral("auto") : name;
}

Settings::Bookmarks tidied(Settings::Bookmarks bookmarks)
{
    for (Settings::Bookmark& bookmark : bookmarks) {
        bookmark.name = bookmark.name.simplified().left(Settings::kMaxBookmarkName);
    }
    std::stable_sort(bookmarks.begin(), bookmarks.end(), [](const auto& left, const auto& right) {
        return left.offset < right.offset;
    });
    const auto repeats =
        std::unique(bookmarks.begin(), bookmarks.end(), [](const auto& left, const auto& right) {
            return left.offset == right.offset;
        });
    bookmarks.erase(repeats, bookmarks.end());
    return bookmarks.mid(0, Settings::kMaxBookmarks);
}

SettingsData settingsFromJson(const QJsonObject& object)
{
    SettingsData data;
    data.all = object;
    data.theme = valueNamed(kThemeNames, object[kTheme], data.theme);
    data.cacheType = valueNamed(kCacheTypeNames, object[kCacheType], data.cacheType);
    data.threads = std::clamp(object[kThreads].toInt(), 0, Settings::kMaxThreads);
    data.contextLength = std::clamp(object[kContextLength].toInt(), 0, Settings::kMaxContextLength);
    data.contextLengths =
        numbersFrom(object[kContextLengths].toObject(), 1, Settings::kMaxContextLength);
    data.deviceLayers =
        numbersFrom(object[kDeviceLayers].toObject(), 0, Settings::kMaxDeviceLayers);
    data.askContext = object[kAskContext].toBool();
    data.device = tidiedDevice(object[kDevice].toString());
    data.textSize = std::clamp(object[kTextSize].toInt(data.textSize), Settings::kMinTextSize,
                               Settings::kMaxTextSize);
    data.bookmarks = bookmarksFrom(object[kBookmarks].toObject());
    data.place = placeFrom(object[kPlace].toObject());
    const QJsonObject window = object[kWindow].toObject();
    data.windowGeometry = rectangleFrom(window);
    data.windowMaximized = window[u"maximized"].toBool();
    for (const QJsonValue file : object[kRecentFiles].toArray()) {
        const QString path = file.toString();
        if (!path.isEmpty() && !data.recentFiles.contains(path)
            && data.recentFiles.size() < Settings::kMaxRecentFiles) {
            data.recentFiles << path;
        }
    }
    return data;
}

QByteArray settingsToJson(const SettingsData& data)
{
    QJsonObject object = data.all;
    object[kTheme] = nameOf(kThemeNames, data.theme);
    object[kCacheType] = nameOf(kCacheTypeNames, data.cacheType);
    object[kThreads] = data.threads;
    object[kContextLength] = data.contextLength;
    object[kContextLengths] = numbersToJson(data.contextLengths);
    object[kDeviceLayers] = numbersToJson(data.deviceLayers);
    object[kAskContext] = data.askContext;
    object[kDevice] = data.device;
    object[kTextSize] = data.textSize;
    object[kBookmarks] = bookmarksToJson(data.bookmarks);
    QJsonObject place = object[kPlace].toObject();
    place[u"page"] = data.place.page;
    place[u"model"] = data.place.model;
    place[u"chat"] = QString::number(data.place.chat);
    place[u"sidebar"] = data.place.sidebar;
    place[u"panel"] = data.place.panel;
    object[kPlace] = place;
    object[kRecentFiles] = QJsonArray::fromStringList(data.recentFiles);
    if (data.windowGeometry.isValid()) {
        QJsonObject window = object[kWindow].toObject();
        window[u"x"] = data.windowGeometry.x();
        window[u"y"] = data.windowGeometry.y();
        window[u"width"] = data.windowGeometry.width();
        window[u"height"] = data.windowGeometry.height();
        window[u"maximized"] = data.windowMaximized;
        object[kWindow] = window;
    }
    return QJsonDocument(object).toJson();
}

SettingsRead readSettings(const QString& path)
{
    SettingsRead read;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        // Whether there is a file can't be told where the directory must not be searched; both end
        // here then.
        if (file.exists() || QFileInfo(path).isSymLink()
            || (QFileInfo(QFileInfo(path).path()).isDir()
                && !QFileInfo(QFileInfo(path).path()).isExecutable())) {
            read.outcome = SettingsRead::Outcome::Unreadable;
            read.reason = file.errorString();
        }
        return read;
    }
    const QByteArray bytes = file.size() <= kMaxFileSize ? file.read(kMaxFileSize) : QByteArray();
    file.close();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    if (error.error == QJsonParseError::NoError && document.isObject()) {
        read.data = settingsFromJson(document.object());
        return read;
    }
    // rename replaces an older .bak in one step, which QFile::rename refuses to do.
    const QByteArray from = QFile::encodeName(path);
    const bool moved = std::rename(from.constData(), (from + ".bak").constData()) == 0;
    read.outcome = moved ? SettingsRead::Outcome::Damaged : SettingsRead::Outcome::DamagedInPlace;
    return read;
}

QString writeSettings(const QString& path, const QByteArray& json)
{
    const QString directory = QFileInfo(path).path();
    if (!QDir().mkpath(directory)) {
        return QCoreApplication::translate("Settings", "the directory %1 cannot be made")
            .arg(directory);
    }
    QSaveFile file(path);
    // The commit of Qt 6.4 does not notice that its own last write failed.
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.flush()
        || !file.commit()) {
        return file.errorString();
    }
    return {};
}

} // namespace app
