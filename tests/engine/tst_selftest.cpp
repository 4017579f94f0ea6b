// The self-test finds devices that compute wrongly, and passes the CPU's own kernels.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/selftest.h"
#include "engine/backend/selftest_cases.h"
#include "tests/support/spoiled_backend.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace engine;
using namespace engine::backend;
using tests::Spoil;
using tests::SpoiledBackend;

namespace {

std::set<std::string> failedOps(const std::vector<OpCheck>& checks)
{
    std::set<std::string> ops;
    for (const auto& check : checks) {
        if (!check.ok) {
            ops.insert(check.op);
        }
    }
    return ops;
}

/// The CPU, which notes of what types it had to compute products.
class NotingBackend final : public Backend
{
public:
    std::string description() const override { return "noting"; }
    Result<std::unique_ptr<Runner>> prepare(const model::Graph& graph,
                                            const RunnerOptions& options) const override
    {
        for (const auto& node : graph.nodes) {
            if (const auto* product = std::get_if<model::op::Linear>(&node)) {
                m_types.insert(product->targets.front().matrix->type);
            }
        }
        return cpuBackend().prepare(graph, options);
    }
    [[nodiscard]] const std::set<gguf::TensorType>& types() const { return m_types; }

private:
    mutable std::set<gguf::TensorType> m_types; // each is used by one thread
};

template <std::size_t... I>
std::set<std::string> namesOf(std::index_sequence<I...> /*all*/)
{
    return { std::string(model::opName(model::Node(std::in_place_index<I>)))... };
}

} // namespace

Q_DECLARE_METATYPE(Spoil)

class TestSelftest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOpHasACase()
    {
        std::set<std::string> names;
        std::set<std::string> whole;
        for (const auto& test : selfTestCases()) {
            names.insert(test.op);
            QVERIFY2(whole.insert(test.op + " " + test.type).second, test.type.c_str());
            QVERIFY(test.tolerance < 0.1);
            OpGraph graph;
            test.build(graph);
            const bool isThere = std::ranges::any_of(graph.graph.nodes, [&](const auto& node) {
                return model::opName(node) == test.op;
            });
            QVERIFY2(isThere, test.op.c_str());
        }
        QVERIFY(names == namesOf(std::make_index_sequence<std::variant_size_v<model::Node>>()));
    }

    /// Otherwise a difference means nothing.
    void expectationsAreNumbers()
    {
        for (const auto& test : selfTestCases()) {
            OpGraph graph;
            test.build(graph);
            const auto values = graph.compute(scalarBackend(), kSelfTestRows, kSelfTestRows);
            QVERIFY2(values.has_value(), test.op.c_str());
            QVERIFY2(std::ranges::all_of(*values, [](float x) { return std::isfinite(x); }),
                     (test.op + " " + test.type).c_str());
            const auto [least, most] = std::ranges::minmax(*values);
            QVERIFY2(least < most, (test.op + " " + test.type).c_str());
        }
    }

    void theCpuPasses()
    {
        std::vector<double> told;
        const auto checks =
            selfTest(cpuBackend(),
                     { .stop = {}, .progress = [&](double fraction, const std::string& /*op*/) {
                          told.push_back(fraction);
                      } });
        QVERIFY(checks.has_value());
        QCOMPARE(checks->size(), selfTestCases().size());
        for (const auto& check : *checks) {
            QVERIFY2(check.ok, (check.name() + " " + std::to_string(check.maxRel)).c_str());
        }
        QCOMPARE(told.size(), checks->size());
        QVERIFY(std::ranges::is_sorted(told) && told.front() == 0 && told.back() < 1);
    }

    void faultsAreFound_data()
    {
        QTest::addColumn<QString>("op");
        QTest::addColumn<Spoil>("spoil");
        const auto row = [](const char* name, const char* op, Spoil spoil) {
            QTest::newRow(name) << QString(op) << std::move(spoil);
        };
        row("one NaN", "rope", [](std::span<float> values) {
            values[values.size() / 2] = std::numeric_limits<float>::quiet_NaN();
        });
        row("infinity", "activate", [](std::span<float> values) {
            values.back() = std::numeric_limits<float>::infinity();
        });
        row("range of a half", "linear", [](std::span<float> values) {
            for (auto& value : values) {
                value = std::clamp(value, -65504.0F, 65504.0F);
            }
        });
        row("half precision", "rms_norm", [](std::span<float> values) {
            for (auto& value : values) {
                value *= 1.0005F;
            }
        });
        row("last number missing", "copy_pieces",
            [](std::span<float> values) { values.back() += 1.0F; });
        row("driver fails", "gated_delta", nullptr);
    }
    void faultsAreFound()
    {
        QFETCH(QString, op);
        QFETCH(Spoil, spoil);
        const SpoiledBackend device(op.toStdString(), spoil);
        const auto checks = selfTest(device);
        QVERIFY(checks.has_value());
        QVERIFY(failedOps(*checks) == std::set { op.toStdString() });

        const auto first = selfTest(device, { AfterFailure::Stop, {}, {} });
        QVERIFY(first.has_value());
        QVERIFY(!first->back().ok && first->size() < checks->size());
        QCOMPARE(std::ranges::count(*first, false, &OpCheck::ok), 1);
    }

    void isStopped()
    {
        std::stop_source stop;
        int cases = 0;
        const auto checks = selfTest(cpuBackend(),
                                     { AfterFailure::GoOn, stop.get_token(),
                                       [&](double /*fraction*/, const std::string& /*op*/) {
                                           if (++cases == 3) {
                                               stop.request_stop();
                                           }
                                       } });
        QVERIFY(!checks && checks.error().code == ErrorCode::Cancelled);
        QCOMPARE(cases, 3);
    }

    /// Openings that share the work give what one gives.
    void severalOpenings()
    {
        const auto cases = selfTestCases();
        const SpoiledBackend device("rope", [](std::span<float> values) { values.back() += 1.0F; });
        const Backend* const openings[] = { &device, &device, &device };
        for (const auto afterFailure : { AfterFailure::GoOn, AfterFailure::Stop }) {
            const auto one = selfTest(device, { afterFailure, {}, {} });
            const auto shared = selfTest(openings, cases, { afterFailure, {}, {} });
            QVERIFY(one && shared);
            QCOMPARE(shared->size(), one->size());
            for (std::size_t i = 0; i < one->size(); ++i) {
                QVERIFY((*shared)[i].name() == (*one)[i].name());
                QCOMPARE((*shared)[i].ok, (*one)[i].ok);
            }
        }
    }

    /// Each opening makes its own shaders: no type's are made twice.
    void alikeGoTogether()
    {
        const NotingBackend a;
        const NotingBackend b;
        const Backend* const openings[] = { &a, &b };
        QVERIFY(selfTest(openings, selfTestCases(), {}));
        QVERIFY(a.types().size() + b.types().size() > 20);
        for (const auto type : a.types()) {
            QVERIFY2(!b.types().contains(type), gguf::tensorTypeInfo(type).name.data());
        }
    }

    void editionIsStable()
    {
        QVERIFY(!selfTestEdition().empty());
        QCOMPARE(selfTestEdition(), selfTestEdition());
    }
};

QTEST_GUILESS_MAIN(TestSelftest)
#include "tst_selftest.moc"
