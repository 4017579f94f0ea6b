// Whole models on a Vulkan device: the reference's log-probabilities in one batch, token by token
// and in part on the CPU; greedy continuations. All of them in the full run, else a sample.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_bench.h"
#include "tests/support/reference_model.h"

#include <set>

using namespace engine;
using backend::Outputs;
using text::TokenId;

namespace {

/// In short runs: what stands for most, and what is unlike all others.
const std::set<std::string> kSample { "llama-gqa-tied", "gemma2",        "gemma3n",
                                      "gpt-oss",        "deepseek2",     "qwen3next",
                                      "mamba2",         "lfm2",          "mpt",
                                      "phi3-rope-long", "llama-256-q4_0" };

/// Whether this run is of a device with features left out, which computes fewer models.
bool isVariant()
{
    return qEnvironmentVariableIsSet("VITRINE_TEST_VARIANT");
}

bool isWanted(const std::string& name)
{
    static const std::set<std::string> few { "llama-gqa-tied", "gemma3n", "mamba2",
                                             "llama-256-q4_0" };
    // keys of one of their heads are more than the narrow bindings of a variant hold
    static const std::set<std::string> wide { "llama-256-q4_0", "deepseek2" };
    if (qEnvironmentVariableIsSet("VITRINE_VULKAN_RANGE") && wide.contains(name)) {
        return false;
    }
    if (isVariant()) {
        return (tests::fullRun() ? kSample : few).contains(name);
    }
    return tests::fullRun() || kSample.contains(name);
}

/// Differences to allow: keys kept as halves bring more, and this model's routing is near ties.
double toleranceOf(const std::string& name, const nlohmann::ordered_json& expected,
                   backend::CacheType cache)
{
    const double own = expected.contains("tolerance_dequantized")
        ? expected["tolerance_dequantized"].get<double>()
        : expected["tolerance"].get<double>();
    const double least = name == "deepseek2-lite" ? 1e-1
        : cache == backend::CacheType::F16        ? 2e-2
                                                  : 1e-3;
    return std::max(own, least);
}

/// The same where the device may round activations of a prompt, to halves or to bytes.
double roundedTolerance(const std::string& name, const nlohmann::ordered_json& expected)
{
    const auto without = qgetenv("VITRINE_VULKAN_WITHOUT").split(',');
    const auto facts = backend::devices()->front();
    if (facts.kind == backend::DeviceKind::Software && !without.contains("software")) {
        return toleranceOf(name, expected, backend::CacheType::F32); // it has no need to
    }
    const bool byMatrices = facts.features.cooperativeMatrix && !without.contains("matrix");
    const bool byBytes = facts.features.integerDot && !without.contains("dot") && !byMatrices;
    double tolerance = toleranceOf(name, expected, backend::CacheType::F16);
    if (byBytes && expected.contains("largest_difference")) {
        // they change as much as in the reference, of whose cases this is the worst
        constexpr double ofOtherRounding = 1.5;
        tolerance =
            std::max(tolerance, ofOtherRounding * expected["largest_difference"].get<double>());
    }
    return tolerance;
}

backend::RunnerOptions optionsWith(backend::CacheType cache)
{
    backend::RunnerOptions options;
    options.contextLength = 512; // as the reference had
    options.batchLength = 64;
    options.cacheType = cache;
    options.activations = backend::ActivationMode::Float;
    options.threads = 1;
    return options;
}

/// Log-probabilities after the last token; empty after a failure.
std::vector<double> after(backend::Runner& runner, const std::vector<TokenId>& tokens,
                          std::size_t chunk)
{
    for (std::size_t done = 0; done < tokens.size(); done += chunk) {
        const auto part = std::span(tokens).subspan(done, std::min(chunk, tokens.size() - done));
        if (auto ran = runner.run({ part, static_cast<std::uint32_t>(done), Outputs::Last }, {});
            !ran) {
            qWarning("%s", englishSentence(ran.error()).c_str());
            return {};
        }
    }
    return tests::logProbabilities(runner.logits());
}

} // namespace

class TestVulkanModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }
    void cleanupTestCase()
    {
        if (tests::testDevice()) {
            const auto complaints = tests::testDevice()->complaints();
            QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
        }
    }

    void logProbabilities_data()
    {
        QTest::addColumn<QString>("name");
        std::set<std::string> names;
        for (const auto& folder : tests::referenceFolders()) {
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                const auto name = entry.path().filename().string();
                if (tests::hasReference(name) && isWanted(name)) {
                    names.insert(name);
                }
            }
        }
        for (const auto& name : names) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
    void logProbabilities()
    {
        QFETCH(QString, name);
        const auto folder = tests::referenceFolder(name.toStdString());
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        const auto expected = tests::referenceValues(name.toStdString());
        const char* key =
            expected.contains("tolerance_dequantized") ? "logprobs_dequantized" : "logprobs";
        for (const auto cache : { backend::CacheType::F32, backend::CacheType::F16 }) {
            auto runner = tests::testDevice()->prepare((*model)->graph(), optionsWith(cache));
            QVERIFY2(runner, runner ? "" : englishSentence(runner.error()).c_str());
            const double tolerance = toleranceOf(name.toStdString(), expected, cache);
            // halves alone move some models of our own by more: there the CPU's halves are the
            // measure
            const bool byCpu = cache == backend::CacheType::F16
                && folder.parent_path() == tests::dataDir() / "architectures-more";
            const auto cpu = backend::cpuBackend().prepare((*model)->graph(), optionsWith(cache));
            QVERIFY(cpu);
            for (const auto& test : expected["cases"]) {
                const auto tokens = test["tokens"].get<std::vector<TokenId>>();
                const auto reference = byCpu ? after(**cpu, tokens, tokens.size())
                                             : test[key].get<std::vector<double>>();
                for (const std::size_t chunk : { tokens.size(), std::size_t(1), std::size_t(7) }) {
                    const auto difference =
                        tests::largestDifference(after(**runner, tokens, chunk), reference);
                    QVERIFY2(difference <= tolerance,
                             qPrintable(QString("%1 tokens in runs of %2, %3 cache: difference %4")
                                            .arg(tokens.size())
                                            .arg(chunk)
                                            .arg(cache == backend::CacheType::F16 ? "F16" : "F32")
                                            .arg(difference)));
                }
            }
        }
    }

    void partlyOnTheCpu_data() { logProbabilities_data(); }
    void partlyOnTheCpu()
    {
        QFETCH(QString, name);
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        const auto expected = tests::referenceValues(name.toStdString());
        const auto& test = expected["cases"].back();
        const char* key =
            expected.contains("tolerance_dequantized") ? "logprobs_dequantized" : "logprobs";
        auto options = optionsWith(backend::CacheType::F32);
        options.deviceBlocks = 1;
        auto runner = tests::testDevice()->prepare((*model)->graph(), options);
        QVERIFY2(runner, runner ? "" : englishSentence(runner.error()).c_str());
        const auto tokens = test["tokens"].get<std::vector<TokenId>>();
        const auto difference = tests::largestDifference(after(**runner, tokens, tokens.size()),
                                                         test[key].get<std::vector<double>>());
        QVERIFY2(difference <= toleranceOf(name.toStdString(), expected, backend::CacheType::F32),
                 qPrintable(QString::number(difference)));
    }

    void roundedActivations_data() { logProbabilities_data(); }
    void roundedActivations()
    {
        QFETCH(QString, name);
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        const auto expected = tests::referenceValues(name.toStdString());
        const bool isQuantized = expected.contains("tolerance_dequantized");
        const char* key = isQuantized ? "logprobs_dequantized" : "logprobs";
        const double tolerance = roundedTolerance(name.toStdString(), expected);
        auto options = optionsWith(backend::CacheType::F32);
        options.activations = backend::ActivationMode::Q8;
        auto runner = tests::testDevice()->prepare((*model)->graph(), options);
        QVERIFY2(runner, runner ? "" : englishSentence(runner.error()).c_str());
        for (const auto& test : expected["cases"]) {
            const auto tokens = test["tokens"].get<std::vector<TokenId>>();
            const auto difference = tests::largestDifference(after(**runner, tokens, tokens.size()),
                                                             test[key].get<std::vector<double>>());
            QVERIFY2(difference <= tolerance,
                     qPrintable(QString("%1 tokens: difference %2 of %3")
                                    .arg(tokens.size())
                                    .arg(difference)
                                    .arg(tolerance)));
        }
    }

    void greedy_data() { logProbabilities_data(); }
    void greedy()
    {
        QFETCH(QString, name);
        const auto values = tests::referenceValues(name.toStdString());
        if (!values.contains("greedy")) {
            QSKIP("no greedy continuation of this model");
        }
        const auto model = tests::referenceModel(name.toStdString());
        QVERIFY(model);
        auto runner =
            tests::testDevice()->prepare((*model)->graph(), optionsWith(backend::CacheType::F32));
        QVERIFY(runner);
        auto tokens = values["greedy"]["prompt"].get<std::vector<TokenId>>();
        auto next = after(**runner, tokens, tokens.size());
        const auto expected = values["greedy"]["continuation"].get<std::vector<TokenId>>();
        std::vector<TokenId> continuation;
        while (continuation.size() < expected.size() && !next.empty()) {
            continuation.push_back(
                static_cast<TokenId>(std::max_element(next.begin(), next.end()) - next.begin()));
            const auto ran = (*runner)->run(
                { std::span(continuation).last(1),
                  static_cast<std::uint32_t>(tokens.size() + continuation.size() - 1),
                  Outputs::Last },
                {});
            next = ran ? tests::logProbabilities((*runner)->logits()) : std::vector<double> {};
        }
        QCOMPARE(continuation, expected);
    }
};

QTEST_MAIN(TestVulkanModels)
#include "tst_vulkan_models.moc"
