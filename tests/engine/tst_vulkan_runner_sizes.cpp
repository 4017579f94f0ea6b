// What is planned of a device's memory against what a runner takes there.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/graph_parts.h"
#include "engine/backend/vulkan/vulkan_runner.h"
#include "engine/session/device_plan.h"
#include "tests/support/device_bench.h"
#include "tests/support/own_device.h"
#include "tests/support/reference_model.h"

using namespace engine;
using namespace engine::backend::vulkan;
using tests::OwnDevice;

namespace {

constexpr std::uint32_t kContext = 300;
constexpr double kMargin = 1.1;

backend::RunnerOptions optionsFor(backend::CacheType type)
{
    return { .contextLength = kContext, .batchLength = session::kLongestChunk, .cacheType = type };
}

/// With copies of weights; one that is worked with as a GPU takes other memory.
OwnDevice opened(bool isGpu)
{
    return OwnDevice([isGpu](auto& facts) {
        facts.features.hostImport = false;
        facts.kind = isGpu ? backend::DeviceKind::Discrete : facts.kind;
    });
}

std::uint64_t planned(const OwnDevice& own, const model::Graph& graph,
                      const backend::RunnerOptions& options, std::uint32_t blocks)
{
    return backend::offloadNeeds(graph, options,
                                 memoryLayout(*own.device, graph, options.batchLength))
        .deviceBytes(blocks);
}

std::unique_ptr<backend::Runner> runnerOf(const OwnDevice& own, const model::Graph& graph,
                                          const backend::RunnerOptions& options)
{
    return VulkanRunner::create(own.device, std::make_shared<Pipelines>(own.device), graph, options,
                                std::make_shared<WeightStores>(own.device))
        .value_or(nullptr);
}

} // namespace

class TestVulkanRunnerSizes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void models_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isGpu");
        for (const auto* name : { "llama-gqa-tied", "llama-256-q4_0", "lfm2", "qwen35",
                                  "deepseek2-lite", "gpt-oss", "gemma3" }) {
            for (const bool isGpu : { false, true }) {
                QTest::addRow("%s, %s", name, isGpu ? "GPU" : "software") << name << isGpu;
            }
        }
    }
    void models()
    {
        QFETCH(QString, name);
        QFETCH(bool, isGpu);
        if (!tests::hasReference(name.toStdString())) {
            QSKIP(tests::missing("architectures/" + name.toStdString()).c_str());
        }
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        const auto& graph = (*model)->graph();
        const auto blocks = static_cast<std::uint32_t>(graph.blockStarts.size());
        const auto own = opened(isGpu);
        for (const auto type : { backend::CacheType::F16, backend::CacheType::F32 }) {
            const auto options = optionsFor(type);
            const auto plan = planned(own, graph, options, blocks);
            const auto before = own.device->allocatedBytes();
            const auto runner = runnerOf(own, graph, options);
            QVERIFY(runner);
            const std::vector<text::TokenId> tokens(40, 1);
            QVERIFY(runner->run({ tokens, 0, backend::Outputs::All }, {}));
            QVERIFY(runner->run({ std::span(tokens).first(1), 40, backend::Outputs::Last }, {}));
            const auto taken = own.device->allocatedBytes() - before;
            QVERIFY2(taken <= plan && double(plan) <= kMargin * double(taken),
                     qPrintable(QString("planned %1, took %2").arg(plan).arg(taken)));
        }
    }

    /// The last blocks alone: what goes between them and the CPU is counted.
    void someBlocks_data() { models_data(); }
    void someBlocks()
    {
        QFETCH(QString, name);
        QFETCH(bool, isGpu);
        if (!tests::hasReference(name.toStdString())) {
            QSKIP(tests::missing("architectures/" + name.toStdString()).c_str());
        }
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        const auto& graph = (*model)->graph();
        const auto blocks = static_cast<std::uint32_t>(graph.blockStarts.size());
        const auto own = opened(isGpu);
        const auto options = optionsFor(backend::CacheType::F16);
        for (std::uint32_t count = 1; count < blocks; ++count) {
            const auto plan = planned(own, graph, options, count);
            const auto before = own.device->allocatedBytes();
            const auto parts = backend::splitGraph(
                graph, backend::deviceNodes(graph, count, [](const auto&) { return true; }));
            std::vector<std::unique_ptr<backend::Runner>> runners;
            for (const auto& part : parts) {
                if (!part.onDevice) {
                    continue;
                }
                runners.push_back(runnerOf(own, part.graph, options));
                QVERIFY(runners.back());
                for (const auto slot : part.needs) {
                    const std::vector<float> rows(graph.slotWidths[static_cast<std::size_t>(slot)]
                                                  * 2);
                    QVERIFY(runners.back()->writeSlot(slot, rows));
                }
            }
            const auto taken = own.device->allocatedBytes() - before;
            QVERIFY2(
                taken <= plan,
                qPrintable(QString("%1: planned %2, took %3").arg(count).arg(plan).arg(taken)));
        }
    }
};

QTEST_GUILESS_MAIN(TestVulkanRunnerSizes)
#include "tst_vulkan_runner_sizes.moc"
