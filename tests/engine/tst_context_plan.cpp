// How long a context can be, on machines with much and little memory.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tensor_fit.h"
#include "engine/session/context_plan.h"
#include "engine/session/memory.h"
#include "engine/session/session.h"
#include "tests/support/conformance.h"

#include <QTest>

#include <limits>

using namespace engine;
using backend::CacheType;
using session::planContext;

class TestContextPlan : public QObject
{
    Q_OBJECT

    const model::KvGeometry kSmall = model::uniformKv(4, { 2, 64, 32 }); // 768 numbers a token

private Q_SLOTS:
    void plenty()
    {
        const auto plan = planContext(kSmall, 8192, CacheType::F16, 1'000'000'000);
        QCOMPARE(plan.bytesPerToken, std::uint64_t { 1536 });
        QCOMPARE(planContext(kSmall, 8192, CacheType::F32, 0).bytesPerToken,
                 std::uint64_t { 3072 });
        QCOMPARE(plan.trainedLength, 8192U);
        QCOMPARE(plan.defaultLength, 8192U);
        QVERIFY(!plan.capped());
        QVERIFY(plan.largestLength > 600'000 && plan.largestLength <= 1'000'000'000 / 1536);
    }

    void scarce()
    {
        const auto plan = planContext(kSmall, 8192, CacheType::F16, 1536 * 2000);
        QCOMPARE(plan.defaultLength, 1000U);
        QVERIFY(plan.capped());
        QCOMPARE(plan.largestLength, 2000U);
        // A question fits on every machine, unless the model itself takes none that long.
        const auto least = planContext(kSmall, 8192, CacheType::F16, 0);
        QCOMPARE(least.defaultLength, 256U);
        QCOMPARE(least.largestLength, 256U);
        QCOMPARE(planContext(kSmall, 100, CacheType::F16, 0).defaultLength, 100U);
    }

    // Recurrent states take their part first.
    void statesBesides()
    {
        const auto plan = planContext(kSmall, 8192, CacheType::F16, 1536 * 3000, 1536 * 1000);
        QCOMPARE(plan.defaultLength, 1000U);
        QCOMPARE(plan.largestLength, 2000U);
        QCOMPARE(plan.availableMemory, std::uint64_t { 1536 * 3000 });
        const auto none = planContext(kSmall, 8192, CacheType::F16, 1536 * 3000, 1ULL << 60);
        QCOMPARE(none.largestLength, 256U);
    }

    void numbersOutOfDamagedFiles()
    {
        constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
        const auto none = planContext({}, kMost, CacheType::F32, 1ULL << 60);
        QCOMPARE(none.bytesPerToken, std::uint64_t { 1 });
        QCOMPARE(none.largestLength, kMost);
        const auto wide =
            planContext(model::uniformKv(1, { 1, kMost, kMost }), 8192, CacheType::F32, 1ULL << 60);
        QCOMPARE(wide.bytesPerToken, std::uint64_t { kMost } * 8);
    }

    // What is planned from the header is what a session takes.
    void agreesWithTheSession()
    {
        const auto architectures = tests::conformanceDir("architectures");
        if (!architectures) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto model =
            model::Model::load((*architectures / "llama-gqa-tied" / "model.gguf").string());
        QVERIFY(model);
        const auto& hparams = (*model)->hparams();
        const auto geometry = model::fitTensors((*model)->file(), hparams).kv;
        QVERIFY(geometry == (*model)->graph().kv);
        const auto plan = planContext(geometry, hparams.contextLength, CacheType::F16,
                                      session::availableMemory());
        const auto made = session::Session::create(*model);
        QVERIFY(made);
        QCOMPARE((*made)->contextLength(), plan.defaultLength);
    }

    void onADevice()
    {
        constexpr std::uint64_t giga = 1'000'000'000;
        // all fits
        QCOMPARE(session::contextOnDevice(131'072, 5 * giga, 131'072, 24 * giga), 131'072U);
        QCOMPARE(session::contextOnDevice(131'072, 5 * giga, 131'072, UINT64_MAX), 131'072U);
        QCOMPARE(session::contextOnDevice(4096, 5 * giga, 0, giga), 4096U);
        // shortened, so that the weights fit beside it
        QCOMPARE(session::contextOnDevice(131'072, 5 * giga, 100'000, 8 * giga), 30'000U);
        // too little for a conversation: blocks will be left out instead
        QCOMPARE(session::contextOnDevice(131'072, 5 * giga, 100'000, 5 * giga + 1000), 8192U);
        QCOMPARE(session::contextOnDevice(131'072, 5 * giga, 100'000, giga), 8192U);
        QCOMPARE(session::contextOnDevice(2048, 5 * giga, 100'000, giga), 2048U);
    }
};

QTEST_APPLESS_MAIN(TestContextPlan)
#include "tst_context_plan.moc"
