// The sampler: what each stage keeps, in which order, how often each token comes, and odd logits.
// SPDX-License-Identifier: Apache-2.0
#include "engine/session/sampler.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

using namespace engine::session;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr int kDraws = 6000;
constexpr double kTolerance = 0.03; // more than four deviations of a share of 6000 draws

/// All stages at their neutral value.
SamplerOptions neutral()
{
    SamplerOptions options;
    options.temperature = 1.0F;
    options.topK = 0;
    options.topP = 1.0F;
    options.minP = 0.0F;
    options.seed = 12345;
    return options;
}

std::vector<float> logarithms(const std::vector<double>& probabilities)
{
    std::vector<float> logits;
    for (const auto p : probabilities) {
        logits.push_back(static_cast<float>(std::log(p) + 3.0)); // any constant
    }
    return logits;
}

TokenId sampleOnce(Sampler& sampler, std::vector<float> logits)
{
    return sampler.sample(logits);
}

std::vector<double> shares(const SamplerOptions& options, const std::vector<float>& logits)
{
    Sampler sampler(options);
    std::vector<double> counts(logits.size());
    for (int i = 0; i < kDraws; ++i) {
        counts.at(static_cast<std::size_t>(sampleOnce(sampler, logits))) += 1.0 / kDraws;
    }
    return counts;
}

std::vector<TokenId> sequence(std::uint64_t seed, int length)
{
    auto options = neutral();
    options.seed = seed;
    Sampler sampler(options);
    std::vector<TokenId> out;
    for (int i = 0; i < length; ++i) {
        out.push_back(sampleOnce(sampler, std::vector<float>(1000, 0.0F)));
    }
    return out;
}

/// The logits after the penalties of these tokens.
std::vector<float> penalized(const SamplerOptions& options, const std::vector<TokenId>& tokens,
                             std::vector<float> logits)
{
    Sampler sampler(options);
    for (const auto token : tokens) {
        sampler.accept(token);
    }
    (void)sampler.sample(logits);
    return logits;
}

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

} // namespace

Q_DECLARE_METATYPE(SamplerOptions)
Q_DECLARE_METATYPE(Doubles)

