// How weights come into a device's memory, and who shares them there.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/staging.h"
#include "engine/backend/vulkan/vulkan_runner.h"
#include "tests/support/device_bench.h"
#include "tests/support/own_device.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

using namespace engine;
using namespace engine::backend::vulkan;
using namespace tests;

namespace {

constexpr std::size_t kMiB = std::size_t(1) << 20;

std::vector<std::byte> pattern(std::size_t size)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>(i * 31 + (i >> 8U) * 7 + (i >> 16U));
    }
    return bytes;
}

/// Whose memory the CPU can't reach: weights go through staging buffers.
OwnDevice apartDevice()
{
    return OwnDevice([](auto& facts) {
        facts.unified = false;
        facts.features.hostImport = false;
    });
}

/// The contents of a device's buffer.
std::vector<std::byte> contents(const std::shared_ptr<Device>& device, const Range& range)
{
    auto copy = Buffer::create(device, range.bytes, BufferUse::Readback);
    Pipelines pipelines(device);
    Views views(device);
    Recorder recorder(device, pipelines, views);
    recorder.copy(range, { copy->get(), 0, range.bytes });
    const auto program = recorder.finish();
    if (!program || !device->submit((*program)->parts())) {
        return {};
    }
    const auto mapped = (*copy)->mapped();
    return { mapped.begin(), mapped.end() };
}

/// A graph with one table of several pieces, each larger than a staging buffer, and a vector.
struct LargeGraph
{
    explicit LargeGraph(std::size_t rows = 28 * kMiB / (kWidth * sizeof(float)))
        : bytes(pattern(rows * kWidth * sizeof(float)))
    {
        // no NaN among the numbers
        for (std::size_t i = 3; i < bytes.size(); i += 4) {
            bytes[i] = std::byte { 0x3F };
        }
        const auto* table =
            bench.matrix({ gguf::TensorType::F32, kWidth, rows, kWidth * sizeof(float), bytes });
        const auto slot = bench.slot(kWidth);
        const auto out = bench.slot(kWidth);
        bench.add(model::op::Embed { table, slot });
        bench.add(model::op::RmsNorm { slot, bench.vector(randomFloats(kWidth, 3)), 1e-5F, out });
        bench.show(out);
        bench.options.contextLength = 8;
    }

    static constexpr std::uint32_t kWidth = 1021;
    std::vector<std::byte> bytes;
    DeviceBench bench;
};

Result<std::unique_ptr<backend::Runner>> prepare(const std::shared_ptr<Device>& device,
                                                 const DeviceBench& bench,
                                                 const std::shared_ptr<WeightStores>& stores)
{
    return VulkanRunner::create(device, std::make_shared<Pipelines>(device), bench.graph,
                                bench.options, stores);
}

std::vector<float> logits(backend::Runner& runner)
{
    const std::vector<text::TokenId> tokens { 0, 1, 2, 3 };
    if (!runner.run({ tokens, 0, backend::Outputs::All }, {})) {
        return {};
    }
    return { runner.logits().begin(), runner.logits().end() };
}

} // namespace

