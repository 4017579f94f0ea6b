// The command line of the application.
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/options.h"

#include <QTest>

using Action = CommandLine::Action;

class TestOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEverything()
    {
        const CommandLine line =
            parseCommandLine({ "a.gguf", "--page", "settings", "--prompt", "Why?", "--theme=dark",
                               "--size", "1280x720", "--scale", "1.5", "--screenshot", "x.png",
                               "--temp", "0", "--print-answer", "b.gguf" });
        QCOMPARE(line.action, Action::Run);
        const Options& options = line.options;
        QCOMPARE(options.files, (QStringList { "a.gguf", "b.gguf" }));
        QCOMPARE(options.page, QString("settings"));
        QCOMPARE(options.prompt, QString("Why?"));
        QCOMPARE(options.theme, QString("dark"));
        QCOMPARE(options.size, QSize(1280, 720));
        QCOMPARE(options.scale, 1.5);
        QCOMPARE(options.screenshot, QString("x.png"));
        QCOMPARE(options.temperature, std::optional<float>(0.0F));
        QVERIFY(options.printAnswer);
        QVERIFY(options.isBatch());
    }

    void hasDefaults()
    {
        const CommandLine line = parseCommandLine({});
        QCOMPARE(line.action, Action::Run);
        QVERIFY(line.options.files.isEmpty());
        QCOMPARE(line.options.page, QString());
        QVERIFY(!line.options.size.isValid());
        QVERIFY(!line.options.temperature);
        QVERIFY(!line.options.isBatch());
    }

    void inspectsWithoutLoading()
    {
        QVERIFY(parseCommandLine({ "a.gguf", "--page", "inspect" }).options.isInspection());
        QVERIFY(!parseCommandLine({ "--page", "inspect" }).options.isInspection());
        QVERIFY(!parseCommandLine({ "a.gguf" }).options.isInspection());
        // A question needs the model.
        QVERIFY(!parseCommandLine({ "a.gguf", "--page", "inspect", "--prompt", "Why?" })
                     .options.isInspection());
    }

    void takesAnyFileName()
    {
        QCOMPARE(parseCommandLine({ "--", "--odd.gguf", "-x" }).options.files,
                 (QStringList { "--odd.gguf", "-x" }));
        QCOMPARE(parseCommandLine({ "file:///tmp/a%20b.gguf" }).options.files,
                 QStringList { "/tmp/a b.gguf" });
        // The value of an option may look like one.
        QCOMPARE(parseCommandLine({ "--prompt", "--help" }).options.prompt, QString("--help"));
        QCOMPARE(parseCommandLine({ "--prompt=a=b" }).options.prompt, QString("a=b"));
    }

    void refuses_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("unknown option") << QStringList { "--frobnicate" };
        QTest::newRow("unknown short option") << QStringList { "-x" };
        QTest::newRow("page that is not built") << QStringList { "--page", "compare" };
        QTest::newRow("no value") << QStringList { "--theme" };
        QTest::newRow("wrong theme") << QStringList { "--theme", "pink" };
        QTest::newRow("no size") << QStringList { "--size", "large" };
        QTest::newRow("tiny size") << QStringList { "--size", "1x1" };
        QTest::newRow("huge size") << QStringList { "--size", "99999x99999" };
        QTest::newRow("half a size") << QStringList { "--size", "800x" };
        QTest::newRow("no scale") << QStringList { "--scale", "x" };
        QTest::newRow("scale of nothing") << QStringList { "--scale", "0" };
        QTest::newRow("scale not a number") << QStringList { "--scale", "nan" };
        QTest::newRow("negative temperature") << QStringList { "--temp", "-1" };
        QTest::newRow("temperature without end") << QStringList { "--temp", "inf" };
        QTest::newRow("empty prompt") << QStringList { "--prompt", " " };
        QTest::newRow("empty screenshot") << QStringList { "--screenshot=" };
        QTest::newRow("answer without question") << QStringList { "a.gguf", "--print-answer" };
        QTest::newRow("answer without model") << QStringList { "--prompt", "x", "--print-answer" };
    }

    void refuses()
    {
        QFETCH(QStringList, arguments);
        const CommandLine line = parseCommandLine(arguments);
        QCOMPARE(line.action, Action::Wrong);
        QVERIFY(!line.complaint.isEmpty());
        QVERIFY(!line.complaint.contains('\n'));
    }

    void explains()
    {
        QCOMPARE(parseCommandLine({ "--help" }).action, Action::Help);
        QCOMPARE(parseCommandLine({ "a.gguf", "--version" }).action, Action::Version);
        for (const char* option : { "--page", "--prompt", "--temp", "--theme", "--size", "--scale",
                                    "--print-answer", "--screenshot", "--help", "--version" }) {
            QVERIFY2(helpText().contains(option), option);
        }
        QVERIFY(versionText().startsWith("vitrine "));
    }
};

QTEST_APPLESS_MAIN(TestOptions)
#include "tst_options.moc"
