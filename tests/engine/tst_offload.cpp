// Graphs cut into parts: what each needs and leaves, runs of several parts against runs of one,
// which blocks fit a device. SPDX-License-Identifier: Apache-2.0
#include "engine/backend/offload.h"
#include "engine/backend/split_runner.h"
#include "tests/support/reference_model.h"

#include <QTest>

using namespace engine;
using backend::GraphPart;
using backend::Outputs;
using text::TokenId;

namespace {

std::shared_ptr<const model::Model> referenceModel(const std::string& name)
{
    const auto path = tests::referenceFolder(name) / "model.gguf";
    auto model = model::Model::load(path.string());
    return model ? *model : nullptr;
}

backend::RunnerOptions smallOptions()
{
    backend::RunnerOptions options;
    options.contextLength = 64;
    options.batchLength = 16;
    options.cacheType = backend::CacheType::F32;
    options.activations = backend::ActivationMode::Float;
    options.threads = 1;
    return options;
}

/// Logits after a prompt, its continuation, and of all rows once more from the beginning.
std::vector<float> answers(backend::Runner& runner)
{
    const std::vector<TokenId> prompt { 5, 9, 2, 7, 30, 11, 4 };
    std::vector<float> all;
    const auto run = [&](std::span<const TokenId> tokens, std::uint32_t position, Outputs outputs) {
        if (!runner.run({ tokens, position, outputs }, {})) {
            all.push_back(std::numeric_limits<float>::quiet_NaN());
            return;
        }
        const auto rows = runner.logits();
        if (outputs != Outputs::None) {
            all.insert(all.end(), rows.begin(), rows.end());
        }
    };
    run(std::span(prompt).first(3), 0, Outputs::None);
    run(std::span(prompt).subspan(3), 3, Outputs::Last);
    run(std::span(prompt).first(1), 7, Outputs::Last);
    run(prompt, 0, Outputs::All);
    std::vector<std::byte> state(runner.stateBytes());
    runner.saveState(state);
    run(std::span(prompt).first(2), 7, Outputs::Last);
    runner.restoreState(state);
    run(std::span(prompt).first(2), 7, Outputs::Last);
    return all;
}

} // namespace

class TestOffload : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Whatever is cut off, all backends together compute what one alone does.
    void partsEqualTheWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& folder : tests::referenceFolders()) {
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                const auto name = entry.path().filename().string();
                if (tests::hasReference(name) && !name.starts_with("llama-256")) {
                    QTest::newRow(name.c_str()) << QString::fromStdString(name);
                }
            }
        }
    }
    void partsEqualTheWhole()
    {
        QFETCH(QString, name);
        const auto model = referenceModel(name.toStdString());
        QVERIFY(model);
        const auto& graph = model->graph();
        auto whole = backend::cpuBackend().prepare(graph, smallOptions());
        QVERIFY(whole);
        const auto expected = answers(**whole);
        const auto blocks = static_cast<std::uint32_t>(graph.blockStarts.size());
        QVERIFY(blocks > 0);
        QVERIFY(std::is_sorted(graph.blockStarts.begin(), graph.blockStarts.end()));
        const auto compare = [&](const std::vector<bool>& onDevice) {
            auto runner = backend::splitRunner(backend::splitGraph(graph, onDevice),
                                               backend::cpuBackend(), smallOptions());
            return runner && answers(**runner) == expected;
        };
        const auto all = [](const model::Node&) { return true; };
        for (std::uint32_t count = 0; count <= blocks; ++count) {
            QVERIFY2(compare(backend::deviceNodes(graph, count, all)),
                     qPrintable(QString::number(count)));
        }
        // a cut before every node that may stand alone: nothing is forgotten
        std::vector<bool> alternating(graph.nodes.size());
        for (std::size_t i = 0; i < alternating.size(); ++i) {
            alternating[i] = i % 2 == 1;
        }
        backend::keepMemoryTogether(graph, alternating);
        QVERIFY(compare(alternating));
    }

    void typesThatDevicesCannotRead()
    {
        const std::vector<std::byte> row(144);
        const model::Matrix known { gguf::TensorType::Q4_K, 256, 1, 144, row };
        const model::Matrix wide { gguf::TensorType::F64, 18, 1, 144, row };
        model::Graph graph;
        model::op::Embed embed;
        embed.table = &known;
        graph.add(embed);
        QVERIFY(backend::typesWithoutShader(graph).empty());
        embed.table = &wide;
        graph.add(embed);
        graph.add(embed);
        QVERIFY(backend::typesWithoutShader(graph) == std::vector { gguf::TensorType::F64 });
    }

    void blocksThatCannotRunStayBehind()
    {
        const auto model = referenceModel("llama-mha");
        QVERIFY(model);
        const auto& graph = model->graph();
        const auto blocks = static_cast<std::uint32_t>(graph.blockStarts.size());
        QVERIFY(blocks >= 2);
        const auto* denied = &graph.nodes[graph.blockStarts[1]];
        const auto onDevice = backend::deviceNodes(
            graph, blocks, [&](const model::Node& node) { return &node != denied; });
        for (std::size_t i = 0; i < onDevice.size(); ++i) {
            const bool inDenied = i >= graph.blockStarts[1]
                && i < (blocks > 2 ? graph.blockStarts[2] : graph.nodes.size());
            QCOMPARE(bool(onDevice[i]), !inDenied);
        }
    }

    void bytesAddUp()
    {
        const auto model = referenceModel("llama-mha");
        QVERIFY(model);
        const auto& graph = model->graph();
        const auto options = smallOptions();
        const auto needs = backend::offloadNeeds(graph, options, 16);
        const auto blocks = static_cast<std::uint32_t>(graph.blockStarts.size());
        QCOMPARE(needs.blocks.size(), std::size_t(blocks));
        std::uint64_t tensors = 0;
        for (const auto& tensor : model->file().tensors()) {
            tensors += tensor.data.size;
        }
        const std::uint64_t cache =
            graph.kv.numbers() * options.contextLength * sizeof(float) + needs.scratch;
        QCOMPARE(needs.deviceBytes(blocks), tensors + cache);
        QCOMPARE(needs.deviceBytes(0), std::uint64_t(0));
        for (std::uint32_t count = 1; count <= blocks; ++count) {
            QVERIFY(needs.deviceBytes(count) > needs.deviceBytes(count - 1));
            QCOMPARE(backend::fittingBlocks(needs, needs.deviceBytes(count)), count);
            QCOMPARE(backend::fittingBlocks(needs, needs.deviceBytes(count) - 1), count - 1);
        }
    }
};

QTEST_MAIN(TestOffload)
#include "tst_offload.moc"