class TestVulkanWeights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    /// More than the whole ring, in pieces of all sizes.
    void staging()
    {
        const auto own = apartDevice();
        const auto bytes = pattern(40 * kMiB + 12);
        auto target = Buffer::create(own.device, bytes.size() + 4, BufferUse::Device);
        QVERIFY(target && (*target)->mapped().empty());
        {
            Staging staging(own.device, {});
            std::size_t done = 0;
            for (const std::size_t size : { std::size_t(4), std::size_t(100), Staging::kBytes + 8,
                                            std::size_t(12), Staging::kBytes * 3, bytes.size() }) {
                const auto part =
                    std::span(bytes).subspan(done, std::min(size, bytes.size() - done));
                QVERIFY(staging.write({ target->get(), done, part.size() }, part));
                done += part.size();
            }
            QCOMPARE(done, bytes.size());
            QVERIFY(staging.finish());
            QVERIFY(contents(own.device, { target->get(), 0, bytes.size() }) == bytes);
            // and again: the ring starts anew
            QVERIFY(staging.write({ target->get(), 0, 8 }, std::span(bytes).subspan(64, 8)));
            QVERIFY(staging.finish());
        }
        const auto begin = contents(own.device, { target->get(), 0, 8 });
        QVERIFY(std::equal(begin.begin(), begin.end(), bytes.begin() + 64));
        QVERIFY(own.instance->validationMessages().empty());
    }

    /// Given up with copies on their way: nothing is left, and nothing complains.
    void cancelled()
    {
        const LargeGraph graph;
        const auto own = apartDevice();
        for (const int calls : { 0, 1, 3 }) {
            std::stop_source stop;
            if (calls == 0) {
                stop.request_stop();
            }
            double told = 0;
            int left = calls;
            const auto store = WeightStore::create(own.device, weightSpans(graph.bench.graph.nodes),
                                                   stop.get_token(), [&](double f) {
                                                       QVERIFY(f > told && f <= 1);
                                                       told = f;
                                                       if (--left == 0) {
                                                           stop.request_stop();
                                                       }
                                                   });
            QVERIFY(!store && store.error().code == ErrorCode::Cancelled);
            QVERIFY(told < 1);
            QCOMPARE(own.device->allocatedBytes(), std::uint64_t(0));
        }
        QVERIFY(own.instance->validationMessages().empty());
    }

    void faults()
    {
        const LargeGraph graph;
        const auto own = apartDevice();
        int failed = 0;
        for (int n = 0; n < 20; ++n) {
            own.device->faults.failAllocation = n;
            const auto store =
                WeightStore::create(own.device, weightSpans(graph.bench.graph.nodes), {}, {});
            const bool reached = own.device->faults.failAllocation < 0;
            own.device->faults.failAllocation = -1;
            QCOMPARE(store.has_value(), !reached);
            if (store) {
                break;
            }
            ++failed;
            QVERIFY(store.error().code == ErrorCode::DeviceOutOfMemory);
            QCOMPARE(own.device->allocatedBytes(), std::uint64_t(0));
        }
        QCOMPARE(failed, 5); // vectors, matrices, three staging buffers
        for (int n = 0; n < 4; ++n) { // submissions
            const auto lost = apartDevice();
            lost.device->faults.loseAfter = n;
            const auto store =
                WeightStore::create(lost.device, weightSpans(graph.bench.graph.nodes), {}, {});
            QVERIFY(!store && store.error().code == ErrorCode::DeviceLost);
            QCOMPARE(lost.device->allocatedBytes(), std::uint64_t(0));
        }
        QVERIFY(own.instance->validationMessages().empty());
    }

    void shared_data()
    {
        QTest::addColumn<bool>("unified");
        QTest::newRow("where the CPU reaches it") << true;
        QTest::newRow("staged") << false;
    }
    /// One copy for all runners of a graph, for as long as one of them is there.
    void shared()
    {
        QFETCH(bool, unified);
        const LargeGraph graph;
        const OwnDevice own([&](auto& facts) {
            facts.unified &= unified;
            facts.features.hostImport = false;
        });
        const auto stores = std::make_shared<WeightStores>(own.device);
        auto first = prepare(own.device, graph.bench, stores);
        QVERIFY(first);
        const auto once = own.device->allocatedBytes();
        QVERIFY(once >= graph.bytes.size());
        const auto expected = logits(**first);
        QCOMPARE(expected.size(), std::size_t(4) * LargeGraph::kWidth);
        auto second = prepare(own.device, graph.bench, stores);
        QVERIFY(second);
        QVERIFY(own.device->allocatedBytes() - once < graph.bytes.size() / 2);
        QVERIFY(logits(**second) == expected);
        first->reset();
        QVERIFY(logits(**second) == expected);
        QVERIFY(own.device->allocatedBytes() >= graph.bytes.size());
        second->reset();
        QCOMPARE(own.device->allocatedBytes(), std::uint64_t(0));

        // another graph, even of the same numbers, has its own
        const LargeGraph other;
        auto third = prepare(own.device, graph.bench, stores);
        auto fourth = prepare(own.device, other.bench, stores);
        QVERIFY(third && fourth);
        QVERIFY(own.device->allocatedBytes() >= 2 * graph.bytes.size());
        QVERIFY(logits(**third) == expected);
        QVERIFY(logits(**fourth) == expected);
        QVERIFY(own.instance->validationMessages().empty());
    }

    /// Asked for at the same moment.
    void sharedByThreads()
    {
        const LargeGraph graph;
        const auto own = apartDevice();
        WeightStores stores(own.device);
        std::vector<std::shared_ptr<const WeightStore>> got(4);
        std::vector<std::jthread> threads;
        for (auto& store : got) {
            threads.emplace_back(
                [&] { store = stores.get(graph.bench.graph, {}, {}).value_or(nullptr); });
        }
        threads.clear();
        QVERIFY(got[0]);
        QVERIFY(std::ranges::all_of(got, [&](const auto& store) { return store == got[0]; }));
        QVERIFY(own.device->allocatedBytes() < 2 * graph.bytes.size());
        got.clear();
        QCOMPARE(own.device->allocatedBytes(), std::uint64_t(0));
    }

    /// Who waits for another's upload can give up, and uploads itself where the other gives up.
    void uploadGivenUp()
    {
        const LargeGraph graph;
        const auto own = apartDevice();
        WeightStores stores(own.device);
        std::stop_source stop;
        std::atomic<bool> isInside = false;
        ErrorCode firstEnded = ErrorCode::DeviceFailed;
        std::jthread first([&] {
            const auto store =
                stores.get(graph.bench.graph, stop.get_token(), [&](double /*fraction*/) {
                    isInside = true;
                    while (!stop.stop_requested()) {
                        std::this_thread::yield();
                    }
                });
            firstEnded = store ? ErrorCode::DeviceFailed : store.error().code;
        });
        while (!isInside) {
            std::this_thread::yield();
        }
        std::stop_source impatient;
        impatient.request_stop();
        const auto none = stores.get(graph.bench.graph, impatient.get_token(), {});
        QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
        std::shared_ptr<const WeightStore> second;
        std::jthread waiting(
            [&] { second = stores.get(graph.bench.graph, {}, {}).value_or(nullptr); });
        stop.request_stop();
        waiting.join();
        first.join();
        QCOMPARE(firstEnded, ErrorCode::Cancelled);
        QVERIFY(second);
    }
};

QTEST_MAIN(TestVulkanWeights)
#include "tst_vulkan_weights.moc"
