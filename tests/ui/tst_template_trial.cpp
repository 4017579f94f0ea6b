// Chat templates on a short conversation: they work, refuse parts of it, fail, or never end.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/ui/template_file.h"
#include "ui/inspector/template_trial.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using Without = TemplateTrial::Without;

namespace {

const std::string kChatMl = "{%- for m in messages %}\n"
                            "{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}\n"
                            "{%- endfor %}\n"
                            "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
                            "{%- endif %}";

} // namespace

class TestTemplateTrial : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rendersTheConversation()
    {
        const auto trial = tried(kChatMl);
        QVERIFY(!trial.error);
        QVERIFY(trial.knowsTokens);
        QVERIFY(trial.without == Without::Nothing);
        QVERIFY(!trial.dropsSystem);
        const QString text = QString::fromStdString(trial.text);
        QVERIFY(text.startsWith("<|im_start|>system\nYou answer"));
        QVERIFY(text.endsWith("?<|im_end|>\n<|im_start|>assistant\n"));
        QCOMPARE(text.count("<|im_start|>"), 5);
        QCOMPARE(trial.specialTokens.size(), std::size_t { 9 });
        for (const auto& range : trial.specialTokens) {
            QVERIFY(trial.text.substr(range.begin, range.end - range.begin).starts_with("<|im_"));
        }
    }

    void knowsTheTokensOfTheVocabulary()
    {
        const auto trial = tried("{{ bos_token }}x{{ eos_token }}</S>");
        QCOMPARE(QString::fromStdString(trial.text), QString("<s>x</s></S>"));
        QCOMPARE(trial.specialTokens.size(), std::size_t { 2 });
        QCOMPARE(trial.specialTokens[1].begin, std::size_t { 4 });
        QCOMPARE(trial.specialTokens[1].end, std::size_t { 8 });
        QVERIFY(trial.dropsSystem); // and all else
    }

    void goesOnWithoutASystemMessage()
    {
        const auto trial = tried("{% if messages[0].role == 'system' %}\n"
                                 "{{ raise_exception('No system role') }}{% endif %}\n"
                                 + kChatMl);
        QVERIFY(trial.without == Without::System);
        QVERIFY(!trial.text.empty());
        QVERIFY(trial.text.find("You answer") == std::string::npos);
        QVERIFY(trial.error);
        QVERIFY(trial.error->code == engine::ErrorCode::TemplateRaised);
        QCOMPARE(QString::fromStdString(trial.error->where.subject), QString("line 2"));
    }

    void goesOnWithOneQuestion()
    {
        const auto trial = tried("{% if messages | length > 1 %}"
                                 "{{ raise_exception('One at a time') }}{% endif %}"
                                 + kChatMl);
        QVERIFY(trial.without == Without::EarlierTurns);
        QCOMPARE(QString::fromStdString(trial.text).count("<|im_start|>"), 2);
    }

    void tellsWhenTheSystemMessageIsDropped()
    {
        const auto trial = tried("{% for m in messages if m.role != 'system' %}{{ m.content }}"
                                 "{% endfor %}");
        QVERIFY(!trial.error);
        QVERIFY(trial.dropsSystem);
    }

    void tellsTheLineOfAnError()
    {
        const auto broken = tried("{% for m in messages %}\n\n{{ m. }}\n{% endfor %}");
        QVERIFY(broken.error);
        QVERIFY(broken.text.empty());
        QVERIFY(broken.error->code == engine::ErrorCode::TemplateSyntax);
        QCOMPARE(QString::fromStdString(broken.error->where.subject), QString("line 3"));
        const auto failing = tried("a\nb\nc\n{{ nothing() }}");
        QVERIFY(failing.error);
        QVERIFY(failing.text.empty());
        QCOMPARE(QString::fromStdString(failing.error->where.subject), QString("line 4"));
    }

    void endsWhatDoesNotEnd()
    {
        QElapsedTimer clock;
        clock.start();
        const auto trial = tried("{% for a in range(100000) %}{% for b in range(100000) %}"
                                 "{% endfor %}{% endfor %}");
        QVERIFY(trial.error);
        QVERIFY(trial.error->code == engine::ErrorCode::TemplateLimit);
        QVERIFY(clock.elapsed() < 10'000); // without a limit: hours
    }

    void worksWithoutAVocabulary()
    {
        const QString path = m_folder.filePath("plain.gguf");
        QVERIFY(tests::writeInspectorFile(path)); // does not say what kind its tokenizer is
        const auto trial = tryTemplate(tests::openFile(path), kChatMl);
        QVERIFY(!trial.knowsTokens);
        QVERIFY(!trial.text.empty());
        QVERIFY(trial.specialTokens.empty());
    }

    // What models were published with: text for each, and the system message as it is known of it.
    void rendersPublishedTemplates()
    {
        const auto folder = tests::conformanceDir("templates");
        if (!folder) {
            QSKIP("the pack has no published templates (set VITRINE_CONFORMANCE_DIR)");
        }
        QFile known(QString::fromStdString((*folder / "capabilities.json").string()));
        QVERIFY(known.open(QIODevice::ReadOnly));
        const QJsonObject models = QJsonDocument::fromJson(known.readAll()).object();
        QVERIFY(models.size() > 100);
        for (auto model = models.begin(); model != models.end(); ++model) {
            const QJsonObject can = model->toObject();
            QFile file(QString::fromStdString(
                (*folder / model.key().toStdString() / "template.jinja").string()));
            if (!can[u"plain_without_tools"].toBool() || !file.open(QIODevice::ReadOnly)) {
                continue;
            }
            const auto trial = tried(file.readAll().toStdString());
            QVERIFY2(!trial.text.empty(), qPrintable(model.key()));
            QVERIFY2(can[u"system"].toBool() == (trial.without == Without::Nothing),
                     qPrintable(model.key()));
        }
    }

private:
    TemplateTrial tried(const std::string& source)
    {
        const QString path = m_folder.filePath(QStringLiteral("%1.gguf").arg(m_count++));
        const auto file = tests::fileWithTemplate(path, source);
        return file ? tryTemplate(file, source) : TemplateTrial();
    }

    QTemporaryDir m_folder;
    int m_count = 0;
};

QTEST_APPLESS_MAIN(TestTemplateTrial)
#include "tst_template_trial.moc"
