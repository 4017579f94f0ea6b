// Verdicts of self-tests: kept, found again, gone with the driver, damaged files.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/device_verdicts.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using app::DeviceVerdicts;
using engine::backend::DeviceFacts;
using engine::backend::DeviceVerdict;

namespace {

DeviceFacts device(std::uint32_t id, std::uint32_t driver = 1)
{
    DeviceFacts facts;
    facts.deviceId = id;
    facts.driverVersion = driver;
    return facts;
}

} // namespace

class TestDeviceVerdicts : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(QString(name) + "/devices.json").toStdString();
    }

private Q_SLOTS:
    void keepsThem()
    {
        const auto file = path("kept");
        const DeviceVerdict passed;
        const DeviceVerdict wrong { "linear with Q4_0", {} };
        const DeviceVerdict partly { "",
                                     { { "dot", "linear with Q8_0" }, { "subgroups", "rope" } } };
        DeviceVerdicts first(file);
        QVERIFY(!first.find(device(1)));
        first.keep(device(1), passed);
        first.keep(device(2), wrong);
        first.keep(device(4), partly);
        for (const auto& verdicts : { first, DeviceVerdicts(file) }) {
            QVERIFY(verdicts.find(device(1)) == passed);
            QVERIFY(verdicts.find(device(2)) == wrong);
            QVERIFY(verdicts.find(device(4)) == partly);
            QVERIFY(!verdicts.find(device(3)));
            QVERIFY(!verdicts.find(device(1, 2))); // another driver: another test
        }
        std::vector devices { device(1), device(2), device(3), device(4) };
        first.applyTo(devices);
        QCOMPARE(devices[0].distrusted, std::string());
        QCOMPARE(devices[1].distrusted, std::string("linear with Q4_0"));
        QCOMPARE(devices[2].distrusted, std::string());
        QCOMPARE(devices[3].distrusted, std::string());
        QVERIFY(devices[3].leftOut == partly.leftOut && devices[1].leftOut.empty());
        first.keep(device(2), passed); // now
        first.applyTo(devices);
        QCOMPARE(devices[1].distrusted, std::string());
        QCOMPARE(QDir(QString::fromStdString(file.parent_path().string())).entryList(QDir::Files),
                 QStringList { "devices.json" });
    }

    void twoProcesses()
    {
        const auto file = path("two");
        DeviceVerdicts one(file);
        DeviceVerdicts other(file);
        one.keep(device(1), { "rope", {} });
        other.keep(device(2), {});
        const DeviceVerdicts later(file);
        QVERIFY(later.find(device(1)) && later.find(device(2)));
    }

    void otherFilesCountAsNone_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{\"edition\": ");
        QTest::newRow("a list") << QByteArray("[1, 2]");
        QTest::newRow("another edition")
            << QByteArray(R"({"edition":"0","devices":{"00000000-00000001-00000001-)"
                          R"(00000000000000000000000000000000":"rope"}})");
        QTest::newRow("no table") << QByteArray(R"({"edition":"0","devices":7})");
        const auto ours = [](const char* verdict) {
            return QByteArray("{\"edition\":\"")
                + QByteArray::fromStdString(engine::backend::selfTestEdition())
                + "\",\"devices\":{\""
                + QByteArray::fromStdString(engine::backend::deviceIdentity(device(1)))
                + "\":" + verdict + "}}";
        };
        QTest::newRow("a bare text") << ours("\"rope\"");
        QTest::newRow("nothing left out") << ours(R"({"failed":"rope"})");
        QTest::newRow("a number left out") << ours(R"({"failed":"","left_out":[3]})");
        QTest::newRow("half an entry") << ours(R"({"failed":"","left_out":[{"feature":"dot"}]})");
        QTest::newRow("bytes") << QByteArray("\xFF\xFE\0\1", 4);
    }
    void otherFilesCountAsNone()
    {
        QFETCH(QByteArray, bytes);
        const auto file = path(QTest::currentDataTag());
        std::filesystem::create_directories(file.parent_path());
        QFile out(QString::fromStdString(file.string()));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
        out.close();
        DeviceVerdicts verdicts(file);
        QVERIFY(!verdicts.find(device(1)));
        verdicts.keep(device(1), { "rope", {} });
        QVERIFY(DeviceVerdicts(file).find(device(1)) == DeviceVerdict({ "rope", {} }));
    }

    void holdsWithoutAFile()
    {
        DeviceVerdicts verdicts("/proc/nowhere/devices.json");
        verdicts.keep(device(1), { "rope", {} });
        QVERIFY(verdicts.find(device(1)) == DeviceVerdict({ "rope", {} }));
    }

    void liesInTheCacheFolder()
    {
        qputenv("XDG_CACHE_HOME", "/somewhere/cache");
        QCOMPARE(app::cacheFolder(), std::filesystem::path("/somewhere/cache/vitrine"));
        qputenv("XDG_CACHE_HOME", "relative"); // the specification: ignored
        qputenv("HOME", "/somewhere");
        QCOMPARE(app::cacheFolder(), std::filesystem::path("/somewhere/.cache/vitrine"));
        qunsetenv("XDG_CACHE_HOME");
    }
};

QTEST_GUILESS_MAIN(TestDeviceVerdicts)
#include "tst_device_verdicts.moc"
