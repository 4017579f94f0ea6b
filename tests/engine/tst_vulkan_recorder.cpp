// What carries the ops on a Vulkan device: order, submissions, windows, faults.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/vulkan_runner.h"
#include "tests/support/device_bench.h"
#include "tests/support/own_device.h"

using namespace engine;
using namespace engine::backend::vulkan;
using namespace tests;

namespace {

Result<std::unique_ptr<backend::Runner>> prepare(const std::shared_ptr<Device>& device,
                                                 const DeviceBench& bench)
{
    auto options = bench.options;
    options.contextLength = 64;
    return VulkanRunner::create(device, std::make_shared<Pipelines>(device), bench.graph, options,
                                std::make_shared<WeightStores>(device));
}

Result<void> runTokens(backend::Runner& runner, std::size_t count)
{
    std::vector<text::TokenId> tokens(count);
    std::iota(tokens.begin(), tokens.end(), 0);
    return runner.run({ tokens, 0, backend::Outputs::All }, {});
}

std::vector<float> logitsOf(backend::Runner& runner)
{
    return { runner.logits().begin(), runner.logits().end() };
}

/// Ops that write over what others have just read or written, with a state and a vector.
void fillBench(DeviceBench& bench, std::uint32_t width)
{
    const auto a = bench.slot(width, randomFloats(std::size_t(40) * width, 1));
    const auto b = bench.slot(width, randomFloats(std::size_t(40) * width, 2));
    const auto* weight = bench.vector(randomFloats(width, 3));
    for (int i = 0; i < 12; ++i) {
        bench.add(model::op::Add { a, b });
        bench.add(model::op::RmsNorm { a, weight, 1e-5F, b });
        bench.add(model::op::Scale { a, 0.5F });
        bench.add(model::op::CopyPieces { b, {}, a, {}, 1, width / 2 });
    }
    bench.show(a);
}

/// Numbers a and b, added to each other in turns.
class Turns
{
public:
    explicit Turns(std::shared_ptr<Device> device)
        : m_device(std::move(device))
        , m_pipelines(m_device)
        , m_views(m_device)
    {
        for (auto& buffer : m_buffers) {
            buffer = Buffer::create(m_device, kCount * sizeof(float), BufferUse::Upload)
                         .value_or(nullptr);
        }
    }

    /// `cuts`: into so many submissions and one.
    [[nodiscard]] std::vector<float> run(int turns, int cuts)
    {
        for (std::size_t i = 0; i < kCount; ++i) {
            numbers(0)[i] = 1.0F + static_cast<float>(i % 3);
            numbers(1)[i] = 2.0F;
        }
        Recorder recorder(m_device, m_pipelines, m_views);
        for (int i = 0; i < turns; ++i) {
            recorder.dispatch("add", { kGroup },
                              { input(range((i + 1) % 2)), output(range(i % 2)) }, { kCount / 4 },
                              { kCount / 4 / kGroup });
            if (i < cuts) {
                recorder.cut();
            }
        }
        const auto program = recorder.finish();
        if (!program || !m_device->submit((*program)->parts())) {
            return {};
        }
        m_parts = (*program)->parts().size();
        const auto out = numbers((turns + 1) % 2);
        return { out.begin(), out.end() };
    }

    /// On the CPU; the numbers stay small enough to be exact.
    [[nodiscard]] static std::vector<float> expected(int turns)
    {
        std::vector<float> all[2];
        for (std::size_t i = 0; i < kCount; ++i) {
            all[0].push_back(1.0F + static_cast<float>(i % 3));
            all[1].push_back(2.0F);
        }
        for (int turn = 0; turn < turns; ++turn) {
            for (std::size_t i = 0; i < kCount; ++i) {
                all[turn % 2][i] += all[(turn + 1) % 2][i];
            }
        }
        return all[(turns + 1) % 2];
    }
    [[nodiscard]] std::size_t parts() const { return m_parts; }

private:
    static constexpr std::uint32_t kCount = 4096;
    static constexpr std::uint32_t kGroup = 32;

