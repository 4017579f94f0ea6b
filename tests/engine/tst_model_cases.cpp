// The self-test of one model: its ops and its graph cut down, right and spoiled.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/model_cases.h"
#include "engine/backend/selftest.h"
#include "tests/support/device_bench.h"
#include "tests/support/reference_model.h"
#include "tests/support/spoiled_backend.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace engine;
using namespace engine::backend;

class TestModelCases : public QObject
{
    Q_OBJECT

    std::shared_ptr<const model::Model> m_model; // of the current row

    static void models()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : { "llama-gqa-tied", "lfm2", "qwen35", "gpt-oss", "gemma3n" }) {
            QTest::newRow(name) << name;
        }
    }
    static std::vector<OpCheck> checksOf(const Backend& device,
                                         const std::vector<SelfTestCase>& cases)
    {
        const Backend* const only = &device;
        return selfTest({ &only, 1 }, cases, {}).value_or(std::vector<OpCheck>());
    }

private Q_SLOTS:
    void init()
    {
        const auto* row = static_cast<QString*>(QTest::qData("name", qMetaTypeId<QString>()));
        const auto name = row->toStdString();
        if (!tests::hasReference(name)) {
            QSKIP(tests::missing("architectures/" + name).c_str());
        }
        auto loaded = tests::referenceModel(name);
        QVERIFY(loaded.has_value());
        m_model = *loaded;
    }

    void everyOpOfTheModel_data() { models(); }
    void everyOpOfTheModel()
    {
        const auto& graph = m_model->graph();
        std::set<std::string> wanted { "model" };
        for (const auto& node : graph.nodes) {
            wanted.insert(std::string(model::opName(node)));
        }
        wanted.erase("store_kv"); // with attention
        std::set<std::string> names;
        std::set<std::string> whole;
        for (const auto& test : modelCases(graph, scalarBackend())) {
            names.insert(test.op);
            QVERIFY2(whole.insert(test.op + " " + test.type).second, test.type.c_str());
        }
        QVERIFY(names == wanted);
    }

    void theCpuPasses_data() { models(); }
    void theCpuPasses()
    {
        const auto cases = modelCases(m_model->graph(), scalarBackend());
        const auto checks = checksOf(cpuBackend(), cases);
        QCOMPARE(checks.size(), cases.size());
        for (const auto& check : checks) {
            QVERIFY2(
                check.ok,
                (check.name() + ": " + std::to_string(check.maxRel) + " " + check.problem).c_str());
        }
    }

    void faultsAreFound_data() { models(); }
    void faultsAreFound()
    {
        const tests::SpoiledBackend device("linear", [](std::span<float> values) {
            for (auto& value : values) {
                value *= 1.05F;
            }
        });
        const auto checks = checksOf(device, modelCases(m_model->graph(), scalarBackend()));
        const auto first = std::ranges::find(checks, false, &OpCheck::ok);
        QVERIFY(first != checks.end());
        QCOMPARE(first->op, std::string("linear"));
        QVERIFY2(first->type.find(" × ") != std::string::npos, first->type.c_str());
        QVERIFY(!checks.back().ok); // the whole has products too
        QVERIFY(std::ranges::all_of(checks, [](const OpCheck& check) {
            return check.ok || check.op == "linear" || check.op == "model";
        }));
    }

    void aDevicePasses_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("llama-gqa-tied") << "llama-gqa-tied";
    }
    void aDevicePasses()
    {
        NEED_DEVICE();
        const auto cases = modelCases(m_model->graph(), cpuBackend());
        for (const auto& check : checksOf(*tests::testDevice(), cases)) {
            QVERIFY2(
                check.ok,
                (check.name() + ": " + std::to_string(check.maxRel) + " " + check.problem).c_str());
        }
        QVERIFY(tests::testDevice()->complaints().empty());
    }
};

QTEST_GUILESS_MAIN(TestModelCases)
#include "tst_model_cases.moc"
