// Log lines: warnings by default, more with VITRINE_LOG, Qt's messages among them.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/logging.h"

#include <QLoggingCategory>
#include <QProcess>
#include <QTest>

namespace {

// The test calls itself as the program that logs, with this variable set.
constexpr auto kChild = "VITRINE_TEST_LOGGING_CHILD";

int logSomething()
{
    static const QLoggingCategory category("some.category");
    app::initLogging();
    app::initLogging();
    qDebug("a detail");
    qInfo("an info");
    qWarning("a warning");
    qCCritical(category, "a failure");
    return 0;
}

QString runWith(const QString& level)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(kChild), QStringLiteral("1"));
    environment.remove(QStringLiteral("QT_LOGGING_RULES"));
    environment.remove(QStringLiteral("VITRINE_LOG"));
    if (!level.isEmpty()) {
        environment.insert(QStringLiteral("VITRINE_LOG"), level);
    }
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath());
    if (!process.waitForFinished(20'000) || process.exitCode() != 0) {
        return QStringLiteral("did not run");
    }
    return process.readAllStandardOutput().isEmpty()
        ? QString::fromUtf8(process.readAllStandardError())
        : QStringLiteral("wrote to standard output");
}

} // namespace

class TestLogging : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void levels_data()
    {
        QTest::addColumn<QString>("level");
        QTest::addColumn<QStringList>("shown");
        QTest::addColumn<QStringList>("hidden");
        const QString detail = QStringLiteral("a detail");
        const QString info = QStringLiteral("an info");
        const QString warning = QStringLiteral("a warning");
        const QString failure = QStringLiteral("some.category: a failure");
        QTest::newRow("usual") << QString() << QStringList { warning, failure }
                               << QStringList { detail, info };
        QTest::newRow("debug") << QStringLiteral("debug")
                               << QStringList { detail, info, warning, failure } << QStringList();
        QTest::newRow("ERROR") << QStringLiteral("ERROR") << QStringList { failure }
                               << QStringList { detail, info, warning };
        QTest::newRow("off") << QStringLiteral("off") << QStringList()
                             << QStringList { detail, info, warning, failure };
        QTest::newRow("mistyped") << QStringLiteral(
            "debg") << QStringList { QStringLiteral("VITRINE_LOG=debg"), warning, failure }
                                  << QStringList { detail, info };
    }

    void levels()
    {
        QFETCH(QString, level);
        QFETCH(QStringList, shown);
        QFETCH(QStringList, hidden);
        const QString lines = runWith(level);
        for (const QString& text : shown) {
            QVERIFY2(lines.contains(text), qPrintable(lines));
        }
        for (const QString& text : hidden) {
            QVERIFY2(!lines.contains(text), qPrintable(lines));
        }
        QVERIFY2(!lines.contains(QStringLiteral("did not run")), qPrintable(lines));
        QVERIFY2(!lines.contains(QStringLiteral("standard output")), qPrintable(lines));
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet(kChild)) {
        return logSomething();
    }
    QCoreApplication application(argc, argv);
    TestLogging test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_logging.moc"