    std::span<float> numbers(int i)
    {
        return { reinterpret_cast<float*>(m_buffers[std::size_t(i)]->mapped().data()), kCount };
    }
    Range range(int i) { return { m_buffers[std::size_t(i)].get(), 0, kCount * sizeof(float) }; }

    std::shared_ptr<Device> m_device;
    Pipelines m_pipelines;
    std::unique_ptr<Buffer> m_buffers[2];
    Views m_views;
    std::size_t m_parts = 0;
};

} // namespace

class TestVulkanRecorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void turns()
    {
        OwnDevice own;
        QVERIFY(own.device);
        Turns turns(own.device);
        QVERIFY(turns.run(30, 0) == Turns::expected(30));
        QCOMPARE(turns.parts(), 1U);
        QVERIFY(turns.run(31, 7) == Turns::expected(31));
        QCOMPARE(turns.parts(), 8U);
        QVERIFY(own.instance->validationMessages().empty());
    }

    /// Twice the same, with what was recorded used again; the first run leaves nothing behind.
    void equalBits()
    {
        DeviceBench bench;
        fillBench(bench, 577);
        OwnDevice own;
        auto runner = prepare(own.device, bench);
        QVERIFY(runner);
        QVERIFY(runTokens(**runner, 40));
        const auto first = logitsOf(**runner);
        QVERIFY(runTokens(**runner, 1));
        const std::vector<float> row(first.begin(), first.begin() + 577);
        QVERIFY(logitsOf(**runner) == row);
        QVERIFY(runTokens(**runner, 40));
        QVERIFY(logitsOf(**runner) == first);
        const auto expected = bench.run(backend::cpuBackend(), 40, 40);
        QVERIFY(largestDifference(first, expected) <= 1e-5);
        QVERIFY(own.instance->validationMessages().empty());
    }

    void stops()
    {
        DeviceBench bench;
        fillBench(bench, 64);
        OwnDevice own;
        auto runner = prepare(own.device, bench);
        QVERIFY(runner);
        std::stop_source stop;
        stop.request_stop();
        const std::vector<text::TokenId> tokens { 0, 1 };
        const auto ran = (*runner)->run({ tokens, 0, backend::Outputs::All }, stop.get_token());
        QVERIFY(!ran);
        QVERIFY(ran.error().code == ErrorCode::Cancelled);
        QVERIFY(runTokens(**runner, 2));
    }

    void outOfMemory_data()
    {
        deviceLost_data();
        QTest::newRow("copied weights") << false << true;
    }
    /// Whichever allocation fails: an error that says so, or another way that works as well.
    void outOfMemory()
    {
        QFETCH(bool, imports);
        QFETCH(bool, unified);
        DeviceBench bench;
        fillBench(bench, 64);
        (void)bench.graph.state(10);
        const auto expected = bench.run(backend::cpuBackend(), 3, 3);
        std::shared_ptr<Instance> instance;
        {
            OwnDevice own([&](auto& facts) {
                facts.features.hostImport &= imports;
                facts.unified &= unified;
            });
            instance = own.instance;
            int failed = 0;
            for (int n = 0;; ++n) {
                QVERIFY(n < 100);
                own.device->faults.failAllocation = n;
                auto runner = prepare(own.device, bench);
                const bool reached = own.device->faults.failAllocation < 0;
                own.device->faults.failAllocation = -1;
                if (runner) {
                    QVERIFY(own.device->allocatedBytes() > 0);
                    QVERIFY(runTokens(**runner, 3));
                    QVERIFY(largestDifference(logitsOf(**runner), expected) <= 1e-5);
                    runner->reset();
                } else {
                    QVERIFY(runner.error().code == ErrorCode::DeviceOutOfMemory);
                    ++failed;
                }
                QCOMPARE(own.device->allocatedBytes(), std::uint64_t(0));
                if (!reached) {
                    break;
                }
            }
            QVERIFY(failed >= 5); // vectors, slots, states, batch, results
        }
        for (const auto& message : instance->validationMessages()) {
            QFAIL(message.c_str()); // also of what was left when the device went
        }
    }

    void deviceLost_data()
    {
        QTest::addColumn<bool>("imports");
        QTest::addColumn<bool>("unified"); // else weights go through staging buffers
        QTest::newRow("imported weights") << true << true;
        QTest::newRow("staged weights") << false << false;
    }
    void deviceLost()
    {
        QFETCH(bool, imports);
        QFETCH(bool, unified);
        DeviceBench bench;
        fillBench(bench, 64);
        std::shared_ptr<Instance> instance;
        for (int n = 0; n < 12; ++n) {
            OwnDevice own([&](auto& facts) {
                facts.features.hostImport &= imports;
                facts.unified &= unified;
            });
            instance = own.instance;
            own.device->faults.loseAfter = n;
            auto runner = prepare(own.device, bench);
            if (!runner) {
                QVERIFY(runner.error().code == ErrorCode::DeviceLost);
                continue;
            }
            Result<void> ran;
            for (int token = 0; token < 12 && ran; ++token) {
                ran = runTokens(**runner, 1);
            }
            QVERIFY(!ran);
            QVERIFY(ran.error().code == ErrorCode::DeviceLost);
            const auto again = runTokens(**runner, 1);
            QVERIFY(!again && again.error().code == ErrorCode::DeviceLost);
            QVERIFY(!prepare(own.device, bench)); // nor is anything new made there
        }
        QVERIFY(instance->validationMessages().empty());
    }

    void windows_data() { deviceLost_data(); }
    /// A matrix larger than one binding, in rows that begin at any byte.
    void windows()
    {
        QFETCH(bool, imports);
        QFETCH(bool, unified);
        constexpr std::uint64_t limit = 1 << 16;
        OwnDevice own([&](auto& facts) {
            facts.features.hostImport &= imports;
            facts.unified &= unified;
            facts.maxTexels = limit / 16;
            facts.maxStorageRange = limit;
        });
        constexpr std::uint32_t width = 577;
        constexpr std::size_t rows = 200;
        DeviceBench bench;
        const auto numbers = randomFloats(rows * width, 5);
        bench.show(bench.slot(width, numbers));
        auto store = WeightStore::create(own.device, weightSpans(bench.graph.nodes), {}, {});
        QVERIFY(store);
        const auto* table = std::get<model::op::Embed>(bench.graph.nodes.front()).table;
        const auto windows = (*store)->windows(*table);
        QVERIFY(windows.size() >= 8);
        std::uint64_t row = 0;
        for (const auto& window : windows) {
            QCOMPARE(window.firstRow, row);
            QVERIFY(window.rows > 0);
            QVERIFY(window.range.bytes <= limit);
            QVERIFY(window.range.offset % own.device->facts().offsetAlignment == 0);
            QVERIFY(window.firstByte + window.rows * table->rowBytes <= window.range.bytes);
            QVERIFY(window.range.offset + window.range.bytes <= window.range.buffer->bytes());
            row += window.rows;
        }
        QCOMPARE(row, std::uint64_t(rows));

        auto options = bench.options;
        options.contextLength = rows;
        auto runner =
            VulkanRunner::create(own.device, std::make_shared<Pipelines>(own.device), bench.graph,
                                 options, std::make_shared<WeightStores>(own.device));
        QVERIFY(runner);
        QVERIFY(runTokens(**runner, rows));
        QVERIFY(logitsOf(**runner) == numbers);
        QVERIFY(own.instance->validationMessages().empty());
    }
};

QTEST_MAIN(TestVulkanRecorder)
#include "tst_vulkan_recorder.moc"
