// Dispatches that would take too long are cut into several submissions, and compute the same.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/vulkan_runner.h"
#include "tests/support/device_bench.h"
#include "tests/support/own_device.h"

#include <functional>

using namespace engine;
using namespace engine::backend::vulkan;
using namespace tests;
using gguf::TensorType;

namespace {

using Build = std::function<void(DeviceBench&, std::uint32_t tokens)>;

constexpr std::uint32_t kColumns = 64;
constexpr std::uint32_t kOutputs = 80;
constexpr double kOfToken = double(kColumns) * kOutputs;

struct Ran
{
    std::vector<float> numbers;
    int submissions = 0;
};

/// A device that is worked with as if it were a GPU, or as what it is.
class Worker
{
public:
    explicit Worker(bool isGpu)
        : m_own([isGpu](auto& facts) {
            facts.kind = isGpu ? backend::DeviceKind::Discrete : facts.kind;
        })
        , m_pipelines(std::make_shared<Pipelines>(m_own.device))
    {
    }

    /// In submissions of so much work; null after a failure.
    [[nodiscard]] std::unique_ptr<backend::Runner> runner(const DeviceBench& bench,
                                                          std::optional<double> work)
    {
        auto options = bench.options;
        options.contextLength = 40;
        options.submissionWork = work;
        return VulkanRunner::create(m_own.device, m_pipelines, bench.graph, options,
                                    std::make_shared<WeightStores>(m_own.device))
            .value_or(nullptr);
    }

    /// Of all tokens at once; no numbers after a failure.
    [[nodiscard]] Ran run(backend::Runner& runner, std::uint32_t tokens)
    {
        std::vector<text::TokenId> all(tokens);
        std::iota(all.begin(), all.end(), 0);
        constexpr int many = 1'000'000;
        m_own.device->faults.loseAfter = many; // which counts submissions
        const auto ran = runner.run({ all, 0, backend::Outputs::All }, {});
        const int submissions = many - m_own.device->faults.loseAfter.exchange(-1);
        const auto logits = runner.logits();
        return ran ? Ran { { logits.begin(), logits.end() }, submissions } : Ran {};
    }
    [[nodiscard]] Ran run(const DeviceBench& bench, std::uint32_t tokens,
                          std::optional<double> work)
    {
        const auto made = runner(bench, work);
        return made ? run(*made, tokens) : Ran {};
    }

    [[nodiscard]] std::vector<std::string> complaints() const
    {
        return m_own.instance->validationMessages();
    }

private:
    OwnDevice m_own;
    std::shared_ptr<Pipelines> m_pipelines;
};

void product(DeviceBench& bench, std::uint32_t tokens, int count)
{
    const auto in = bench.slot(kColumns, randomFloats(std::size_t(tokens) * kColumns, 1));
    const auto* matrix = bench.randomMatrix(TensorType::Q8_0, kColumns, kOutputs, 2);
    const auto out = bench.slot(kOutputs);
    for (int i = 0; i < count; ++i) {
        bench.add(model::op::Linear { in, { { matrix, nullptr, out } } });
    }
    bench.show(out);
}

void gated(DeviceBench& bench, std::uint32_t tokens)
{
    const auto in = bench.slot(kColumns, randomFloats(std::size_t(tokens) * kColumns, 1));
    const auto gate = bench.slot(kOutputs);
    const auto up = bench.slot(kOutputs);
    const auto* bias = bench.vector(randomFloats(kOutputs, 4));
    bench.add(model::op::Linear {
        in,
        { { bench.randomMatrix(TensorType::Q4_0, kColumns, kOutputs, 2), bias, gate },
          { bench.randomMatrix(TensorType::Q4_0, kColumns, kOutputs, 3), nullptr, up } } });
    bench.add(model::op::Gate { gate, up, model::Activation::Silu });
    bench.show(gate);
}

void attention(DeviceBench& bench, std::uint32_t tokens, backend::CacheType type)
{
    constexpr std::uint32_t heads = 6;
    constexpr std::uint32_t kvHeads = 2;
    constexpr std::uint32_t length = 32;
    bench.options.cacheType = type;
    bench.graph.kv = model::uniformKv(1, { kvHeads, length, length });
    const auto slot = [&](std::uint32_t width, unsigned seed) {
        return bench.slot(width, randomFloats(std::size_t(tokens) * width, seed));
    };
    const auto query = slot(heads * length, 1);
    const auto out = bench.slot(heads * length);
    bench.add(model::op::StoreKv { 0, slot(kvHeads * length, 2), slot(kvHeads * length, 3) });
    bench.add(model::op::Attention { 0, query, out, heads, 0.2F });
    bench.show(out);
}

} // namespace

Q_DECLARE_METATYPE(Build)

