// What of a model a device would hold: for each number of blocks and length of the context, as it
// is when the model is there. SPDX-License-Identifier: Apache-2.0
#include "engine/model/composer.h"
#include "engine/model/tensor_fit.h"
#include "engine/session/context_plan.h"
#include "engine/session/device_plan.h"
#include "tests/support/failing_device.h"
#include "tests/support/reference_model.h"

#include <QTest>

using namespace engine;
using backend::CacheType;
using session::DevicePlan;

namespace {

/// Blocks of 100 bytes and 2 a token.
DevicePlan invented(std::uint64_t budget)
{
    DevicePlan plan;
    plan.weights = { { 100, 100, 100, 150 }, 40, 10 }; // the last one makes logits
    plan.perToken = { { 2, 2, 2, 2 }, 0, 0 };
    plan.budget = budget;
    return plan;
}

} // namespace

class TestDevicePlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytes()
    {
        const auto plan = invented(UINT64_MAX);
        QCOMPARE(plan.blocks(), 4U);
        QCOMPARE(plan.deviceBytes(0, 1000), std::uint64_t(0));
        QCOMPARE(plan.deviceBytes(1, 0), std::uint64_t(160));
        QCOMPARE(plan.deviceBytes(2, 10), std::uint64_t(10 + 150 + 100 + 40));
        QCOMPARE(plan.deviceBytes(4, 0), std::uint64_t(10 + 450 + 40));
        QCOMPARE(plan.cpuBytes(0, 10), std::uint64_t(450 + 40 + 80));
        QCOMPARE(plan.cpuBytes(3, 10), std::uint64_t(100 + 20 + 40));
        QCOMPARE(plan.cpuBytes(4, 10), std::uint64_t(0));
    }

    /// A longer context leaves room for fewer blocks.
    void fitting()
    {
        const auto plan = invented(500);
        QCOMPARE(plan.fitting(0), 4U);
        QCOMPARE(plan.fitting(1), 3U); // the input goes with the first block
        QCOMPARE(plan.fitting(23), 3U);
        QCOMPARE(plan.fitting(24), 2U);
        QCOMPARE(plan.fitting(171), 0U);
        QCOMPARE(plan.fitting(170), 1U);
        QCOMPARE(invented(UINT64_MAX).fitting(1'000'000), 4U);
        QCOMPARE(invented(0).fitting(0), 0U);
    }

    /// Weights that are on the device already need no room again.
    void weightsThere()
    {
        auto plan = invented(100);
        plan.there = { 0, 0, 0, 0, 490 }; // all blocks, as they are
        QCOMPARE(plan.fitting(0), 4U);
        QCOMPARE(plan.fitting(11), 4U); // 100 for the cache and the rest
        QCOMPARE(plan.fitting(12), 0U);
        QVERIFY(plan.fits(4, 11) && !plan.fits(4, 12));
        QVERIFY(!plan.fits(3, 0) && plan.fits(0, 1'000'000));
        QCOMPARE(plan.deviceBytes(4, 11), std::uint64_t(10 + 450 + 40 + 88));
        plan.budget = 10 + 8 * 10'000;
        QCOMPARE(plan.defaultContext(100'000, {}), 10'000U);
        QCOMPARE(plan.defaultContext(100'000, 3), 13'275U); // others are not there
    }

    void defaultContext()
    {
        const auto plan = invented(500 + 8 * 20'000);
        QCOMPARE(plan.defaultContext(100'000, {}), 20'000U);
        QCOMPARE(plan.defaultContext(5'000, {}), 5'000U);
        QCOMPARE(plan.defaultContext(100'000, 2), 40'060U); // fewer blocks, more room
        QCOMPARE(plan.defaultContext(100'000, 0), 100'000U);
        QCOMPARE(plan.defaultContext(100'000, 99), 20'000U);
        QCOMPARE(invented(0).defaultContext(100'000, {}), 8192U);
    }

    /// From the header alone the same numbers as from the model that is loaded.
    void ofAModel_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : { "llama-gqa-tied", "llama-256-q4_k", "lfm2", "qwen35" }) {
            QTest::newRow(name) << name;
        }
    }
    void ofAModel()
    {
        QFETCH(QString, name);
        if (!tests::hasReference(name.toStdString())) {
            QSKIP(tests::missing("architectures/" + name.toStdString()).c_str());
        }
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        tests::DeviceScript script;
        script.memory = 1'000'000;
        const tests::FailingDevice device(script);
        const auto fit = model::fitTensors((*model)->file(), (*model)->hparams());
        QVERIFY(fit.errors.empty());
        const auto plan = session::planDevice(fit.composition->graph, CacheType::F16, device);
        QCOMPARE(plan.budget, std::uint64_t(1'000'000));
        QVERIFY(backend::typesWithoutShader(fit.composition->graph).empty());
        const auto running = session::runningBlocks(fit.composition->graph, device);
        QCOMPARE(running.size(), std::size_t(plan.blocks()) + 1);
        for (const std::uint32_t context : { 1U, 77U, 4096U }) {
            const backend::RunnerOptions options { .contextLength = context,
                                                   .batchLength = session::kLongestChunk };
            const auto needs =
                backend::offloadNeeds((*model)->graph(), options, session::kLongestChunk);
            for (std::uint32_t count = 0; count <= plan.blocks(); ++count) {
                QCOMPARE(plan.deviceBytes(count, context), needs.deviceBytes(count));
                QCOMPARE(running[count], count);
            }
            QCOMPARE(plan.fitting(context), device.deviceBlocks((*model)->graph(), options));
        }
    }
};

QTEST_GUILESS_MAIN(TestDevicePlan)
#include "tst_device_plan.moc"
