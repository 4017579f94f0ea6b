// Ids of records and their figures as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_records.h"

#include <QJsonArray>
#include <QSet>
#include <QTest>

#include <limits>

using app::Outcome;

class TestChatRecords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idsArePositiveAndDiffer()
    {
        QSet<qint64> ids;
        for (int i = 0; i < 1000; ++i) {
            const qint64 id = app::newRecordId();
            QVERIFY(id > 0);
            ids.insert(id);
        }
        QCOMPARE(ids.size(), 1000);
    }

    void outcomes()
    {
        using Finish = Outcome::Finish;
        for (const Finish finish : { Finish::End, Finish::Length, Finish::Stop, Finish::Context,
                                     Finish::Cancelled, Finish::Failed }) {
            Outcome before;
            before.finish = finish;
            before.tokens = 12;
            before.tokensPerSecond = 3.5;
            before.firstTokenMs = 40.25;
            before.reasoningMs = 1234.5;
            before.promptTokens = 1000;
            before.leftOut = 4;
            before.reusedTokens = 900;
            before.promptTokensPerSecond = 250.5;
            const Outcome after = app::outcomeFromJson(app::outcomeToJson(before));
            QCOMPARE(after.finish, before.finish);
            QCOMPARE(after.tokens, before.tokens);
            QCOMPARE(after.tokensPerSecond, before.tokensPerSecond);
            QCOMPARE(after.firstTokenMs, before.firstTokenMs);
            QCOMPARE(after.reasoningMs, before.reasoningMs);
            QCOMPARE(after.promptTokens, before.promptTokens);
            QCOMPARE(after.leftOut, before.leftOut);
            QCOMPARE(after.reusedTokens, before.reusedTokens);
            QCOMPARE(after.promptTokensPerSecond, before.promptTokensPerSecond);
        }
    }

    void oddFigures()
    {
        Outcome odd;
        odd.tokensPerSecond = std::numeric_limits<double>::infinity();
        QCOMPARE(app::outcomeToJson(odd)[u"tokensPerSecond"].toDouble(-1), 0.0);
        const Outcome read = app::outcomeFromJson(
            { { "finish", "tomorrow" }, { "tokens", -7 }, { "promptTokens", QJsonArray { 1 } } });
        QCOMPARE(read.finish, Outcome::Finish::End);
        QCOMPARE(read.tokens, 0U);
        QCOMPARE(read.promptTokens, 0U);
    }
};

QTEST_GUILESS_MAIN(TestChatRecords)
#include "tst_chat_records.moc"
