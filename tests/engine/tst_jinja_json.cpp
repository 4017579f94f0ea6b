// tojson with each of its arguments, as Python's json.dumps gives them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/template_cases.h"

#include <QTest>

#include <nlohmann/json.hpp>

class TestJinjaJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void arguments_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* arguments, const char* text) {
            QTest::newRow(arguments) << QString(text);
        };
        const char* const flat = "{'b': [1, 2.5, 'é~'], 'a': {'z': null, 'y': true}}";
        row("", flat);
        row("indent=none, separators=none", flat);
        row("false, none, none, false", flat);
        row("indent=2",
            "{\n  'b': [\n    1,\n    2.5,\n    'é~'\n  ],\n  'a': {\n    'z': null,\n    'y': "
            "true\n  }\n}");
        row("indent=0", "{\n'b': [\n1,\n2.5,\n'é~'\n],\n'a': {\n'z': null,\n'y': true\n}\n}");
        row("indent=-1", "{\n'b': [\n1,\n2.5,\n'é~'\n],\n'a': {\n'z': null,\n'y': true\n}\n}");
        row("indent='--'",
            "{\n--'b': [\n----1,\n----2.5,\n----'é~'\n--],\n--'a': {\n----'z': null,\n----'y': "
            "true\n--}\n}");
        row("indent=2, separators=(',', ':')",
            "{\n  'b':[\n    1,\n    2.5,\n    'é~'\n  ],\n  'a':{\n    'z':null,\n    'y':true\n  "
            "}\n}");
        row("separators=['; ', ' = ']", "{'b' = [1; 2.5; 'é~']; 'a' = {'z' = null; 'y' = true}}");
        row("sort_keys=true, indent=1",
            "{\n 'a': {\n  'y': true,\n  'z': null\n },\n 'b': [\n  1,\n  2.5,\n  'é~'\n ]\n}");
        row("ensure_ascii=true, sort_keys=true",
            "{'a': {'y': true, 'z': null}, 'b': [1, 2.5, '\\u00e9~']}");
        row("true, none, (',', ':'), true", "{'a':{'y':true,'z':null},'b':[1,2.5,'\\u00e9~']}");
    }
    void arguments()
    {
        QFETCH(QString, text);
        const std::string source = "{{ x | tojson(" + std::string(QTest::currentDataTag()) + ") }}";
        const auto x =
            nlohmann::ordered_json::parse(R"({"b": [1, 2.5, "é~"], "a": {"z": null, "y": true}})");
        const auto result = tests::render(source, tests::toValue({ { "x", x } }));
        QCOMPARE(QString::fromStdString(result.slug + result.text), text.replace('\'', '"'));
    }

    void wrongArguments_data()
    {
        QTest::addColumn<bool>("ignored");
        for (const char* arguments : { "separators=','", "separators=(',', 1)", "separators=(1,)",
                                       "indent=[]", "colour=1", "1, 2, none, 4, 5" }) {
            QTest::newRow(arguments) << true;
        }
    }
    void wrongArguments()
    {
        const std::string source = "{{ x | tojson(" + std::string(QTest::currentDataTag()) + ") }}";
        QCOMPARE(QString::fromStdString(tests::render(source, tests::toValue({ { "x", 1 } })).slug),
                 QString("template-runtime"));
    }
};

QTEST_APPLESS_MAIN(TestJinjaJson)
#include "tst_jinja_json.moc"
