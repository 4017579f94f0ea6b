// The settings: kept, whole, and never in the way.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/settings.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using app::Settings;

namespace {

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        QVERIFY(m_directory->isValid());
        m_path = m_directory->filePath(QStringLiteral("vitrine"));
        m_file = m_path + QStringLiteral("/settings.json");
    }

    void defaults()
    {
        Settings settings(m_path);
        QCOMPARE(settings.theme(), Settings::Theme::System);
        QCOMPARE(settings.threads(), 0);
        QCOMPARE(settings.contextLength(), 0);
        QCOMPARE(settings.cacheType(), Settings::CacheType::F16);
        QCOMPARE(settings.device(), QStringLiteral("auto"));
        QVERIFY(!settings.windowGeometry().isValid());
        QVERIFY(settings.recentFiles().isEmpty());
        QVERIFY(!settings.problem());
        QVERIFY(settings.flush());
        QVERIFY(!QFile::exists(m_file)); // nothing to say yet
    }

    void usualPlace()
    {
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", m_directory->path().toUtf8());
        {
            Settings settings;
            QCOMPARE(settings.filePath(), m_file);
        }
        before.isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
    }

    void keeps()
    {
        const QString model = m_directory->filePath(QStringLiteral("m.gguf"));
        writeFile(model, "x");
        {
            Settings settings(m_path);
            QSignalSpy themes(&settings, &Settings::themeChanged);
            settings.setTheme(Settings::Theme::Dark);
            settings.setTheme(Settings::Theme::Dark);
            QCOMPARE(themes.size(), 1);
            settings.setThreads(7);
            settings.setContextLength(8192);
            settings.setContextLengthOf(model, 1024);
            settings.setAskContext(true);
            settings.setCacheType(Settings::CacheType::F32);
            settings.setDevice(QStringLiteral("A card #2"));
            settings.setDeviceLayersOf(model, 0);
            settings.setDeviceLayersOf("/other.gguf", 12);
            settings.setDeviceLayersOf("/other.gguf", {});
            settings.setWindow({ 10, -20, 1440, 900 }, true);
            settings.addRecentFile(model);
        } // written at the end
        Settings settings(m_path);
        QCOMPARE(settings.theme(), Settings::Theme::Dark);
        QCOMPARE(settings.threads(), 7);
        QCOMPARE(settings.contextLength(), 8192);
        QCOMPARE(settings.cacheType(), Settings::CacheType::F32);
        QCOMPARE(settings.windowGeometry(), QRect(10, -20, 1440, 900));
        QVERIFY(settings.isWindowMaximized());
        QCOMPARE(settings.recentFiles(), QStringList { model });
        QVERIFY(settings.askContext());
        QCOMPARE(settings.contextLengthOf(model), 1024);
        QCOMPARE(settings.loadRequest(model).contextLength, 1024U);
        QCOMPARE(settings.deviceLayersOf(model), std::optional(0)); // none is a choice too
        QCOMPARE(settings.loadRequest(model).deviceLayers, std::optional(0U));
        QCOMPARE(settings.deviceLayersOf("/other.gguf"), std::nullopt);
        QVERIFY(!settings.loadRequest("/other.gguf").deviceLayers);
        const auto request = settings.loadRequest("/other.gguf");
        QCOMPARE(request.threads, 7);
        QCOMPARE(request.contextLength, 8192U);
        QCOMPARE(request.cacheType, engine::session::CacheType::F32);
        QCOMPARE(request.device, std::string("A card #2"));
    }

    // Those of files that nobody opens any more go first.
    void keepsLengthsOfAFewFiles()
    {
        Settings settings(m_path);
        settings.addRecentFile("/models/kept.gguf");
        settings.setContextLengthOf("/models/kept.gguf", 2048);
        for (int at = 0; at < 2 * Settings::kMaxContextLengths; ++at) {
            settings.setContextLengthOf(QStringLiteral("/models/%1.gguf").arg(at), 512);
        }
        int kept = 0;
        for (int at = 0; at < 2 * Settings::kMaxContextLengths; ++at) {
            kept += settings.contextLengthOf(QStringLiteral("/models/%1.gguf").arg(at)) > 0 ? 1 : 0;
        }
        QCOMPARE(kept, Settings::kMaxContextLengths - 1);
        QCOMPARE(settings.contextLengthOf("/models/kept.gguf"), 2048);
        settings.setContextLengthOf("/models/kept.gguf", 0);
        QCOMPARE(settings.contextLengthOf("/models/kept.gguf"), 0);
    }

    // What comes back at the next start.
    void keepsBookmarks()
    {
        const Settings::Bookmarks tidy { { 4, "version" }, { 1ull << 40, {} } };
        {
            Settings settings(m_path);
            settings.setBookmarksOf("/models/a.gguf",
                                    { { 1ull << 40, {} }, { 4, " version " }, { 4, "again" } });
            QCOMPARE(settings.bookmarksOf("/models/a.gguf"), tidy);
            QVERIFY(settings.bookmarksOf("/models/b.gguf").isEmpty());
        }
        Settings settings(m_path);
        QCOMPARE(settings.bookmarksOf("/models/../models/a.gguf"), tidy);
        settings.setBookmarksOf("/models/a.gguf", {});
        QVERIFY(settings.flush());
        QVERIFY(!readFile(m_file).contains("a.gguf"));
    }

    void keepsNotTooManyBookmarks()
    {
        const auto many = [](int count) {
            Settings::Bookmarks list;
            for (int at = 0; at < count; ++at) {
                list << Settings::Bookmark { static_cast<quint64>(at), QString(200, u'ä') };
            }
            return list;
        };
        {
            Settings settings(m_path);
            for (int file = 0; file < 8; ++file) {
                settings.setBookmarksOf(QStringLiteral("/models/%1.gguf").arg(file), many(300));
            }
            const auto last = settings.bookmarksOf("/models/7.gguf");
            QCOMPARE(last.size(), Settings::kMaxBookmarks);
            QCOMPARE(last.first().name.size(), Settings::kMaxBookmarkName);
            QVERIFY(settings.bookmarksOf("/models/0.gguf").isEmpty());
        }
        Settings settings(m_path); // what was written can be read
        QVERIFY(!settings.problem());
        qsizetype all = 0;
        for (int file = 0; file < 8; ++file) {
            all += settings.bookmarksOf(QStringLiteral("/models/%1.gguf").arg(file)).size();
        }
        QCOMPARE(all, Settings::kMaxBookmarksKept);
    }

    void oddBookmarks()
    {
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file,
                  R"({"bookmarks": {"/a": ["12", "x", "-4", 7, "9 a  b", "", " 3", "5 "],
                      "/b": 3, "/c": []}})");
        const Settings settings(m_path);
        QVERIFY(!settings.problem());
        QCOMPARE(settings.bookmarksOf("/a"),
                 (Settings::Bookmarks { { 5, {} }, { 9, "a b" }, { 12, {} } }));
        QVERIFY(settings.bookmarksOf("/b").isEmpty());
    }

    void keepsThePlace()
    {
        Settings::Place place;
        QVERIFY(place.page.isEmpty() && place.sidebar && !place.panel);
        place.page = "settings";
        place.model = "/models/a.gguf";
        place.chat = 9'007'199'254'740'993; // more than a JSON number holds
        place.sidebar = false;
        place.panel = true;
        {
            Settings settings(m_path);
            QCOMPARE(settings.place(), Settings::Place());
            settings.setPlace(place);
            QCOMPARE(settings.place(), place);
        }
        {
            Settings settings(m_path);
            QCOMPARE(settings.place(), place);
            settings.setPlace({});
        }
        Settings settings(m_path);
        QCOMPARE(settings.place(), Settings::Place());
    }

    void keepsTheTextSize()
    {
        {
            Settings settings(m_path);
            QSignalSpy sizes(&settings, &Settings::textSizeChanged);
            QCOMPARE(settings.textSize(), 100);
            settings.setTextSize(120);
            settings.setTextSize(120);
            QCOMPARE(sizes.size(), 1);
        }
        Settings settings(m_path);
        QCOMPARE(settings.textSize(), 120);
        settings.setTextSize(1);
        QCOMPARE(settings.textSize(), Settings::kMinTextSize);
        settings.setTextSize(1'000'000);
        QCOMPARE(settings.textSize(), Settings::kMaxTextSize);
    }

    void oddPlaces_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("no object") << QByteArray("{\"place\": 7, \"textSize\": \"big\"}");
        QTest::newRow("other types")
            << QByteArray("{\"place\": {\"page\": 1, \"model\": [], \"chat\": 12, \"sidebar\": "
                          "\"no\", \"panel\": null}, \"textSize\": null}");
        QTest::newRow("no number") << QByteArray("{\"place\": {\"chat\": \"1e9x\"}}");
        QTest::newRow("too large")
            << QByteArray("{\"place\": {\"chat\": \"99999999999999999999999\"}}");
    }

    void oddPlaces()
    {
        QFETCH(QByteArray, json);
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file, json);
        Settings settings(m_path);
        QCOMPARE(settings.place(), Settings::Place());
        QCOMPARE(settings.textSize(), 100);
    }

    // A later version may keep more of the place.
    void unknownKeysOfThePlaceStay()
    {
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file, "{\"place\": {\"page\": \"chat\", \"fromTheFuture\": 5}}");
        {
            Settings settings(m_path);
            Settings::Place place = settings.place();
            QCOMPARE(place.page, QString("chat"));
            place.panel = true;
            settings.setPlace(place);
        }
        const auto place = QJsonDocument::fromJson(readFile(m_file)).object()[u"place"].toObject();
        QCOMPARE(place[u"fromTheFuture"].toInt(), 5);
        QVERIFY(place[u"panel"].toBool());
    }

    void writtenSoonAfterAChange()
    {
        Settings settings(m_path);
        settings.setThreads(2);
        QTRY_VERIFY(QFile::exists(m_file));
        QCOMPARE(QJsonDocument::fromJson(readFile(m_file)).object()[u"threads"].toInt(), 2);
    }

    void recentFilesAreTenAndPresent()
    {
        Settings settings(m_path);
        QStringList expected;
        for (int i = 0; i < 12; ++i) {
            const QString file = m_directory->filePath(QStringLiteral("%1.gguf").arg(i));
            writeFile(file, "x");
            settings.addRecentFile(file);
            expected.prepend(file);
        }
        QCOMPARE(settings.recentFiles(), expected.mid(0, 10));
        settings.addRecentFile(expected[4]); // to the front, not twice
        expected.move(4, 0);
        QCOMPARE(settings.recentFiles(), expected.mid(0, 10));
        QVERIFY(QFile::remove(expected[2]));
        expected.removeAt(2);
        QCOMPARE(settings.recentFiles(), expected.mid(0, 9));
        settings.removeRecentFile(expected[0]);
        QCOMPARE(settings.recentFiles(), expected.mid(1, 8));
        settings.clearRecentFiles();
        QVERIFY(settings.recentFiles().isEmpty());
    }

    void rangesHold()
    {
        Settings settings(m_path);
        settings.setThreads(-3);
        QCOMPARE(settings.threads(), 0);
        settings.setThreads(1'000'000);
        QCOMPARE(settings.threads(), Settings::kMaxThreads);
        settings.setContextLength(-1);
        QCOMPARE(settings.contextLength(), 0);
    }

    void damagedFileIsKept_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("cut") << QByteArray("{\"theme\": \"da");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("an array") << QByteArray("[1, 2]");
        QTest::newRow("binary") << QByteArray("\0\xff\xfe\x01", 4);
        QTest::newRow("huge") << QByteArray(2 << 20, ' ');
        QTest::newRow("deep") << QByteArray(500'000, '[');
    }

    void damagedFileIsKept()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file, bytes);
        writeFile(m_file + QStringLiteral(".bak"), "older");
        {
            Settings settings(m_path);
            QSignalSpy problems(&settings, &Settings::problemFound);
            QVERIFY(settings.problem());
            QCOMPARE(settings.problem()->code, QStringLiteral("settings-damaged"));
            QVERIFY(!settings.problem()->what.isEmpty());
            QCOMPARE(settings.problem()->file, m_file);
            QCOMPARE(settings.theme(), Settings::Theme::System);
            settings.setTheme(Settings::Theme::Light);
            QTRY_VERIFY(QFile::exists(m_file));
            QCOMPARE(problems.size(), 1);
        }
        QCOMPARE(readFile(m_file + QStringLiteral(".bak")), bytes);
        Settings settings(m_path);
        QVERIFY(!settings.problem());
        QCOMPARE(settings.theme(), Settings::Theme::Light);
    }

    void oddValuesAreDefaults()
    {
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file,
                  "{\"theme\": 5, \"threads\": \"many\", \"contextLength\": -8, \"cacheType\": "
                  "\"q8\", \"recentFiles\": [1, \"\", null, {\"a\": 1}], \"window\": {\"x\": "
                  "1e300, \"width\": -1}}");
        Settings settings(m_path);
        QVERIFY(!settings.problem());
        QCOMPARE(settings.theme(), Settings::Theme::System);
        QCOMPARE(settings.threads(), 0);
        QCOMPARE(settings.contextLength(), 0);
        QCOMPARE(settings.cacheType(), Settings::CacheType::F16);
        QCOMPARE(settings.device(), QStringLiteral("auto"));
        QVERIFY(!settings.windowGeometry().isValid());
        QVERIFY(settings.recentFiles().isEmpty());
    }

    void unknownKeysStay()
    {
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file, "{\"threads\": 3, \"fromTheFuture\": {\"a\": [1, 2]}}");
        {
            Settings settings(m_path);
            settings.setThreads(4);
        }
        const auto object = QJsonDocument::fromJson(readFile(m_file)).object();
        QCOMPARE(object[u"threads"].toInt(), 4);
        QCOMPARE(object[u"fromTheFuture"].toObject()[u"a"].toArray().size(), 2);
    }

    // Works for root too: a file stands where the directory should be.
    void directoryCannotBeMade()
    {
        writeFile(m_path, "in the way");
        Settings settings(m_path);
        QSignalSpy problems(&settings, &Settings::problemFound);
        settings.setThreads(4);
        QTRY_COMPARE(problems.size(), 1);
        QCOMPARE(problems.first().first().value<app::ErrorMessage>().code,
                 QStringLiteral("settings-not-writable"));
        settings.setThreads(5);
        QVERIFY(!settings.flush());
        QCoreApplication::processEvents();
        QCOMPARE(problems.size(), 1); // said once
        QCOMPARE(settings.threads(), 5); // and it holds until the end
        QCOMPARE(readFile(m_path), QByteArray("in the way"));
    }

    void directoryWithoutWritePermission()
    {
        if (geteuid() == 0) {
            QSKIP("root may write everywhere");
        }
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file, "{\"threads\": 3}");
        QVERIFY(QFile::setPermissions(m_path, QFile::ReadOwner | QFile::ExeOwner));
        {
            Settings settings(m_path);
            QCOMPARE(settings.threads(), 3);
            QSignalSpy problems(&settings, &Settings::problemFound);
            settings.setThreads(4);
            QTRY_COMPARE(problems.size(), 1);
        }
        QVERIFY(
            QFile::setPermissions(m_path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QCOMPARE(readFile(m_file), QByteArray("{\"threads\": 3}"));
    }

    void unreadableFileIsNotReplaced()
    {
        if (geteuid() == 0) {
            QSKIP("root may read everything");
        }
        QVERIFY(QDir().mkpath(m_path));
        writeFile(m_file, "{\"threads\": 3}");
        QVERIFY(QFile::setPermissions(m_file, {}));
        {
            Settings settings(m_path);
            QCOMPARE(settings.problem()->code, QStringLiteral("settings-unreadable"));
            settings.setThreads(4);
            QVERIFY(!settings.flush());
        }
        QVERIFY(QFile::setPermissions(m_file, QFile::ReadOwner));
        QCOMPARE(readFile(m_file), QByteArray("{\"threads\": 3}"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
    QString m_file;
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
