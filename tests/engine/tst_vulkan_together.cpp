// Several at once on one Vulkan device, and sessions whose memory the device refuses.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/vulkan_runner.h"
#include "tests/support/device_bench.h"
#include "tests/support/reference_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <thread>

using namespace engine;
using namespace tests;
using session::Session;

namespace {

constexpr const char* kModel = "llama-gqa-tied";

/// A session's numbers: after a prompt and some tokens more. Empty after a failure.
std::vector<float> answer(Session& session, int seed)
{
    std::vector<text::TokenId> tokens;
    for (int i = 0; i < 40; ++i) {
        tokens.push_back(3 + (i * 17 + seed * 31) % 300);
    }
    std::vector<float> all;
    bool good = session.prefill(tokens).has_value();
    for (int i = 0; good && i < 12; ++i) {
        all.insert(all.end(), session.logits().begin(), session.logits().end());
        good = session.append(5 + (i + seed) % 300).has_value();
    }
    return good && !session.fallback() ? all : std::vector<float>();
}

std::vector<float> answerOn(const std::shared_ptr<const model::Model>& model,
                            const std::shared_ptr<const backend::Backend>& device, int seed)
{
    auto made = Session::create(
        model, { 128, session::CacheType::F32, session::ActivationMode::Float, 1, device });
    return made ? answer(**made, seed) : std::vector<float>();
}

std::uint32_t firstFit()
{
    const auto all = backend::devices();
    return std::ranges::find(*all, std::string(), &backend::DeviceFacts::unfit)->index;
}

/// A device whose faults the test orders.
class FaultyBackend final : public backend::Backend
{
public:
    explicit FaultyBackend(std::shared_ptr<backend::vulkan::Device> device)
        : m_device(std::move(device))
        , m_pipelines(std::make_shared<backend::vulkan::Pipelines>(m_device))
        , m_stores(std::make_shared<backend::vulkan::WeightStores>(m_device))
    {
    }
    std::string description() const override { return "faulty"; }
    Result<std::unique_ptr<backend::Runner>>
    prepare(const model::Graph& graph, const backend::RunnerOptions& options) const override
    {
        return backend::vulkan::VulkanRunner::create(m_device, m_pipelines, graph, options,
                                                     m_stores);
    }

private:
    std::shared_ptr<backend::vulkan::Device> m_device;
    std::shared_ptr<backend::vulkan::Pipelines> m_pipelines;
    std::shared_ptr<backend::vulkan::WeightStores> m_stores;
};

} // namespace

class TestVulkanTogether : public QObject
{
    Q_OBJECT

    std::shared_ptr<const model::Model> m_model;

private Q_SLOTS:
    void initTestCase()
    {
        NEED_DEVICE();
        if (!hasReference(kModel)) {
            QSKIP(missing(std::string("architectures/") + kModel).c_str());
        }
        auto loaded = referenceModel(kModel);
        QVERIFY(loaded.has_value());
        m_model = *loaded;
    }

    void sessionsInParallel_data()
    {
        QTest::addColumn<bool>("opensTwice");
        QTest::newRow("one opening") << false;
        QTest::newRow("two openings") << true;
    }
    /// Each gives bit by bit what it gives alone; the file of pipelines that both write is whole.
    void sessionsInParallel()
    {
        QFETCH(bool, opensTwice);
        const QTemporaryDir cache;
        const auto directory = cache.path().toStdString();
        const auto alone1 = answerOn(m_model, testDevice(), 1);
        const auto alone2 = answerOn(m_model, testDevice(), 2);
        QVERIFY(!alone1.empty() && !alone2.empty() && alone1 != alone2);
        std::vector<float> first;
        std::vector<float> second;
        {
            const auto one = backend::openDevice(firstFit(), directory);
            const auto other = opensTwice ? backend::openDevice(firstFit(), directory) : one;
            QVERIFY(one && other);
            const std::jthread thread([&] { first = answerOn(m_model, *one, 1); });
            second = answerOn(m_model, *other, 2);
        }
        QVERIFY(first == alone1);
        QVERIFY(second == alone2);
        const std::filesystem::directory_iterator files(directory);
        QCOMPARE(std::distance(files, {}), 1);
        const auto again = backend::openDevice(firstFit(), directory);
        QVERIFY(again && answerOn(m_model, *again, 1) == alone1);
        QVERIFY(testDevice()->complaints().empty());
    }

