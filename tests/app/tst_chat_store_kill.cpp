// A program that is killed while an answer streams loses at most the last second.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_database.h"
#include "app/services/chat_store.h"
#include "chat_samples.h"

#include <QDateTime>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cstdio>
#include <cstring>

using app::ChatStore;
using app::MessageRecord;

namespace {

constexpr int kSaveEveryMs = 50;
constexpr int kMayLoseMs = 1000;
constexpr qsizetype kNumberLength = 10;

/// The program that is killed: an answer that grows; each save's number and time go to standard
/// output.
int streamAnAnswer(QCoreApplication& application, const QString& folder)
{
    ChatStore store(folder);
    MessageRecord answer = tests::sampleMessage(1, 12, 0, {});
    answer.whole = false;
    answer.outcome.reset();
    store.saveChat(tests::sampleChat(1, "t"));
    QTimer timer;
    int number = 0;
    QObject::connect(&timer, &QTimer::timeout, &store, [&] {
        answer.text += QString("%1").arg(++number, kNumberLength) + QString(2000, u'x');
        store.saveMessage(answer);
        std::printf("%d %lld\n", number, QDateTime::currentMSecsSinceEpoch());
        std::fflush(stdout);
    });
    timer.start(kSaveEveryMs);
    return application.exec();
}

} // namespace

class TestChatStoreKill : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void losesAtMostASecond()
    {
        const QTemporaryDir directory;
        const QString folder = directory.filePath("vitrine");
        qint64 worst = 0;
        for (int round = 0; round < 4; ++round) {
            QProcess process;
            process.start(QCoreApplication::applicationFilePath(), { "--stream", folder });
            QVERIFY(process.waitForStarted());
            QByteArray output;
            const auto hasStreamed = [&process, &output] {
                output += process.readAllStandardOutput();
                return output.count('\n') > 8;
            };
            QTRY_VERIFY_WITH_TIMEOUT(hasStreamed(), 30000);
            QTest::qWait(int(QRandomGenerator::global()->bounded(800)));
            process.kill();
            QVERIFY(process.waitForFinished());
            output += process.readAllStandardOutput();
            QHash<int, qint64> savedAt;
            int last = 0;
            for (const QByteArray& line : output.split('\n')) {
                const auto parts = line.split(' ');
                if (parts.size() == 2) {
                    last = parts[0].toInt();
                    savedAt[last] = parts[1].toLongLong();
                }
            }
            {
                tests::OtherConnection other(folder + "/chats.db");
                QCOMPARE(other.run("PRAGMA integrity_check").toString(), "ok");
            }
            // Without a thread here: the thread sanitizer allows no processes to start beside one.
            app::ChatDatabase database;
            QVERIFY(database.open(folder + "/chats.db"));
            QVERIFY(database.purge());
            const auto messages = (**database.load(1)).messages;
            QCOMPARE(messages.size(), 1);
            QVERIFY(messages[0].whole);
            const int kept = int(messages[0].text.size() / (kNumberLength + 2000));
            QVERIFY(kept > 0 && kept <= last);
            const qint64 lost = savedAt[last] - savedAt[kept];
            worst = std::max(worst, lost);
            QVERIFY2(lost <= kMayLoseMs, qPrintable(QString("%1 ms").arg(lost)));
            app::ChatWrites anew;
            anew.setMessageDeleted(12, true);
            QVERIFY(database.write(anew));
            QVERIFY(database.purge());
        }
        qInfo("at most %lld ms lost", worst);
    }
};

int main(int argc, char* argv[])
{
    QCoreApplication application(argc, argv);
    if (argc == 3 && std::strcmp(argv[1], "--stream") == 0) {
        return streamAnAnswer(application, QString::fromLocal8Bit(argv[2]));
    }
    TestChatStoreKill test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_chat_store_kill.moc"
