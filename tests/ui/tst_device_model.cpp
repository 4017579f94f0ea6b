// The devices as the settings show them, of machines that are invented.
// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/device_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using engine::backend::DeviceFacts;
using engine::backend::DeviceKind;

namespace {

DeviceFacts facts(std::uint32_t index, DeviceKind kind, const char* name)
{
    DeviceFacts out;
    out.index = index;
    out.deviceId = index;
    out.kind = kind;
    out.name = name;
    out.driver = "Mesa 22.3.6";
    out.apiVersion = "1.3.230";
    out.memoryBytes = 8'000'000'000;
    return out;
}

using Listed = engine::Result<std::vector<DeviceFacts>>;

} // namespace

class TestDeviceModel : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;
    std::unique_ptr<app::Settings> m_settings;
    Listed m_listed;

    [[nodiscard]] app::DeviceSource source()
    {
        app::DeviceSource source;
        source.list = [this] { return m_listed; };
        return source;
    }
    static QString text(const DeviceModel& model, int row, int role)
    {
        return model.data(model.index(row), role).toString();
    }
    static bool usable(const DeviceModel& model, int row)
    {
        return model.data(model.index(row), DeviceModel::UsableRole).toBool();
    }
    static bool refresh(DeviceModel& model)
    {
        QSignalSpy changed(&model, &DeviceModel::changed);
        model.refresh();
        return changed.wait(10'000);
    }

private Q_SLOTS:
    void init()
    {
        qputenv("XDG_CACHE_HOME", m_directory.path().toUtf8());
        m_settings = std::make_unique<app::Settings>(m_directory.path());
        m_settings->setDevice(QStringLiteral("auto"));
        m_listed = std::vector<DeviceFacts>();
    }

    void eachRowSaysWhatItIsAndWhy()
    {
        auto old = facts(2, DeviceKind::Integrated, "Old");
        old.unfit = "its driver knows only Vulkan 1.0.2; 1.1 is needed";
        auto software = facts(1, DeviceKind::Software, "llvmpipe");
        software.unified = true;
        m_listed = std::vector { facts(0, DeviceKind::Discrete, "Fast"), software, old };
        DeviceModel model(*m_settings, source());
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 2); // before the drivers answered
        QVERIFY(refresh(model));
        QCOMPARE(model.rowCount(), 5);
        QVERIFY(model.problem().isEmpty());
        QCOMPARE(text(model, 0, DeviceModel::ValueRole), QString("auto"));
        QVERIFY(text(model, 0, DeviceModel::ReasonRole).contains("here Fast"));
        QCOMPARE(text(model, 1, DeviceModel::ValueRole), QString("cpu"));
        QVERIFY(text(model, 1, DeviceModel::FactsRole).startsWith("CPU "));
        QCOMPARE(text(model, 2, DeviceModel::ValueRole), QString("Fast"));
        QVERIFY(text(model, 2, DeviceModel::FactsRole).contains("8.0 GB"));
        QVERIFY(text(model, 2, DeviceModel::FactsRole).contains("driver Mesa 22.3.6"));
        QVERIFY(text(model, 2, DeviceModel::FeaturesRole).contains("Vulkan 1.3.230"));
        QVERIFY(text(model, 2, DeviceModel::ReasonRole).contains("automatic"));
        QVERIFY(text(model, 3, DeviceModel::ReasonRole).contains("only when it is chosen"));
        QVERIFY(text(model, 4, DeviceModel::ReasonRole).contains("1.1 is needed"));
        QVERIFY(usable(model, 0) && usable(model, 1) && usable(model, 2) && usable(model, 3));
        QVERIFY(!usable(model, 4));
    }

    void aDeviceThatComputesWrongly()
    {
        const auto device = facts(0, DeviceKind::Discrete, "Wrong");
        app::DeviceVerdicts().keep(device, { "linear with Q4_0", {} });
        m_listed = std::vector { device };
        DeviceModel model(*m_settings, source());
        QVERIFY(refresh(model));
        QVERIFY(!usable(model, 2));
        QVERIFY(text(model, 2, DeviceModel::ReasonRole).contains("linear with Q4_0"));
        QVERIFY(text(model, 0, DeviceModel::ReasonRole).contains("here the CPU"));
    }

    void aDeviceWithoutOneFeature()
    {
        const auto device = facts(0, DeviceKind::Discrete, "Partly");
        app::DeviceVerdicts().keep(device,
                                   { "", { { "dot", "linear with Q8_0" }, { "matrix", {} } } });
        m_listed = std::vector { device };
        DeviceModel model(*m_settings, source());
        QVERIFY(refresh(model));
        QVERIFY(usable(model, 2));
        const auto reason = text(model, 2, DeviceModel::ReasonRole);
        QVERIFY2(reason.contains("without integer dot products")
                     && reason.contains("linear with Q8_0")
                     && reason.contains("without cooperative matrices, with which it was slower"),
                 qPrintable(reason));
        QVERIFY(text(model, 0, DeviceModel::ReasonRole).contains("here Partly"));
    }

    void aMachineWithoutVulkan()
    {
        m_listed = engine::failure(engine::ErrorCode::NoVulkan, { "no Vulkan loader was found" });
        DeviceModel model(*m_settings, source());
        QVERIFY(model.problem().isEmpty()); // nobody knows yet
        QVERIFY(refresh(model));
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.problem().contains("no Vulkan loader was found"));
        m_listed = std::vector<DeviceFacts>();
        QVERIFY(refresh(model));
        QVERIFY(!model.problem().isEmpty());
    }

    void aChosenDeviceThatIsGone()
    {
        m_settings->setDevice(QStringLiteral("Gone"));
        DeviceModel model(*m_settings, source());
        QVERIFY(refresh(model));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(model, 2, DeviceModel::ValueRole), QString("Gone"));
        QVERIFY(!usable(model, 2));
    }

    /// Drivers may take long: nobody waits for them.
    void slowDrivers()
    {
        app::DeviceSource slow;
        slow.list = [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            return Listed(std::vector { facts(0, DeviceKind::Discrete, "Slow") });
        };
        DeviceModel model(*m_settings, slow);
        QElapsedTimer clock;
        clock.start();
        model.refresh();
        QVERIFY(clock.elapsed() < 150);
        QTRY_COMPARE(model.rowCount(), 3);
    }
};

QTEST_GUILESS_MAIN(TestDeviceModel)
#include "tst_device_model.moc"