    /// The weights of blocks that somebody has there are known, and stay while they are held.
    void weightsAreHeld()
    {
        const auto device = testDevice();
        const auto& graph = m_model->graph();
        const auto blocks = static_cast<std::uint32_t>(graph.blockStarts.size());
        QVERIFY(blocks >= 2);
        const auto open = [&](std::uint32_t count, std::uint32_t context) {
            auto made = Session::create(m_model,
                                        { context, session::CacheType::F32,
                                          session::ActivationMode::Float, 1, device, count });
            return made && (*made)->placement()->deviceBlocks == count ? std::move(*made) : nullptr;
        };
        for (const auto count : { blocks, 1U }) {
            QVERIFY(!device->heldWeights(graph, count).hold);
            auto session = open(count, 128);
            QVERIFY(session);
            const auto expected = answer(*session, 1);
            QVERIFY(!expected.empty());
            for (std::uint32_t other = 0; other <= blocks; ++other) {
                const auto there = device->heldWeights(graph, other);
                QCOMPARE(there.hold != nullptr, other == count);
                QCOMPARE(there.bytes > 0, other == count);
            }
            auto held = device->heldWeights(graph, count);
            session.reset();
            session = open(count, 96);
            QVERIFY(session && answer(*session, 1) == expected);
            session.reset();
            QVERIFY(device->heldWeights(graph, count).hold);
            held = {};
            QVERIFY(!device->heldWeights(graph, count).hold);
        }
        QVERIFY(device->complaints().empty());
    }

    /// Whichever allocation fails, the answer is there, from the device or the CPU.
    void allocationsFail()
    {
        const auto instance = backend::vulkan::Instance::open();
        QVERIFY(instance);
        const auto index = firstFit();
        const auto physical = (*instance)->physicalDevices()[index];
        const auto device =
            backend::vulkan::Device::open(*instance, physical, (*instance)->facts(physical, index));
        QVERIFY(device);
        const auto faulty = std::make_shared<FaultyBackend>(*device);
        auto cpu = Session::create(
            m_model, { 128, session::CacheType::F32, session::ActivationMode::Float, 1, {} });
        const auto expected = answer(**cpu, 1);
        int onTheCpu = 0;
        for (int n = 0;; ++n) {
            QVERIFY(n < 100);
            (*device)->faults.failAllocation = n;
            auto made = Session::create(
                m_model,
                { 128, session::CacheType::F32, session::ActivationMode::Float, 1, faulty });
            QVERIFY(made);
            std::vector<text::TokenId> tokens;
            for (int i = 0; i < 40; ++i) {
                tokens.push_back(3 + (i * 17 + 31) % 300);
            }
            QVERIFY((*made)->prefill(tokens));
            const bool reached = (*device)->faults.failAllocation < 0;
            (*device)->faults.failAllocation = -1;
            const auto width = (*made)->logits().size();
            const std::vector<float> row(expected.begin(),
                                         expected.begin() + static_cast<std::ptrdiff_t>(width));
            const std::vector<float> actual((*made)->logits().begin(), (*made)->logits().end());
            QVERIFY(tests::largestDifference(actual, row) <= 1e-3);
            if (const auto& fallback = (*made)->fallback()) {
                QVERIFY(fallback->code == ErrorCode::DeviceOutOfMemory);
                ++onTheCpu;
            }
            if (!reached) {
                QVERIFY(!(*made)->fallback());
                break;
            }
        }
        QVERIFY(onTheCpu >= 3);
        for (const auto& message : (*instance)->validationMessages()) {
            QFAIL(message.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestVulkanTogether)
#include "tst_vulkan_together.moc"
