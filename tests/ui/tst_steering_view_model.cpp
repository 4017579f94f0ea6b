// The values of the sampler as rows: defaults, changes, reset, each chat its own.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"

#include <QAbstractItemModelTester>

namespace {

struct Bench : tests::ChatBench
{
    QAbstractItemModelTester tester { &steering,
                                      QAbstractItemModelTester::FailureReportingMode::Fatal };

    QVariant at(int row, SteeringViewModel::Role role) const
    {
        return steering.data(steering.index(row), role);
    }
    int row(const char* key) const
    {
        const auto fields = app::samplerFields();
        for (int each = 0; each < fields.size(); ++each) {
            if (QLatin1String(fields.at(each).key) == QLatin1String(key)) {
                return each;
            }
        }
        return -1;
    }
};

} // namespace

class TestSteeringViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueSaysWhatItDoes()
    {
        Bench bench;
        QCOMPARE(bench.steering.rowCount(), app::samplerFields().size());
        for (int row = 0; row < bench.steering.rowCount(); ++row) {
            QVERIFY(!bench.at(row, SteeringViewModel::NameRole).toString().isEmpty());
            QVERIFY(!bench.at(row, SteeringViewModel::ExplanationRole).toString().isEmpty());
            const double from = bench.at(row, SteeringViewModel::FromRole).toDouble();
            const double to = bench.at(row, SteeringViewModel::ToRole).toDouble();
            const double value = bench.at(row, SteeringViewModel::ValueRole).toDouble();
            QVERIFY(from < to && value >= from && value <= to);
            QVERIFY(bench.at(row, SteeringViewModel::StepRole).toDouble() > 0);
            QCOMPARE(value, bench.at(row, SteeringViewModel::DefaultRole).toDouble());
            QVERIFY(!bench.at(row, SteeringViewModel::ChangedRole).toBool());
        }
    }

    void changesAndResets()
    {
        Bench bench;
        const int row = bench.row("temperature");
        const double usual = bench.at(row, SteeringViewModel::DefaultRole).toDouble();
        QSignalSpy told(&bench.steering, &QAbstractItemModel::dataChanged);
        bench.steering.set(row, 0.30000000000000004); // as a slider's steps leave it
        QCOMPARE(bench.at(row, SteeringViewModel::ValueRole).toFloat(), 0.3F);
        QCOMPARE(bench.book.current().record().sampler[u"temperature"].toDouble(), 0.3);
        QVERIFY(bench.at(row, SteeringViewModel::ChangedRole).toBool());
        QVERIFY(bench.steering.anyChanged());
        QVERIFY(bench.steering.summary().contains("0.3"));
        QVERIFY(told.size() >= 1);
        bench.steering.reset(row);
        QCOMPARE(bench.at(row, SteeringViewModel::ValueRole).toDouble(), usual);
        QVERIFY(!bench.steering.anyChanged());
        bench.steering.set(row, 0.5);
        bench.steering.set(bench.row("top_k"), 7);
        bench.steering.resetAll();
        QVERIFY(!bench.steering.anyChanged());
        bench.steering.set(-1, 1);
        bench.steering.set(99, 1);
        bench.steering.reset(99);
        QVERIFY(!bench.steering.anyChanged());
    }

    void defaultsAreTheModels()
    {
        Bench bench;
        bench.script->facts.modelSampler.temperature = 0.25F;
        QVERIFY(bench.loadModel());
        const int row = bench.row("temperature");
        QCOMPARE(bench.at(row, SteeringViewModel::DefaultRole).toFloat(), 0.25F);
        QCOMPARE(bench.at(row, SteeringViewModel::ValueRole).toFloat(), 0.25F);
        QVERIFY(!bench.steering.anyChanged());
    }

    void thinkingIsOfferedWhereItCanBeTold()
    {
        Bench bench;
        QVERIFY(!bench.steering.isThinkingOffered() && !bench.steering.isThinking());
        QVERIFY(bench.loadModel());
        QVERIFY(!bench.steering.isThinkingOffered());
        bench.script->facts.thinks = true;
        QSignalSpy told(&bench.steering, &SteeringViewModel::steeringChanged);
        QVERIFY(bench.loadModel("/models/b.gguf"));
        QVERIFY(told.size() >= 1);
        QVERIFY(bench.steering.isThinkingOffered() && bench.steering.isThinking());
        bench.steering.setThinking(false);
        QVERIFY(!bench.steering.isThinking());
        bench.steering.setPlainPrompt(true); // no template, nothing to tell
        QVERIFY(!bench.steering.isThinkingOffered());
        bench.steering.setPlainPrompt(false);
        QVERIFY(bench.answer("Hi"));
        QVERIFY(bench.script->lastThinking() == false);
        bench.chat.startAnew(); // another chat, as the model does by itself
        QVERIFY(bench.steering.isThinkingOffered() && bench.steering.isThinking());
    }

    void eachChatHasItsOwn()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        bench.steering.setSystemPrompt("Be brief.");
        bench.steering.setPlainPrompt(true);
        bench.steering.set(bench.row("temperature"), 0.1);
        QVERIFY(bench.answer("Hi"));
        QSignalSpy told(&bench.steering, &SteeringViewModel::steeringChanged);
        bench.chat.startAnew();
        QVERIFY(told.size() >= 1);
        QVERIFY(bench.steering.systemPrompt().isEmpty());
        QVERIFY(!bench.steering.plainPrompt());
        QVERIFY(!bench.steering.anyChanged());
        QTRY_COMPARE(bench.chats.count(), 1);
        bench.chats.open(0);
        QTRY_COMPARE(bench.steering.systemPrompt(), QString("Be brief."));
        QVERIFY(bench.steering.plainPrompt());
        QVERIFY(bench.steering.anyChanged());
    }
};

QTEST_MAIN(TestSteeringViewModel)
#include "tst_steering_view_model.moc"
