// The models of messages and blocks, watched by Qt's model tester.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/message_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using engine::chat::Role;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

BlockModel* blocksOf(const MessageModel& model, int row)
{
    return model.data(model.index(row), MessageModel::BlocksRole).value<BlockModel*>();
}

QString textOf(const QAbstractItemModel& model, int row, int role)
{
    return model.data(model.index(row, 0), role).toString();
}

} // namespace

class TestMessageModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsTurns()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        QSignalSpy counts(&model, &MessageModel::countChanged);
        model.addTurn("Why?");
        QCOMPARE(model.count(), 2);
        QCOMPARE(counts.count(), 1);
        QVERIFY(model.data(model.index(0), MessageModel::QuestionRole).toBool());
        QVERIFY(!model.data(model.index(1), MessageModel::QuestionRole).toBool());
        QCOMPARE(textOf(model, 0, MessageModel::TextRole), QString("Why?"));
        QVERIFY(model.data(model.index(1), MessageModel::StreamingRole).toBool());

        model.appendToAnswer("Because ");
        model.appendToAnswer("of\n\n```py\nx");
        QCOMPARE(model.lastAnswer(), QString("Because of\n\n```py\nx"));
        model.finishAnswer("3 tokens");
        QVERIFY(!model.data(model.index(1), MessageModel::StreamingRole).toBool());
        QCOMPARE(textOf(model, 1, MessageModel::StatisticsRole), QString("3 tokens"));
        const BlockModel* blocks = blocksOf(model, 1);
        QVERIFY(blocks);
        QCOMPARE(blocks->rowCount(), 2);
        QCOMPARE(textOf(*blocks, 0, BlockModel::ContentRole), QString("Because of"));
        QCOMPARE(textOf(*blocks, 1, BlockModel::ContentRole), QString("x"));
        QCOMPARE(textOf(*blocks, 1, BlockModel::LanguageRole), QString("py"));

        model.addTurn("And?");
        model.finishAnswer("stopped by you");
        model.clear();
        QCOMPARE(model.count(), 0);
        model.clear();
    }

    void blocksGrowAtTheEnd()
    {
        BlockModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removals(&model, &QAbstractItemModel::rowsRemoved);
        const QString text = "One\n\nTwo\n```c\nint x;\n```\nThree\n\n``` Four";
        for (const QChar character : text) {
            model.append(QString(character));
        }
        model.finish();
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(inserts.count(), 5);
        QCOMPARE(removals.count(), 0);
        for (const auto& change : changes) {
            QCOMPARE(change.at(0).toModelIndex(), change.at(1).toModelIndex());
        }
        QVERIFY(model.data(model.index(4), BlockModel::CodeRole).toBool());
    }

    void takesTheLastTurnBack()
    {
        MessageModel model;
        const QAbstractItemModelTester tester(&model, Mode::QtTest);
        model.addTurn("One");
        model.appendToAnswer("1");
        model.finishAnswer({});
        model.addTurn("Two");
        model.finishAnswer({});
        QCOMPARE(model.takeLastTurn(), QString("Two"));
        QCOMPARE(model.count(), 2);
        QCOMPARE(model.lastAnswer(), QString("1"));
    }

    // Questions and answers in turn, whatever was stopped before its first word.
    void tellsTheConversation()
    {
        MessageModel model;
        QVERIFY(model.conversation().empty());
        model.addTurn("One");
        model.appendToAnswer("1");
        model.finishAnswer({});
        model.addTurn("Stopped at once");
        model.finishAnswer({});
        model.addTurn("Zwei – 二");
        const auto messages = model.conversation();
        QCOMPARE(messages.size(), std::size_t(3));
        QVERIFY(messages[0].role == Role::User);
        QVERIFY(messages[1].role == Role::Assistant);
        QCOMPARE(messages[1].content, std::string("1"));
        QVERIFY(messages[2].role == Role::User);
        QCOMPARE(messages[2].content, std::string("Zwei – 二"));
    }
};

QTEST_GUILESS_MAIN(TestMessageModel)
#include "tst_message_model.moc"
