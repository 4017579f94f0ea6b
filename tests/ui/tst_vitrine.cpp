// The real program, run as a person would: help, version, wrong usage, no display, a picture.
// SPDX-License-Identifier: Apache-2.0
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Run
{
    int status = -1;
    QString out;
    QString error;
};

Run vitrine(const QStringList& arguments, const QString& home,
            const QMap<QString, QString>& environment = {})
{
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const char* name :
         { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "VITRINE_LOG", "XDG_RUNTIME_DIR" }) {
        variables.remove(name);
    }
    variables.insert("XDG_CONFIG_HOME", home);
    for (auto variable = environment.begin(); variable != environment.end(); ++variable) {
        variables.insert(variable.key(), variable.value());
    }
    process.setProcessEnvironment(variables);
    process.start(VITRINE_PROGRAM, arguments);
    Run run;
    if (process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit) {
        run.status = process.exitCode();
    }
    run.out = QString::fromUtf8(process.readAllStandardOutput());
    run.error = QString::fromUtf8(process.readAllStandardError());
    return run;
}

const QMap<QString, QString> kOffscreen { { "QT_QPA_PLATFORM", "offscreen" } };

} // namespace

class TestVitrine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void explainsWithoutADisplay()
    {
        const Run help = vitrine({ "--help" }, m_home.path());
        QCOMPARE(help.status, 0);
        QVERIFY(help.out.startsWith("Usage: vitrine"));
        QCOMPARE(help.error, QString());
        const Run version = vitrine({ "--version" }, m_home.path());
        QCOMPARE(version.status, 0);
        QVERIFY(version.out.startsWith("vitrine "));
    }

    void refusesWrongUsage()
    {
        const Run run = vitrine({ "--frobnicate" }, m_home.path());
        QCOMPARE(run.status, 2);
        QCOMPARE(run.out, QString());
        QVERIFY(run.error.startsWith("vitrine: There is no option --frobnicate"));
        QCOMPARE(run.error.count('\n'), 1);
    }

    void saysThatThereIsNoDisplay_data()
    {
        QTest::addColumn<QString>("display");
        QTest::newRow("none") << QString();
        QTest::newRow("nobody there") << ":4711";
    }

    void saysThatThereIsNoDisplay()
    {
        QFETCH(QString, display);
        const Run run =
            vitrine({}, m_home.path(),
                    display.isEmpty() ? QMap<QString, QString>()
                                      : QMap<QString, QString> { { "DISPLAY", display } });
        QCOMPARE(run.status, 1);
        QVERIFY2(run.error.startsWith("vitrine: "), qPrintable(run.error));
        QVERIFY2(run.error.contains("isplay"), qPrintable(run.error));
        QCOMPARE(run.error.count('\n'), 1);
    }

    void takesAPicture()
    {
        const QString path = m_home.filePath("picture.png");
        const Run run = vitrine({ "--screenshot", path, "--size", "800x600", "--theme", "dark" },
                                m_home.path(), kOffscreen);
        QVERIFY2(run.status == 0, qPrintable(run.error));
        QCOMPARE(run.error, QString());
        const QImage picture(path);
        QCOMPARE(picture.size(), QSize(800, 600));
        QVERIFY(picture.pixelColor(790, 300).lightness() < 60);
    }

    // A file is shown without being loaded for a conversation; a broken one just as well.
    void inspects()
    {
        const QString model = m_home.filePath("model.gguf");
        QFile file(model);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromHex("475547460300000000000000000000000000000000000000"));
        file.close();
        const QString path = m_home.filePath("inspect.png");
        const Run run = vitrine({ model, "--page", "inspect", "--screenshot", path, "--size",
                                  "1024x640", "--theme", "light" },
                                m_home.path(), kOffscreen);
        QVERIFY2(run.status == 0, qPrintable(run.error));
        QCOMPARE(run.error, QString());
        QCOMPARE(QImage(path).size(), QSize(1024, 640));
    }

    void scales()
    {
        const QString path = m_home.filePath("scaled.png");
        const Run run = vitrine({ "--screenshot", path, "--size", "640x480", "--scale", "2" },
                                m_home.path(), kOffscreen);
        QVERIFY2(run.status == 0, qPrintable(run.error));
        QCOMPARE(QImage(path).size(), QSize(1280, 960));
    }

    void saysWhyThereIsNoAnswer()
    {
        const Run run =
            vitrine({ m_home.filePath("missing.gguf"), "--prompt", "Hello?", "--print-answer" },
                    m_home.path(), kOffscreen);
        QCOMPARE(run.status, 1);
        QCOMPARE(run.out, QString());
        QVERIFY2(run.error.startsWith("vitrine: "), qPrintable(run.error));
        QCOMPARE(run.error.count('\n'), 1);
    }

private:
    QTemporaryDir m_home;
};

QTEST_GUILESS_MAIN(TestVitrine)
#include "tst_vitrine.moc"
