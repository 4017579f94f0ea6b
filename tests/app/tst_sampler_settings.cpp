// The sampler of a chat: every value has a text and a range, and nothing odd gets through.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/sampler_settings.h"

#include <QJsonArray>
#include <QSet>
#include <QTest>

#include <cmath>
#include <limits>

using app::samplerFields;
using app::samplerValue;
using app::samplerWith;
using app::setSamplerValue;
using engine::session::SamplerOptions;

namespace {

QString keyOf(const app::SamplerField& field)
{
    return QString::fromLatin1(field.key);
}

/// All values, to compare two samplers.
QList<double> valuesOf(const SamplerOptions& options)
{
    QList<double> values;
    for (const auto& field : samplerFields()) {
        values << samplerValue(options, keyOf(field));
    }
    return values;
}

} // namespace

class TestSamplerSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fieldsAreWhole()
    {
        const SamplerOptions defaults;
        QSet<QString> keys;
        QSet<QString> names;
        for (const auto& field : samplerFields()) {
            keys << keyOf(field);
            names << field.name;
            QVERIFY(!field.name.isEmpty());
            QVERIFY(field.explanation.endsWith(u'.') && !field.explanation.contains(u'\n'));
            QVERIFY(field.from < field.to && field.step > 0 && field.step <= field.to - field.from);
            QVERIFY(field.decimals >= 0);
            QVERIFY(std::isnan(field.neutral)
                    || (field.neutral >= field.from && field.neutral <= field.to));
            // Our own default can be set.
            const double standard = samplerValue(defaults, keyOf(field));
            QVERIFY(standard >= field.from && standard <= field.to);
        }
        QCOMPARE(keys.size(), samplerFields().size());
        QCOMPARE(names.size(), samplerFields().size());
        QCOMPARE(keys.size(), 10);
    }

    // A value goes into its own member and no other.
    void setsOneValue()
    {
        for (const auto& field : samplerFields()) {
            for (const double value : { field.from, field.to, field.from + field.step }) {
                SamplerOptions options;
                const QList<double> before = valuesOf(options);
                setSamplerValue(options, keyOf(field), value);
                const QList<double> after = valuesOf(options);
                for (int at = 0; at < after.size(); ++at) {
                    if (keyOf(samplerFields()[at]) == keyOf(field)) {
                        QVERIFY(std::abs(after[at] - value) <= 1e-6 * std::max(1.0, value));
                    } else {
                        QCOMPARE(after[at], before[at]);
                    }
                }
            }
        }
    }

    void neutralDoesNothing()
    {
        SamplerOptions options;
        for (const auto& field : samplerFields()) {
            if (!std::isnan(field.neutral)) {
                setSamplerValue(options, keyOf(field), field.neutral);
            }
        }
        QCOMPARE(options.topK, 0);
        QCOMPARE(options.topP, 1.0F);
        QCOMPARE(options.minP, 0.0F);
        QCOMPARE(options.typicalP, 1.0F);
        QCOMPARE(options.repeatPenalty, 1.0F);
        QCOMPARE(options.presencePenalty, 0.0F);
        QCOMPARE(options.frequencyPenalty, 0.0F);
    }

    void movedIntoTheRange()
    {
        for (const auto& field : samplerFields()) {
            for (const double value : { -1e300, field.from - 1, field.to + 1, 1e300 }) {
                SamplerOptions options;
                setSamplerValue(options, keyOf(field), value);
                const double kept = samplerValue(options, keyOf(field));
                QVERIFY(std::abs(kept - (value < field.from ? field.from : field.to)) < 1e-6);
            }
        }
    }

    void noNumberChangesNothing()
    {
        for (const auto& field : samplerFields()) {
            for (const double value : { std::numeric_limits<double>::quiet_NaN(),
                                        std::numeric_limits<double>::infinity(),
                                        -std::numeric_limits<double>::infinity() }) {
                SamplerOptions options;
                setSamplerValue(options, keyOf(field), value);
                QCOMPARE(valuesOf(options), valuesOf({}));
            }
        }
    }

    void unknownKeys()
    {
        SamplerOptions options;
        for (const QString& key : { QString(), QString("Temperature"), QString("mirostat") }) {
            setSamplerValue(options, key, 1);
            QVERIFY(std::isnan(samplerValue(options, key)));
        }
        QCOMPARE(valuesOf(options), valuesOf({}));
    }

    void wholeNumbersAreRounded()
    {
        SamplerOptions options;
        setSamplerValue(options, "topK", 39.6);
        QCOMPARE(options.topK, 40);
        setSamplerValue(options, "penaltyWindow", -0.9);
        QCOMPARE(options.penaltyWindow, -1);
    }

    void seedsAreExact()
    {
        SamplerOptions options;
        for (const std::uint64_t seed :
             { std::uint64_t { 0 }, std::uint64_t { 1 }, std::uint64_t { 4'294'967'297 },
               std::uint64_t { 9'007'199'254'740'991 }, std::uint64_t { 9'007'199'254'740'992 } }) {
            setSamplerValue(options, "seed", static_cast<double>(seed));
            QCOMPARE(options.seed, seed);
        }
    }

    void changesOverDefaults()
    {
        SamplerOptions defaults;
        defaults.temperature = 0.25F;
        defaults.topK = 7;
        QCOMPARE(valuesOf(samplerWith({}, defaults)), valuesOf(defaults));
        const SamplerOptions options =
            samplerWith({ { "temperature", 0.5 }, { "seed", 12 } }, defaults);
        QCOMPARE(options.temperature, 0.5F);
        QCOMPARE(options.seed, std::uint64_t { 12 });
        QCOMPARE(options.topK, 7);
    }

    // Out of a file that somebody edited.
    void oddChanges()
    {
        const QJsonObject odd { { "temperature", "hot" },
                                { "topK", QJsonValue::Null },
                                { "topP", true },
                                { "minP", QJsonArray { 1 } },
                                { "typicalP", QJsonObject { { "a", 1 } } },
                                { "fromTheFuture", 3 },
                                { "repeatPenalty", 1e9 } };
        SamplerOptions expected;
        expected.repeatPenalty = 2.0F;
        QCOMPARE(valuesOf(samplerWith(odd, {})), valuesOf(expected));
    }
};

QTEST_GUILESS_MAIN(TestSamplerSettings)
#include "tst_sampler_settings.moc"
