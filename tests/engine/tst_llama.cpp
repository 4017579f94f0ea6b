// The dense llama family against the reference's log-probabilities: one batch, token by token,
// greedy continuations.
#include "tests/support/reference_model.h"

#include <QTest>

using namespace engine;
using session::ActivationMode;
using session::CacheType;
using session::Session;
using session::SessionOptions;

namespace {

const char* const kFloatModels[] = { "llama-mha",        "llama-gqa-tied",    "llama-biases",
                                     "llama-rope-freqs", "llama-rope-linear", "llama-rope-yarn",
                                     "llama-256" };
const char* const kQuantizedModels[] = { "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_k",
                                         "q3_k", "q4_k", "q5_k", "q6_k", "f16",  "bf16" };

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

class TestLlama : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void floatModels_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : kFloatModels) {
            QTest::newRow(name) << name;
        }
    }
    void floatModels()
    {
        QFETCH(QString, name);
        if (!tests::hasReference(name.toStdString())) {
            QSKIP(tests::missing("architectures/" + name.toStdString()).c_str());
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

    void quantizedModels_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : kQuantizedModels) {
            QTest::newRow(name) << QString("llama-256-") + name;
        }
    }
    void quantizedModels()
    {
        QFETCH(QString, name);
        if (!tests::hasReference(name.toStdString())) {
            QSKIP(tests::missing("architectures/" + name.toStdString()).c_str());
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
        if (!tests::hasReference(name.toStdString())) {
            QSKIP(tests::missing("architectures/" + name.toStdString()).c_str());
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

QTEST_APPLESS_MAIN(TestLlama)
#include "tst_llama.moc"
