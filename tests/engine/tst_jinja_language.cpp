// The template language, snippet by snippet, against what Python's jinja2 makes of it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/support/template_cases.h"

#include <QTest>

#include <nlohmann/json.hpp>

class TestJinjaLanguage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void snippet_data();
    void snippet();
};

void TestJinjaLanguage::snippet_data()
{
    QTest::addColumn<QByteArray>("json");
    const auto folder = tests::conformanceDir("templates");
    if (!folder) {
        QSKIP(tests::missing("templates").c_str());
    }
    const auto cases = tests::readJson(*folder / "_language" / "cases.json");
    QVERIFY2(cases.is_array() && cases.size() >= 300, "the cases cannot be read");
    for (const auto& test : cases) {
        QTest::newRow(test["name"].get<std::string>().c_str())
            << QByteArray::fromStdString(test.dump());
    }
}

void TestJinjaLanguage::snippet()
{
    QFETCH(QByteArray, json);
    const auto test = nlohmann::ordered_json::parse(json.toStdString());
    const auto result =
        tests::render(test["template"].get<std::string>(), tests::toValue(test["context"]));
    if (test.contains("expected")) {
        QCOMPARE(QString::fromStdString(result.slug + result.message), QString());
        QCOMPARE(QString::fromStdString(result.text),
                 QString::fromStdString(test["expected"].get<std::string>()));
        return;
    }
    const std::string kind = test["kind"].get<std::string>();
    QCOMPARE(QString::fromStdString(result.slug), QString::fromStdString("template-" + kind));
    QVERIFY2(result.subject.starts_with("line "), result.subject.c_str());
    if (kind == "raised") {
        QCOMPARE(QString::fromStdString(result.message),
                 QString::fromStdString(test["error"].get<std::string>()));
    }
}

QTEST_APPLESS_MAIN(TestJinjaLanguage)
#include "tst_jinja_language.moc"
