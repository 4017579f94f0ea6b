// Every architecture of the conformance pack and of architectures-more: tensors that fit, the
// reference's log-probabilities in one batch and token by token, greedy continuations. A sample of
// the quantized ones. SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/architecture.h"
#include "engine/model/tensor_fit.h"
#include "tests/support/reference_model.h"

#include <QTest>

#include <filesystem>
#include <set>

using namespace engine;
using session::ActivationMode;
using session::CacheType;
using session::Session;
using session::SessionOptions;

namespace {

/// Models whose expected.json has `key`; sorted.
std::vector<std::string> modelsWith(const char* key)
{
    std::vector<std::string> names;
    for (const auto& folder : tests::referenceFolders()) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const auto name = entry.path().filename().string();
            if (tests::hasReference(name) && tests::referenceValues(name).contains(key)) {
                names.push_back(name);
            }
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// One row a model, or one that skips.
void addModels(const char* key)
{
    QTest::addColumn<QString>("name");
    const auto names = modelsWith(key);
    for (const auto& name : names) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    if (names.empty()) {
        QTest::newRow("absent") << QString();
    }
}

std::unique_ptr<Session> open(const std::string& name, ActivationMode activations)
{
    SessionOptions options;
    options.cacheType = CacheType::F32;
    options.activations = activations;
    options.threads = 2;
    auto made = tests::referenceSession(name, options);
    if (!made) {
        qWarning("%s", englishSentence(made.error()).c_str());
        return nullptr;
    }
    return std::move(*made);
}

/// The difference after the last token, evaluated at once or one by one.
double differenceAt(Session& session, const nlohmann::ordered_json& test, const char* key,
                    bool oneByOne)
{
    const auto tokens = test["tokens"].get<std::vector<text::TokenId>>();
    session.truncate(0);
    if (oneByOne) {
        for (const auto token : tokens) {
            if (!session.append(token)) {
                return 1e9;
            }
        }
    } else if (!session.prefill(tokens)) {
        return 1e9;
    }
    return tests::largestDifference(tests::logProbabilities(session.logits()),
                                    test[key].get<std::vector<double>>());
}

} // namespace

class TestArchitectures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The file's tensors are what the composition asks for, no less and no more.
    void tensorsFit_data() { addModels("tolerance"); }
    void tensorsFit()
    {
        QFETCH(QString, name);
        if (name.isEmpty()) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto path = tests::referenceFolder(name.toStdString()) / "model.gguf";
        const auto file = gguf::GgufFile::open(path.string());
        QVERIFY(file);
        const auto hparams = model::readHparams(**file);
        QVERIFY2(hparams, hparams ? "" : englishSentence(hparams.error()).c_str());
        const auto fit = model::fitTensors(**file, *hparams);
        for (const auto& error : fit.errors) {
            qWarning("%s", englishSentence(error).c_str());
        }
        QVERIFY(fit.errors.empty());
        for (const auto* tensor : fit.unused) {
            qWarning("unused: %s", std::string(tensor->name).c_str());
        }
        QVERIFY(fit.unused.empty());
    }

    /// Whoever adds an architecture adds a model with expected numbers.
    void eachHasACase()
    {
        std::set<std::string> covered;
        for (const auto& name : modelsWith("cases")) {
            covered.insert(tests::referenceValues(name)["architecture"].get<std::string>());
        }
        if (!tests::conformanceDir("templates")) {
            QSKIP("only a part of the conformance pack is here");
        }
        for (const auto& known : model::architectures()) {
            QVERIFY2(covered.contains(std::string(known.name)), known.name.data());
        }
    }

    void floatModels_data() { addModels("tolerance"); }
    void floatModels()
    {
        QFETCH(QString, name);
        if (name.isEmpty()) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto session = open(name.toStdString(), ActivationMode::Q8);
        QVERIFY(session);
        const auto expected = tests::referenceValues(name.toStdString());
        const auto tolerance = expected["tolerance"].get<double>();
        for (const auto& test : expected["cases"]) {
            for (const bool oneByOne : { false, true }) {
                const auto difference = differenceAt(*session, test, "logprobs", oneByOne);
                QVERIFY2(difference <= tolerance,
                         qPrintable(QString("%1 tokens, one by one: %2, difference %3")
                                        .arg(test["tokens"].size())
                                        .arg(oneByOne)
                                        .arg(difference)));
            }
        }
    }

    void quantizedModels_data() { addModels("tolerance_dequantized"); }
    void quantizedModels()
    {
        QFETCH(QString, name);
        if (name.isEmpty()) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto expected = tests::referenceValues(name.toStdString());
        const auto exact = open(name.toStdString(), ActivationMode::Float);
        const auto rounded = open(name.toStdString(), ActivationMode::Q8);
        QVERIFY(exact && rounded);
        const auto tolerance = expected["tolerance_dequantized"].get<double>();
        const auto largest = expected["largest_difference"].get<double>();
        double worst = 0.0;
        for (const auto& test : expected["cases"]) {
            for (const bool oneByOne : { false, true }) {
                const auto exactDifference =
                    differenceAt(*exact, test, "logprobs_dequantized", oneByOne);
                QVERIFY2(exactDifference <= tolerance,
                         qPrintable(QString("floats: %1").arg(exactDifference)));
                const auto roundedDifference =
                    differenceAt(*rounded, test, "logprobs_dequantized", oneByOne);
                worst = std::max(worst, roundedDifference);
                QVERIFY2(roundedDifference <= largest,
                         qPrintable(QString("8 bits: %1").arg(roundedDifference)));
            }
        }
        qInfo("with 8-bit activations at most %.4f off, llama.cpp %.2f", worst, largest);
    }

    void greedy_data() { floatModels_data(); }
    void greedy()
    {
        QFETCH(QString, name);
        if (name.isEmpty()) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto session = open(name.toStdString(), ActivationMode::Q8);
        QVERIFY(session);
        const auto expected = tests::referenceValues(name.toStdString())["greedy"];
        auto tokens = expected["prompt"].get<std::vector<text::TokenId>>();
        QVERIFY(session->prefill(tokens).has_value());
        std::vector<text::TokenId> continuation;
        for (const auto& ignored : expected["continuation"]) {
            Q_UNUSED(ignored)
            const auto logits = session->logits();
            continuation.push_back(static_cast<text::TokenId>(
                std::max_element(logits.begin(), logits.end()) - logits.begin()));
            QVERIFY(session->append(continuation.back()).has_value());
        }
        QCOMPARE(continuation, expected["continuation"].get<std::vector<text::TokenId>>());
    }
};

QTEST_APPLESS_MAIN(TestArchitectures)
#include "tst_architectures.moc"
