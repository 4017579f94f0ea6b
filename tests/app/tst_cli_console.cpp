// What the commands share: texts for people, base64, the option table.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/options.h"

#include <QTest>

using namespace app::cli;

class TestCliConsole : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void untrustedTextCannotSteerATerminal()
    {
        const std::string text("a\x1b[31m\0ü\xff\xc2\x9b\n", 13);
        QCOMPARE(printable(text), std::string("a\\x1b[31m\\x00ü\\xff\\xc2\\x9b\\n"));
        QCOMPARE(terminalSafe("x\x1b\ty\n"), std::string("x\xEF\xBF\xBD\ty\n"));
        QCOMPARE(printable("日本🦊"), std::string("日本🦊"));
    }

    void utf8IsChecked_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("valid");
        QTest::newRow("empty") << QByteArray() << true;
        QTest::newRow("ascii") << QByteArray("abc") << true;
        QTest::newRow("four bytes") << QByteArray("\xF0\x9F\xA6\x8A") << true;
        QTest::newRow("cut") << QByteArray("\xF0\x9F\xA6") << false;
        QTest::newRow("lone continuation") << QByteArray("\x80") << false;
        QTest::newRow("overlong") << QByteArray("\xC0\xAF") << false;
        QTest::newRow("overlong three") << QByteArray("\xE0\x80\xAF") << false;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << false;
        QTest::newRow("past the last") << QByteArray("\xF4\x90\x80\x80") << false;
    }
    void utf8IsChecked()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, valid);
        QCOMPARE(isUtf8(std::string_view(bytes.data(), static_cast<std::size_t>(bytes.size()))),
                 valid);
    }

    void base64()
    {
        QCOMPARE(toBase64(""), std::string(""));
        QCOMPARE(toBase64("f"), std::string("Zg=="));
        QCOMPARE(toBase64("fo"), std::string("Zm8="));
        QCOMPARE(toBase64("foo"), std::string("Zm9v"));
        QCOMPARE(toBase64(std::string("\0\xff\xfe", 3)), std::string("AP/+"));
    }

    void tablesAlign()
    {
        Table table({ { "name" }, { "n", Align::Right } });
        table.add({ "ä", "1" });
        table.add({ "longer", "100" });
        QCOMPARE(table.text(), std::string("name      n\nä         1\nlonger  100\n"));
    }

    void optionsAreRead()
    {
        const std::vector<Option> table { flag("json", ""), text("model", "FILE", "", 'm'),
                                          integer("n-predict", "N", "", -1, 100, 'n'),
                                          number("temp", "T", "", 0, 2) };
        const std::vector<std::string> words { "a",    "-m",     "x.gguf", "--temp=0.5",
                                               "-n-1", "--json", "--",     "-b" };
        const auto parsed = Arguments::parse(table, words);
        QVERIFY(parsed.has_value());
        QVERIFY(parsed->has("json"));
        QCOMPARE(parsed->text("model").value_or(""), std::string("x.gguf"));
        QCOMPARE(parsed->number("temp", 9), 0.5);
        QCOMPARE(parsed->integer("n-predict", 9), std::int64_t { -1 });
        QCOMPARE(parsed->positionals(), (std::vector<std::string> { "a", "-b" }));
    }

    void wrongOptionsAreRefused_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("mention");
        QTest::newRow("unknown") << "--nope"
                                 << "unknown option --nope";
        QTest::newRow("misspelt") << "--modell x"
                                  << "did you mean --model?";
        QTest::newRow("no value") << "--model"
                                  << "needs a value";
        QTest::newRow("value for a flag") << "--json=1"
                                          << "takes no value";
        QTest::newRow("no number") << "-n x"
                                   << "whole number from -1 to 100";
        QTest::newRow("trailing") << "-n 1x"
                                  << "whole number";
        QTest::newRow("too large") << "-n 101"
                                   << "whole number";
        QTest::newRow("fraction") << "-n 1.5"
                                  << "whole number";
        QTest::newRow("huge") << "-n 99999999999999999999"
                              << "whole number";
        QTest::newRow("not finite") << "--temp nan"
                                    << "a number from 0 to 2";
        QTest::newRow("choice") << "--mode x"
                                << "one of a|b";
    }
    void wrongOptionsAreRefused()
    {
        QFETCH(QString, words);
        QFETCH(QString, mention);
        const std::vector<Option> table { flag("json", ""), text("model", "FILE", "", 'm'),
                                          integer("n-predict", "N", "", -1, 100, 'n'),
                                          number("temp", "T", "", 0, 2),
                                          choice("mode", "a|b", "") };
        std::vector<std::string> list;
        for (const auto& word : words.split(QLatin1Char(' '))) {
            list.push_back(word.toStdString());
        }
        const auto parsed = Arguments::parse(table, list);
        QVERIFY(!parsed.has_value());
        QCOMPARE(parsed.error().status, ExitStatus::Usage);
        QVERIFY2(QString::fromStdString(parsed.error().line).contains(mention),
                 parsed.error().line.c_str());
    }
};

QTEST_APPLESS_MAIN(TestCliConsole)
#include "tst_cli_console.moc"
