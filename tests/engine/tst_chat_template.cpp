// Published chat templates, rendered byte for byte as Python does.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/support/template_cases.h"

#include <QTest>

#include <algorithm>

class TestChatTemplate : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void published_data();
    void published();
};

void TestChatTemplate::published_data()
{
    QTest::addColumn<QString>("folder");
    const auto pack = tests::conformanceDir("templates");
    if (!pack) {
        QSKIP(tests::missing("templates").c_str());
    }
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(*pack)) {
        if (std::filesystem::exists(entry.path() / "template.jinja")) {
            names.push_back(entry.path().filename());
        }
    }
    if (names.empty()) {
        QSKIP("the pack has no published templates (set VITRINE_CONFORMANCE_DIR)");
    }
    std::sort(names.begin(), names.end());
    for (const auto& name : names) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void TestChatTemplate::published()
{
    static const QStringList kRequired = { "smollm2",         "chatml",    "llama-2-chat",
                                           "llama-3",         "llama-3.1", "mistral-7b-v0.1",
                                           "mistral-7b-v0.3", "zephyr" };
    constexpr int kSampleStep = 6;
    QFETCH(QString, folder);
    const auto path = *tests::conformanceDir("templates") / folder.toStdString();
    const std::string source = tests::readFile(path / "template.jinja");
    const auto cases = tests::readJson(path / "cases.json");
    QVERIFY2(cases.is_array() && !cases.empty(), "the cases cannot be read");
    const bool all = tests::fullRun() || kRequired.contains(folder);
    QStringList wrong;
    for (std::size_t i = 0; i < cases.size(); i += all ? 1 : kSampleStep) {
        const auto& test = cases[i];
        const auto result = tests::render(source, tests::caseVariables(test));
        const bool fails = test.contains("error");
        const bool right = fails
            ? result.slug == "template-raised" && result.message == test["error"]
            : result.slug.empty() && result.text == test["expected"];
        if (!right) {
            wrong += QString::fromStdString(test["name"].get<std::string>() + ": " + result.slug
                                            + " " + result.message + " " + result.subject);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
}

QTEST_APPLESS_MAIN(TestChatTemplate)
#include "tst_chat_template.moc"