class TestVulkanCuts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        m_software = std::make_unique<Worker>(false);
        m_gpu = std::make_unique<Worker>(true);
    }

    void equalBits_data()
    {
        QTest::addColumn<Build>("build");
        QTest::addColumn<bool>("isGpu");
        const auto row = [](const char* name, const Build& build) {
            QTest::addRow("%s, software device", name) << build << false;
            QTest::addRow("%s, GPU", name) << build << true;
        };
        row("several targets", [](DeviceBench& bench, std::uint32_t tokens) {
            static const SeveralTargets targets;
            targets.build(bench, tokens, 4);
        });
        row("gated", gated);
        row("experts", [](DeviceBench& bench, std::uint32_t tokens) {
            static const RandomMatrix weights(TensorType::F16, kColumns, 5 * kOutputs, 1);
            static const model::MatrixStack stack { weights.matrix, 5 };
            buildExperts(bench, stack, stack, 2, kColumns, tokens, false);
        });
        row("attention, halves", [](DeviceBench& bench, std::uint32_t tokens) {
            attention(bench, tokens, backend::CacheType::F16);
        });
        row("attention, floats", [](DeviceBench& bench, std::uint32_t tokens) {
            attention(bench, tokens, backend::CacheType::F32);
        });
    }
    void equalBits()
    {
        QFETCH(Build, build);
        QFETCH(bool, isGpu);
        auto& worker = isGpu ? *m_gpu : *m_software;
        for (const std::uint32_t tokens : { 1U, 20U }) {
            DeviceBench bench;
            build(bench, tokens);
            const auto whole = worker.run(bench, tokens, {});
            QVERIFY(!whole.numbers.empty());
            QCOMPARE(whole.submissions, 1);
            int before = 1;
            for (const double work : { 7000.0, 500.0, 1e-9 }) { // of 1: one a workgroup
                const auto cut = worker.run(bench, tokens, work);
                QVERIFY(cut.numbers == whole.numbers);
                QVERIFY(cut.submissions >= before);
                before = cut.submissions;
            }
            QVERIFY(before > 1);
        }
        const auto complaints = worker.complaints();
        QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
    }

    /// No more than are needed: short dispatches stay whole, and go together.
    void submissions_data()
    {
        QTest::addColumn<int>("products");
        QTest::addColumn<double>("work"); // of one product
        QTest::addColumn<int>("submissions");
        QTest::newRow("all in one") << 3 << 3.0 << 1;
        QTest::newRow("two and one") << 3 << 2.5 << 2;
        QTest::newRow("one each") << 3 << 1.9 << 3;
        QTest::newRow("whole ones") << 3 << 1.0 << 3;
        QTest::newRow("halves") << 3 << 0.5 << 6;
        QTest::newRow("two halves, and too much for a third") << 3 << 0.9 << 6;
        QTest::newRow("fifths") << 1 << 0.2 << 5;
    }
    void submissions()
    {
        QFETCH(int, products);
        QFETCH(double, work);
        QFETCH(int, submissions);
        auto& worker = *m_software;
        for (const std::uint32_t tokens : { 1U, 16U }) {
            DeviceBench bench;
            product(bench, tokens, products);
            const auto ran = worker.run(bench, tokens, work * kOfToken * tokens);
            // single tokens of a software device: two workgroups
            QCOMPARE(ran.submissions,
                     tokens == 1 ? std::min(submissions, 2 * products) : submissions);
        }
    }

    /// What is thought of a device before anything was measured may be far too much.
    void slowDevice()
    {
        constexpr std::uint32_t columns = 2048;
        constexpr std::uint32_t outputs = 16384;
        constexpr std::uint32_t tokens = 32;
        DeviceBench bench;
        const auto in = bench.slot(columns, randomFloats(std::size_t(tokens) * columns, 1));
        const auto out = bench.slot(outputs);
        const auto* row = bench.randomMatrix(TensorType::Q8_0, columns, 1, 2);
        std::vector<std::byte> bytes;
        for (std::uint32_t i = 0; i < outputs; ++i) {
            bytes.insert(bytes.end(), row->data.begin(), row->data.end());
        }
        const model::Matrix matrix { TensorType::Q8_0, columns, outputs, row->rowBytes, bytes };
        for (int i = 0; i < 2; ++i) {
            bench.add(model::op::Linear { in, { { &matrix, nullptr, out } } });
        }
        bench.show(out);
        const auto runner = m_gpu->runner(bench, {});
        QVERIFY(runner);
        int submissions = 0;
        int runs = 0;
        for (; submissions <= 1 && runs < 20; ++runs) {
            submissions = m_gpu->run(*runner, tokens).submissions;
            QVERIFY(submissions > 0);
        }
        QVERIFY(runs > 1); // it began with the guess
        QVERIFY(submissions > 1);
    }

private:
    std::unique_ptr<Worker> m_software;
    std::unique_ptr<Worker> m_gpu;
};

QTEST_GUILESS_MAIN(TestVulkanCuts)
#include "tst_vulkan_cuts.moc"