class TestSampler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void greedy()
    {
        auto options = neutral();
        for (const float temperature : { 0.0F, -1.0F }) {
            options.temperature = temperature;
            Sampler sampler(options);
            QCOMPARE(sampleOnce(sampler, { 1.0F, 5.0F, 2.0F }), 1);
            QCOMPARE(sampleOnce(sampler, { -7.0F, -5.0F, -2.0F }), 2);
            QCOMPARE(sampleOnce(sampler, { 3.0F, 5.0F, 5.0F, 5.0F }), 1); // the lowest of equals
            QCOMPARE(sampleOnce(sampler, { kNaN, -kInfinity, -2.0F, kNaN }), 2);
            QCOMPARE(sampleOnce(sampler, { 1.0F, kInfinity }), 1);
        }
    }

    void distributions_data()
    {
        QTest::addColumn<SamplerOptions>("options");
        QTest::addColumn<Doubles>("before");
        QTest::addColumn<Doubles>("after"); // 0: never drawn
        const Doubles four { 0.2, 0.4, 0.1, 0.3 }; // not in order
        const auto row = [](const char* name, const Doubles& before, const Doubles& after,
                            auto change) {
            auto options = neutral();
            change(options);
            QTest::newRow(name) << options << before << after;
        };
        row("neutral", four, four, [](auto&) {});
        row("temperature 2", { 0.8, 0.2 }, { 2.0 / 3, 1.0 / 3 },
            [](auto& o) { o.temperature = 2.0F; });
        row("temperature 0.5", { 0.6, 0.4 }, { 9.0 / 13, 4.0 / 13 },
            [](auto& o) { o.temperature = 0.5F; });
        row("tiny temperature", four, { 0, 1, 0, 0 }, [](auto& o) { o.temperature = 1e-38F; });
        row("top-k 1", four, { 0, 1, 0, 0 }, [](auto& o) { o.topK = 1; });
        row("top-k 3", four, { 2.0 / 9, 4.0 / 9, 0, 3.0 / 9 }, [](auto& o) { o.topK = 3; });
        row("top-k beyond all", four, four, [](auto& o) { o.topK = 100; });
        row("top-p below the first", four, { 0, 1, 0, 0 }, [](auto& o) { o.topP = 0.39F; });
        row("top-p 0", four, { 0, 1, 0, 0 }, [](auto& o) { o.topP = 0.0F; });
        row("top-p 0.65", four, { 0, 4.0 / 7, 0, 3.0 / 7 }, [](auto& o) { o.topP = 0.65F; });
        row("top-p 0.75", four, { 2.0 / 9, 4.0 / 9, 0, 3.0 / 9 }, [](auto& o) { o.topP = 0.75F; });
        row("min-p 0.45", four, { 2.0 / 9, 4.0 / 9, 0, 3.0 / 9 }, [](auto& o) { o.minP = 0.45F; });
        row("min-p 0.6", four, { 0, 4.0 / 7, 0, 3.0 / 7 }, [](auto& o) { o.minP = 0.6F; });
        row("min-p 1 keeps equals", { 0.4, 0.4, 0.2 }, { 0.5, 0.5, 0 },
            [](auto& o) { o.minP = 1.0F; });
        // entropy 1.089; surprises 0.51, 1.61, 2.30, 2.30: the second is nearest, then the first
        row("typical 0.15", { 0.6, 0.2, 0.1, 0.1 }, { 0, 1, 0, 0 },
            [](auto& o) { o.typicalP = 0.15F; });
        row("typical 0.5", { 0.6, 0.2, 0.1, 0.1 }, { 0.75, 0.25, 0, 0 },
            [](auto& o) { o.typicalP = 0.5F; });
        // the order of the stages shows in what is kept
        row("top-k before top-p", four, { 0, 1, 0, 0 }, [](auto& o) {
            o.topK = 2; // then 4/7 is already more than half
            o.topP = 0.5F;
        });
        row("typical before top-p", { 0.6, 0.2, 0.1, 0.1 }, { 0, 1, 0, 0 }, [](auto& o) {
            o.typicalP = 0.15F;
            o.topP = 0.1F;
        });
        row("min-p before temperature", four, { 0, 0.5, 0, 0.5 }, [](auto& o) {
            o.minP = 0.6F;
            o.temperature = 1000.0F;
        });
        row("all at once", { 0.5, 0.25, 0.15, 0.06, 0.04 }, { 2.0 / 3, 1.0 / 3, 0, 0, 0 },
            [](auto& o) {
                o.topK = 4;
                o.topP = 0.9F;
                o.minP = 0.4F;
            });
    }
    void distributions()
    {
        QFETCH(SamplerOptions, options);
        QFETCH(Doubles, before);
        QFETCH(Doubles, after);
        const auto found = shares(options, logarithms(before));
        for (std::size_t i = 0; i < after.size(); ++i) {
            QVERIFY2(after[i] == 0 ? found[i] == 0 : std::fabs(found[i] - after[i]) < kTolerance,
                     qPrintable(
                         QString("token %1: %2 instead of %3").arg(i).arg(found[i]).arg(after[i])));
        }
    }

    void defaultsAreTheApplications()
    {
        const SamplerOptions options;
        QCOMPARE(options.temperature, 0.8F);
        QCOMPARE(options.topK, 40);
        QCOMPARE(options.topP, 0.95F);
        QCOMPARE(options.minP, 0.05F);
        QCOMPARE(options.repeatPenalty, 1.0F);
    }

    void repeatPenalty()
    {
        auto options = neutral();
        options.repeatPenalty = 2.0F;
        QCOMPARE(penalized(options, { 0, 1, 0 }, { 4.0F, -3.0F, 1.0F }),
                 (Floats { 2.0F, -6.0F, 1.0F }));
        QCOMPARE(penalized(options, {}, { 4.0F, -3.0F }), (Floats { 4.0F, -3.0F }));
    }

    void presenceAndFrequency()
    {
        auto options = neutral();
        options.presencePenalty = 0.5F;
        QCOMPARE(penalized(options, { 0, 0, 0, 2 }, { 4.0F, 1.0F, -1.0F }),
                 (Floats { 3.5F, 1.0F, -1.5F }));
        options.frequencyPenalty = 0.25F;
        QCOMPARE(penalized(options, { 0, 0, 0, 2 }, { 4.0F, 1.0F, -1.0F }),
                 (Floats { 2.75F, 1.0F, -1.75F }));
        options.repeatPenalty = 2.0F; // first of the three
        QCOMPARE(penalized(options, { 0, 0, 0, 2 }, { 4.0F, 1.0F, -1.0F }),
                 (Floats { 0.75F, 1.0F, -2.75F }));
        options = neutral();
        options.frequencyPenalty = -0.5F; // rewards repetition
        QCOMPARE(penalized(options, { 1, 1 }, { 0.0F, 0.0F }), (Floats { 0.0F, 1.0F }));
    }

    void penaltyWindow()
    {
        auto options = neutral();
        options.presencePenalty = 1.0F;
        options.penaltyWindow = 2;
        QCOMPARE(penalized(options, { 0, 1, 2 }, { 0, 0, 0 }), (Floats { 0, -1, -1 }));
        QCOMPARE(penalized(options, { 0, 1, 0, 2 }, { 0, 0, 0 }), (Floats { -1, 0, -1 }));
        options.penaltyWindow = 0;
        QCOMPARE(penalized(options, { 0, 1, 2 }, { 0, 0, 0 }), (Floats { 0, 0, 0 }));
        options.penaltyWindow = -1;
        std::vector<TokenId> many(500, 1);
        many.insert(many.begin(), 0);
        QCOMPARE(penalized(options, many, { 0, 0, 0 }), (Floats { -1, -1, 0 }));
        options.penaltyWindow = 500;
        QCOMPARE(penalized(options, many, { 0, 0, 0 }), (Floats { 0, -1, 0 }));
    }

    void penaltiesOfForeignTokens()
    {
        auto options = neutral();
        options.presencePenalty = 1.0F;
        QCOMPARE(penalized(options, { -1, 3, 1'000'000, 1 }, { 0, 0, 0 }), (Floats { 0, -1, 0 }));
    }

    void penaltiesChangeTheChoice()
    {
        auto options = neutral();
        options.temperature = 0.0F;
        options.presencePenalty = 2.0F;
        Sampler sampler(options);
        std::vector<TokenId> chosen;
        for (int i = 0; i < 3; ++i) {
            chosen.push_back(sampleOnce(sampler, { 3.0F, 2.5F, 2.0F }));
            sampler.accept(chosen.back());
        }
        QCOMPARE(chosen, (std::vector<TokenId> { 0, 1, 2 }));
    }

    void seeds()
    {
        QCOMPARE(sequence(7, 50), sequence(7, 50));
        QVERIFY(sequence(7, 50) != sequence(8, 50));
        auto options = neutral();
        QCOMPARE(Sampler(options).seed(), options.seed);
        options.seed = 0;
        const Sampler first(options);
        const Sampler second(options);
        QVERIFY(first.seed() != second.seed());
        QVERIFY(sequence(0, 50) != sequence(0, 50));
        // a drawn seed can be used again
        QCOMPARE(sequence(first.seed(), 50), sequence(first.seed(), 50));
    }

    void equalLogits()
    {
        const auto found = shares(neutral(), Floats(10, -4.0F));
        for (const auto share : found) {
            QVERIFY(std::fabs(share - 0.1) < kTolerance);
        }
        auto options = neutral();
        options.topK = 3; // of equals those with the lowest numbers
        QCOMPARE(shares(options, Floats(10, 0.0F))[3], 0.0);
        QVERIFY(shares(options, Floats(10, 0.0F))[2] > 0.3);
    }

    void oddLogits_data()
    {
        QTest::addColumn<QVector<float>>("logits");
        QTest::addColumn<QVector<int>>("possible");
        const auto row = [](const char* name, const QVector<float>& logits,
                            const QVector<int>& possible) {
            QTest::newRow(name) << logits << possible;
        };
        row("one token", { 0.3F }, { 0 });
        row("one token without hope", { -kInfinity }, { 0 });
        row("one possible", { -kInfinity, 2.0F, -kInfinity }, { 1 });
        row("two possible", { 2.0F, -kInfinity, 2.0F, -kInfinity }, { 0, 2 });
        row("none possible", { -kInfinity, -kInfinity }, { 0, 1 });
        row("infinite", { 1.0F, kInfinity, 3.0F }, { 1 });
        row("huge", { -3e38F, 3e38F, 0.0F }, { 1 });
        row("not a number", { kNaN, 1.0F, kNaN, 1.0F, kNaN }, { 1, 3 });
        row("no numbers at all", { kNaN, kNaN, kNaN }, { 0, 1, 2 });
        QVector<float> mixed(200, kNaN);
        for (int i = 0; i < 200; i += 3) {
            mixed[i] = -kInfinity;
        }
        mixed[150] = 1.0F;
        row("many not numbers", mixed, { 150 });
    }
    // A damaged model must not crash the sampler, nor get a token drawn that has no chance.
    void oddLogits()
    {
        QFETCH(QVector<float>, logits);
        QFETCH(QVector<int>, possible);
        std::vector<SamplerOptions> all { SamplerOptions(), neutral(), neutral(), neutral(),
                                          neutral() };
        all[2].typicalP = 0.5F;
        all[3].topP = 0.5F;
        all[4].minP = 0.5F;
        for (auto& options : all) {
            for (const float temperature : { 0.0F, 0.7F, 1e-30F }) {
                options.temperature = temperature;
                options.seed = 99;
                Sampler sampler(options);
                for (int i = 0; i < 50; ++i) {
                    const auto token = sampleOnce(sampler, { logits.begin(), logits.end() });
                    QVERIFY2(possible.contains(token), qPrintable(QString::number(token)));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "tst_sampler.moc"
