// The tree of a chat's messages: branches, siblings, deleting and undoing.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/message_tree.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using app::MessageId;
using app::MessageRecord;
using app::MessageTree;

namespace {

MessageRecord message(MessageId id, MessageId parent)
{
    MessageRecord record;
    record.id = id;
    record.parent = parent;
    record.created = id;
    record.role = id % 2 == 1 ? MessageRecord::Role::User : MessageRecord::Role::Assistant;
    return record;
}

/// 1 → 2 → 3 → 4; 2 has the sibling 12, which is followed by 13 → 14.
MessageTree sample(MessageId leaf)
{
    MessageTree tree;
    tree.reset({ message(1, 0), message(2, 1), message(3, 2), message(4, 3), message(12, 1),
                 message(13, 12), message(14, 13) },
               leaf);
    return tree;
}

using Ids = QList<MessageId>;

} // namespace

class TestMessageTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsABranch()
    {
        QCOMPARE(sample(4).path(), (Ids { 1, 2, 3, 4 }));
        QCOMPARE(sample(14).path(), (Ids { 1, 12, 13, 14 }));
        QCOMPARE(sample(99).path(), (Ids { 1, 12, 13, 14 })); // lost: the newest
        MessageTree tree = sample(4);
        QCOMPARE(tree.siblings(2), (Ids { 2, 12 }));
        tree.show(12);
        QCOMPARE(tree.path(), (Ids { 1, 12, 13, 14 }));
        tree.add(message(21, 2));
        QCOMPARE(tree.path(), (Ids { 1, 2, 21 }));
        QCOMPARE(tree.siblings(21), (Ids { 3, 21 }));
    }

    void deletesATurnAndUndoes()
    {
        MessageTree tree;
        tree.reset({ message(1, 0), message(2, 1), message(3, 2), message(4, 3), message(5, 4),
                     message(6, 5) },
                   6);
        const Ids gone = tree.turn(3);
        QCOMPARE(gone, (Ids { 3, 4 }));
        tree.setDeleted(gone, true);
        QCOMPARE(tree.path(), (Ids { 1, 2, 5, 6 }));
        QCOMPARE(tree.parentOf(5), MessageId(2));
        tree.setDeleted(gone, false, 6);
        QCOMPARE(tree.path(), (Ids { 1, 2, 3, 4, 5, 6 }));
        tree.setDeleted(tree.turn(5), true);
        QCOMPARE(tree.path(), (Ids { 1, 2, 3, 4 }));
        tree.setDeleted(tree.turn(1), true);
        tree.setDeleted(tree.turn(3), true);
        QCOMPARE(tree.path(), Ids());
    }

    void deletesOneOfSeveralAnswers()
    {
        MessageTree tree = sample(4);
        const Ids gone = tree.below(2);
        QCOMPARE(gone, (Ids { 2, 3, 4 }));
        tree.setDeleted(gone, true);
        QCOMPARE(tree.path(), (Ids { 1, 12, 13, 14 }));
        QCOMPARE(tree.siblings(12), (Ids { 12 }));
        tree.setDeleted(gone, false, 4);
        QCOMPARE(tree.path(), (Ids { 1, 2, 3, 4 }));
    }

    void discards()
    {
        MessageTree tree = sample(4);
        tree.discard(3);
        QCOMPARE(tree.path(), (Ids { 1, 2 }));
        QVERIFY(!tree.contains(4));
    }

    // A damaged file must not hang the window.
    void survivesLoopsAndLostParents()
    {
        MessageTree tree;
        tree.reset({ message(1, 2), message(2, 1), message(3, 77), message(4, 4), message(6, 3) },
                   6);
        QCOMPARE(tree.path(), (Ids { 3, 6 }));
    }

    // A long conversation is read in a time that grows with its length only.
    void longConversation()
    {
        constexpr int kMessages = 20'000;
        QList<MessageRecord> messages;
        for (int id = 1; id <= kMessages; ++id) {
            messages << message(id, id - 1);
        }
        MessageTree tree;
        QElapsedTimer clock;
        clock.start();
        tree.reset(messages, kMessages);
        QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(tree.path().size(), kMessages);
        QCOMPARE(tree.path().constFirst(), MessageId(1));
    }

    // Whatever is done in whatever order, the branch is sound, and undoing all brings all back.
    void anyOrder()
    {
        QRandomGenerator random(20260301);
        for (int round = 0; round < 50; ++round) {
            MessageTree tree;
            QList<QPair<Ids, MessageId>> deletions; // what, and the leaf before
            MessageId next = 1; // always odd: a question
            for (int step = 0; step < 60; ++step) {
                const quint32 what = tree.path().isEmpty() ? 0 : random.bounded(6U);
                const MessageId any =
                    what == 0 ? 0 : tree.path()[random.bounded(tree.path().size())];
                if (what <= 1) {
                    tree.add(message(next, tree.leaf()));
                    tree.add(message(next + 1, next));
                    next += 2;
                } else if (what == 2 && tree.leaf() % 2 == 0) { // another answer
                    tree.add(message(next + 1, tree.parentOf(tree.leaf())));
                    next += 2;
                } else if (what == 3) {
                    const Ids siblings = tree.siblings(any);
                    tree.show(siblings[random.bounded(siblings.size())]);
                } else if (what == 4) {
                    const Ids gone = any % 2 == 1 ? tree.turn(any) : tree.below(any);
                    deletions.append({ gone, tree.leaf() });
                    tree.setDeleted(gone, true);
                } else if (!deletions.isEmpty()) {
                    const auto last = deletions.takeLast();
                    tree.setDeleted(last.first, false, last.second);
                    QCOMPARE(tree.leaf(), last.second);
                }
                QVERIFY(isSound(tree));
            }
            while (!deletions.isEmpty()) {
                const auto last = deletions.takeLast();
                tree.setDeleted(last.first, false, last.second);
                QVERIFY(isSound(tree));
            }
            for (MessageId id = 1; id < next; ++id) {
                QVERIFY(!tree.contains(id) || !tree.at(id).deleted);
            }
        }
    }

private:
    /// The branch begins at the top, each message hangs on the one before, and none is deleted.
    static bool isSound(const MessageTree& tree)
    {
        MessageId above = 0;
        for (const MessageId id : tree.path()) {
            if (!tree.contains(id) || tree.at(id).deleted || tree.parentOf(id) != above
                || !tree.siblings(id).contains(id)) {
                return false;
            }
            above = id;
        }
        return tree.leaf() == above;
    }
};

QTEST_APPLESS_MAIN(TestMessageTree)
#include "tst_message_tree.moc"
