// vitrine-cli as a whole: help, version, wrong usage, files that cannot be opened.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using tests::runCli;

class TestCliUsage : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    [[nodiscard]] QString written(const QString& name, const QByteArray& bytes) const
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path
                                                                                    : QString();
    }

private Q_SLOTS:
    void versionNamesTheBuild()
    {
        const auto result = runCli({ "--version" });
        QCOMPARE(result.status, 0);
        for (const char* part :
             { "vitrine-cli 0.", "compiler:", "build type:", "instruction sets in use:" }) {
            QVERIFY2(result.out.contains(part), part);
        }
        QVERIFY(result.err.isEmpty());
    }

    void helpOnEveryLevel()
    {
        const auto overview = runCli({ "--help" });
        QCOMPARE(overview.status, 0);
        const QStringList commands { "inspect",  "check",      "tokenize", "detokenize",
                                     "template", "logits",     "generate", "chat",
                                     "bench",    "synthesize", "devices",  "selftest" };
        for (const auto& command : commands) {
            QVERIFY2(overview.out.contains("\n  " + command.toUtf8()), qPrintable(command));
            const auto help = runCli({ command, "--help" });
            QCOMPARE(help.status, 0);
            QVERIFY(help.out.startsWith("vitrine-cli " + command.toUtf8() + ": "));
            QVERIFY(help.out.contains("--json"));
            QVERIFY(help.err.isEmpty());
            QCOMPARE(runCli({ "help", command }).out, help.out);
        }
        for (const char* later : { "quantize", "imatrix", "compare" }) {
            QVERIFY2(!overview.out.contains(QByteArray("\n  ") + later), later);
        }
    }

    void wrongUsageIsStatusTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mention");
        const auto row = [](const char* name, const QStringList& arguments, const char* mention) {
            QTest::newRow(name) << arguments << mention;
        };
        row("nothing", {}, "a command is needed");
        row("unknown command", { "chta" }, "did you mean chat?");
        row("later command", { "quantize", "a", "b", "Q4_0" }, "unknown command");
        row("unknown option", { "inspect", "x.gguf", "--fulll" }, "did you mean --full?");
        row("no file", { "inspect" }, "usage: inspect FILE");
        row("two files", { "inspect", "a", "b" }, "no place for \"b\"");
        row("block without tensor", { "inspect", "a.gguf", "--block", "1" }, "--tensor");
        row("no model", { "tokenize", "--text", "x" }, "-m FILE.gguf");
        row("no ids", { "detokenize", "-m", "x" }, "--ids");
        row("bad ids", { "detokenize", "-m", "x", "--ids", "1,a" }, "1,15043");
        row("bad mode", { "detokenize", "-m", "x", "--ids", "1", "--mode", "loud" }, "one of");
        row("no variables", { "template", "-m", "x" }, "--messages");
        row("no template", { "template", "--messages", "x" }, "--template FILE");
        row("bad date", { "template", "-m", "x", "--messages", "y", "--date", "2026-02-30" },
            "--date needs a day");
        row("no tokens", { "logits", "-m", "x" }, "--tokens");
        row("empty tokens", { "logits", "-m", "x", "--tokens", "" }, "one token id");
        row("no prompt", { "generate", "-m", "x" }, "-p TEXT");
        row("two prompts", { "generate", "-m", "x", "-p", "a", "--tokens", "1" }, "either");
        row("no threads", { "generate", "-m", "x", "-p", "a", "--threads", "0" }, "--threads");
        row("unknown device", { "generate", "-m", "x", "-p", "a", "--device", "tpu" }, "--device");
        row("wrong number", { "bench", "-m", "x", "--device", "vulkan:x" }, "vulkan[:N]");
        row("nothing to test", { "selftest" }, "--device");
        row("unknown cache", { "generate", "-m", "x", "-p", "a", "--cache-type", "q2" }, "one of");
        row("no bench", { "bench" }, "--synthetic SHAPE:TYPE");
        row("nothing to bench", { "bench", "-m", "x", "-p", "0", "-n", "0" }, "nothing to measure");
        row("csv and json", { "bench", "-m", "x", "--csv", "--json" }, "exclude");
        row("unknown shape", { "synthesize", "7B:Q4_0", "x" }, "135M, 1.1B, 3B and 8B");
        row("unknown type", { "synthesize", "8B:Q9", "x" }, "Q8_0");
    }
    void wrongUsageIsStatusTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mention);
        const auto result = runCli(arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(mention.toUtf8()), result.err);
        QVERIFY2(result.err.contains("--help"), result.err);
        QVERIFY(result.out.isEmpty());
    }

    /// Known to the contract, but not in this build: a clear line, and the work has failed.
    void whatThisBuildLacksIsSaid()
    {
        const QStringList base { "generate", "-m", "x.gguf", "-p", "a" };
        const auto cache = runCli(base + QStringList { "--cache-type", "q8_0" });
        QCOMPARE(cache.status, 1);
        QVERIFY(cache.err.contains("f32 or f16"));
    }

    /// Before the model is looked at.
    void devicesThatAreNotThere()
    {
        const QStringList base { "generate", "-m", "x.gguf", "-p", "a", "--device" };
        const auto number = runCli(base + QStringList { "vulkan:99" });
        QCOMPARE(number.status, 1);
        QVERIFY2(number.err.contains("no Vulkan device 99")
                     || number.err.contains("Vulkan cannot be used"),
                 number.err);
        const auto restore = qScopeGuard([] {
            qunsetenv("VK_DRIVER_FILES");
            qunsetenv("VK_ICD_FILENAMES");
        });
        qputenv("VK_DRIVER_FILES", "/nonexistent");
        qputenv("VK_ICD_FILENAMES", "/nonexistent");
        for (const char* device : { "vulkan", "vulkan:0" }) {
            const auto none = runCli(base + QStringList { device });
            QCOMPARE(none.status, 1);
            QVERIFY2(none.err.contains("Vulkan cannot be used on this machine"), none.err);
        }
        const auto automatic = runCli(base + QStringList { "auto" });
        QVERIFY2(automatic.err.contains("x.gguf"), automatic.err); // goes on to the model
    }

    void badFiles_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("mention");
        QTest::newRow("missing") << m_folder.filePath("nowhere.gguf") << "no such file";
        QTest::newRow("directory") << m_folder.path() << "directory";
        QTest::newRow("empty") << written("empty.gguf", "") << "empty";
        QTest::newRow("foreign") << written("page.gguf", "<!DOCTYPE html><html></html>") << "html";
        QTest::newRow("short") << written("short.gguf", "GGU") << "magic";
        QTest::newRow("device") << QStringLiteral("/dev/null") << "regular";
        if (geteuid() != 0) { // root reads everything
            const QString locked = written("locked.gguf", "GGUF");
            QFile::setPermissions(locked, {});
            QTest::newRow("locked") << locked << "permission";
        }
    }
    void badFiles()
    {
        QFETCH(QString, path);
        QFETCH(QString, mention);
        const QList<QStringList> lines { { "inspect", path },
                                         { "tokenize", "-m", path, "--text", "x" },
                                         { "detokenize", "-m", path, "--ids", "1" },
                                         { "template", "-m", path, "--messages", "x" },
                                         { "logits", "-m", path, "--tokens", "1" },
                                         { "generate", "-m", path, "-p", "x" },
                                         { "chat", "-m", path, "-p", "x" },
                                         { "bench", "-m", path } };
        for (const auto& line : lines) {
            const auto result = runCli(line);
            QVERIFY2(result.status == 1, qPrintable(line[0] + ": " + result.err));
            QCOMPARE(result.err.count('\n'), 1);
            QVERIFY2(result.err.contains(path.toUtf8()), result.err);
            QVERIFY2(result.err.toLower().contains(mention.toUtf8()), result.err);
            QVERIFY(result.out.isEmpty());
        }
        const auto check = runCli({ "check", path, "--json" });
        QCOMPARE(check.status, 1);
        const auto verdict = check.json()[0];
        COMPARE_JSON(verdict["opens"], false);
        COMPARE_JSON(verdict["problems"][0]["severity"], "error");
    }

    void aFullDiskIsAFailure()
    {
        if (!QFile::exists(QStringLiteral("/dev/full"))) {
            QSKIP("there is no /dev/full here");
        }
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(tests::cliPath(), { "devices", "--json" });
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("standard output"));
    }
};

QTEST_GUILESS_MAIN(TestCliUsage)
#include "tst_cli_usage.moc"
