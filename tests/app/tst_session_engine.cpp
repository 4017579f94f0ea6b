// The inference service on the real engine: facts, answers, and the files that are not what they
// should be. SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_title.h"
#include "app/services/inference_service.h"
#include "tests/support/conformance.h"
#include "tests/support/grafted_metadata.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using app::Generation;
using app::InferenceService;
using app::Outcome;
using engine::chat::Message;
using engine::chat::Role;

namespace {

constexpr int kPatience = 60'000;

std::vector<Message> question(const std::string& text)
{
    std::vector<Message> messages;
    messages.emplace_back(Role::User, text);
    return messages;
}

engine::session::GenerateOptions endless()
{
    engine::session::GenerateOptions options;
    options.sampler.temperature = 0;
    options.ignoreEnd = true;
    return options;
}

} // namespace

class TestSessionEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        const auto architectures = tests::conformanceDir("architectures");
        if (!architectures) {
            QSKIP(tests::missing("architectures").c_str());
        }
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath(QStringLiteral("model.gguf"));
        const auto original = *architectures / "llama-256-q4_0/model.gguf";
        QVERIFY(QFile::copy(QString::fromStdString(original.string()), m_path));
        QVERIFY(QFile::setPermissions(m_path, QFile::ReadOwner | QFile::WriteOwner));
        m_service = std::make_unique<InferenceService>(app::makeSessionEngine());
    }

    void cleanup()
    {
        m_service.reset();
        m_directory.reset();
    }

    void factsOfTheModel()
    {
        QVERIFY(load());
        const auto& facts = m_service->facts();
        QCOMPARE(facts.path, m_path);
        QCOMPARE(facts.displayName, QStringLiteral("conformance"));
        QCOMPARE(facts.typeName, QStringLiteral("Q4_0"));
        QCOMPARE(facts.fileSize, static_cast<quint64>(QFileInfo(m_path).size()));
        QVERIFY(facts.deviceName.startsWith(QStringLiteral("CPU")));
        QCOMPARE(facts.trainedContextLength, 512U);
        QVERIFY(facts.contextLength > 0 && facts.contextLength <= 512);
        QVERIFY(facts.parameterCount > 0);
        QVERIFY(facts.sessionBytes > 0);
        QVERIFY(facts.threads >= 1);
        QVERIFY(facts.templateOrigin);
        QVERIFY(*facts.templateOrigin != engine::chat::TemplateOrigin::Model);
        QVERIFY(!facts.warnings.isEmpty()); // says that the template is not its own
    }

    /// A choice that was kept on another day.
    void aDeviceThatIsGone()
    {
        const auto restore = qScopeGuard([] {
            qunsetenv("VK_DRIVER_FILES");
            qunsetenv("VK_ICD_FILENAMES");
        });
        qputenv("VK_DRIVER_FILES", "/nonexistent");
        qputenv("VK_ICD_FILENAMES", "/nonexistent");
        QVERIFY(load("A card"));
        QVERIFY(m_service->facts().deviceName.startsWith(QStringLiteral("CPU")));
        const QStringList warnings = m_service->facts().warnings;
        QVERIFY(warnings.constFirst().contains(QStringLiteral("Vulkan")));
        QVERIFY(load("auto")); // nothing to say: nobody asked for more
        QCOMPARE(m_service->facts().warnings.size(), warnings.size() - 1);
    }

    void answersAndReusesTheCommonPrefix()
    {
        QVERIFY(load());
        auto options = endless();
        options.maxTokens = 12;
        auto* first = m_service->ask(question("Tell me of the sea"), options);
        QTRY_VERIFY_WITH_TIMEOUT(first->isFinished(), kPatience);
        QVERIFY(!first->outcome().error);
        QCOMPARE(first->outcome().finish, Outcome::Finish::Length);
        QCOMPARE(first->outcome().tokens, std::size_t { 12 });
        QVERIFY(first->outcome().promptTokens > 0);
        QCOMPARE(first->outcome().reusedTokens, std::size_t { 0 });
        QVERIFY(first->outcome().firstTokenMs > 0);
        const QString text = first->text();
        const auto promptTokens = first->outcome().promptTokens;

        auto* again = m_service->ask(question("Tell me of the sea"), options);
        QTRY_VERIFY_WITH_TIMEOUT(again->isFinished(), kPatience);
        QCOMPARE(again->text(), text); // greedy
        QVERIFY(again->outcome().reusedTokens + 1 >= promptTokens);
    }

    // The title is asked for between two questions, and costs the second nothing.
    void asideKeepsTheConversationInTheCache()
    {
        QVERIFY(load());
        auto options = endless();
        options.maxTokens = 12;
        auto messages = question("Tell me of the sea");
        auto* first = m_service->ask(messages, options);
        QTRY_VERIFY_WITH_TIMEOUT(first->isFinished(), kPatience);
        const std::size_t cached = first->outcome().promptTokens;
        messages.push_back({ Role::Assistant, first->text().toStdString() });

        auto* title = m_service->askAside(app::titleRequest(messages, app::PromptFormat::Model));
        QVERIFY(title);
        QTRY_VERIFY_WITH_TIMEOUT(title->isFinished(), kPatience);
        QVERIFY(!title->outcome().error);
        QVERIFY(title->outcome().reusedTokens >= cached);

        messages.push_back({ Role::User, "And of the land" });
        auto* next = m_service->ask(messages, options);
        QTRY_VERIFY_WITH_TIMEOUT(next->isFinished(), kPatience);
        QVERIFY(!next->outcome().error);
        QVERIFY2(
            next->outcome().reusedTokens >= cached,
            qPrintable(QStringLiteral("%1 of %2").arg(next->outcome().reusedTokens).arg(cached)));
    }

    // Nothing is read again for a title: another conversation is in the cache, or none.
    void titleIsNotWorthALongPrompt()
    {
        QVERIFY(load());
        auto messages = question(std::string(350, 'x'));
        messages.push_back({ Role::Assistant, "an answer" });
        auto* title = m_service->askAside(app::titleRequest(messages, app::PromptFormat::Model));
        QTRY_VERIFY_WITH_TIMEOUT(title->isFinished(), kPatience);
        QVERIFY(!title->outcome().error);
        QVERIFY2(title->outcome().promptTokens > 256, // of 512
                 qPrintable(QString::number(title->outcome().promptTokens)));
        QCOMPARE(title->outcome().tokens, std::size_t { 0 });
        QCOMPARE(title->outcome().promptTokensPerSecond, 0.0);
    }

    void oldestTurnsMakeRoom()
    {
        QVERIFY(load());
        std::vector<Message> messages { { Role::System, "Be brief." } };
        for (int turn = 0; turn < 30; ++turn) {
            messages.push_back({ Role::User, "Tell me of the sea and the ships" });
            messages.push_back({ Role::Assistant, "They sail" });
        }
        messages.push_back({ Role::User, "Last" });
        auto options = endless();
        options.maxTokens = 4;
        auto* generation = m_service->ask(messages, options);
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        const auto& outcome = generation->outcome();
        QVERIFY2(!outcome.error, qPrintable(outcome.error ? outcome.error->text() : QString()));
        QVERIFY(outcome.leftOut > 0 && outcome.leftOut % 2 == 0);
        QVERIFY(outcome.promptTokens <= m_service->facts().contextLength / 2);
    }

    // More text than a template may write on its own account: refused by its length.
    void pastedMegabytes()
    {
        QVERIFY(load());
        std::string text;
        while (text.size() < 5'000'000) {
            text += "some words that were pasted by mistake, ";
        }
        auto* generation = m_service->ask(question(text));
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        QCOMPARE(generation->outcome().error->code, QStringLiteral("prompt-too-long"));
    }

    // A model whose template is broken loads, says where, and answers without it.
    void brokenTemplate_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("syntax") << QByteArray("{{ bos_token }}\n{% for m in messages %}\n{% oops")
                                << QStringLiteral("template-syntax") << QString();
        QTest::newRow("raises") << QByteArray("\n\n{{ raise_exception('Only two may talk') }}")
                                << QStringLiteral("template-raised")
                                << QStringLiteral("Only two may talk");
    }

    void brokenTemplate()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, code);
        QFETCH(QString, said);
        const QString path = m_directory->filePath(QStringLiteral("broken.gguf"));
        QVERIFY(tests::MetadataGraft()
                    .text("tokenizer.chat_template", source.toStdString())
                    .write(m_path.toStdString(), path.toStdString()));
        m_path = path;
        QVERIFY(load());
        app::AskRequest request;
        request.messages = question("Hello");
        request.options = endless();
        request.options.maxTokens = 4;
        auto* generation = m_service->ask(request);
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        const auto error = generation->outcome().error;
        QVERIFY(error);
        QCOMPARE(error->code, code);
        QVERIFY2(error->what.contains(said), qPrintable(error->text()));
        QVERIFY2(error->subject.contains(u'3'), qPrintable(error->subject)); // the line
        QCOMPARE(error->file, m_path);

        request.format = app::PromptFormat::Plain;
        generation = m_service->ask(request);
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        QVERIFY(!generation->outcome().error);
        QCOMPARE(generation->outcome().tokens, std::size_t { 4 });
    }

    // A model that is newer than this program: it answers, and the window says what may be wrong.
    void unknownPreTokenizerIsSaid()
    {
        const QString path = m_directory->filePath(QStringLiteral("newer.gguf"));
        QVERIFY(tests::MetadataGraft()
                    .text("tokenizer.ggml.mo_el", "gpt2")
                    .text("tokenizer.ggml.pre", "zzz-new")
                    .texts("tokenizer.ggml.merges", { "a b" })
                    .write(m_path.toStdString(), path.toStdString()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll();
        // the new entry takes the place of the old one
        bytes.replace("tokenizer.ggml.model", "tokenizer.ggml.m0del");
        bytes.replace("tokenizer.ggml.mo_el", "tokenizer.ggml.model");
        QVERIFY(file.seek(0) && file.write(bytes) == bytes.size());
        file.close();
        m_path = path;
        QVERIFY(load());
        const QStringList warnings = m_service->facts().warnings;
        QVERIFY2(std::any_of(warnings.begin(), warnings.end(),
                             [](const QString& each) { return each.contains("'zzz-new'"); }),
                 qPrintable(warnings.join('\n')));
    }

    void samplerOfTheFile()
    {
        QVERIFY(load());
        const engine::session::SamplerOptions ours;
        QCOMPARE(m_service->facts().modelSampler.temperature, ours.temperature);
        QCOMPARE(m_service->facts().modelSampler.topK, ours.topK);

        const QString path = m_directory->filePath(QStringLiteral("sampler.gguf"));
        QVERIFY(tests::MetadataGraft()
                    .real("general.sampling.temp", 0.25F)
                    .integer("general.sampling.top_k", -1)
                    .real("general.sampling.top_p", 1.5F) // makes no sense
                    .real("general.sampling.min_p", 0.125F)
                    .integer("general.sampling.penalty_last_n", 32)
                    .text("general.sampling.penalty_repeat", "much") // nor does that
                    .write(m_path.toStdString(), path.toStdString()));
        m_path = path;
        QVERIFY(load());
        const auto& sampler = m_service->facts().modelSampler;
        QCOMPARE(sampler.temperature, 0.25F);
        QCOMPARE(sampler.topK, 0);
        QCOMPARE(sampler.topP, ours.topP);
        QCOMPARE(sampler.minP, 0.125F);
        QCOMPARE(sampler.penaltyWindow, 32);
        QCOMPARE(sampler.repeatPenalty, ours.repeatPenalty);
    }

    void countsTokensAfterTheModelIsGone()
    {
        QVERIFY(load());
        const app::CountTokens count = m_service->tokenCounter();
        const std::size_t tokens = count("Tell me of the sea");
        QVERIFY(tokens > 0 && tokens <= 18);
        m_service.reset();
        QCOMPARE(count("Tell me of the sea"), tokens);
        QCOMPARE(count(""), std::size_t { 0 });
    }

    void promptLongerThanTheContext()
    {
        QVERIFY(load());
        auto* generation = m_service->ask(question(std::string(5000, 'x')), endless());
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        const auto& outcome = generation->outcome();
        QCOMPARE(outcome.finish, Outcome::Finish::Failed);
        QCOMPARE(outcome.error->code, QStringLiteral("prompt-too-long"));
        QVERIFY(outcome.error->what.contains(QString::number(outcome.promptTokens)));
        QVERIFY(generation->text().isEmpty());
    }

    void fullContextEndsTheAnswer()
    {
        QVERIFY(load());
        auto* generation = m_service->ask(question("x"), endless());
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        QVERIFY(!generation->outcome().error);
        QCOMPARE(generation->outcome().finish, Outcome::Finish::Context);
    }

    // Nothing of the map may be touched in a way that kills the process.
    void truncatedWhileItAnswers()
    {
        QVERIFY(load());
        QSignalSpy changed(m_service.get(), &InferenceService::fileChanged);
        auto* generation = m_service->ask(question("Tell me of the sea"), endless());
        QTRY_VERIFY_WITH_TIMEOUT(generation->phase() >= Generation::Phase::Answer, kPatience);
        QVERIFY(QFile::resize(m_path, 4096));
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        if (const auto& error = generation->outcome().error) {
            QCOMPARE(error->code, QStringLiteral("file-changed"));
        } else { // the tiny model had filled its context before the file shrank
            QCOMPARE(generation->outcome().finish, Outcome::Finish::Context);
        }
        QTRY_COMPARE(changed.size(), 1);
        auto* next = m_service->ask(question("And now?"), endless());
        QVERIFY(next);
        QTRY_VERIFY_WITH_TIMEOUT(next->isFinished(), kPatience);
        QCOMPARE(next->outcome().error->code, QStringLiteral("file-changed"));
    }

    // The way downloads and packagers replace files: the old one lives on in the map, nothing is
    // wrong.
    void replacedByRenaming()
    {
        QVERIFY(load());
        const QString other = m_directory->filePath(QStringLiteral("other"));
        QFile file(other);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("something else");
        file.close();
        QCOMPARE(std::rename(qPrintable(other), qPrintable(m_path)), 0);
        auto options = endless();
        options.maxTokens = 4;
        auto* generation = m_service->ask(question("Are you still there?"), options);
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), kPatience);
        QVERIFY2(!generation->outcome().error
                     || generation->outcome().error->code == QStringLiteral("file-changed"),
                 "an answer, or the word that the file changed");
    }

    void badFiles_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("code");
        QTest::newRow("missing") << QStringLiteral("missing") << QStringLiteral("file-not-found");
        QTest::newRow("directory")
            << QStringLiteral("directory") << QStringLiteral("file-is-directory");
        QTest::newRow("empty") << QStringLiteral("empty") << QStringLiteral("file-empty");
        QTest::newRow("foreign") << QStringLiteral("foreign") << QString();
        QTest::newRow("truncated") << QStringLiteral("truncated") << QString();
    }

    void badFiles()
    {
        QFETCH(QString, kind);
        QFETCH(QString, code);
        QVERIFY(load()); // the model that stays
        const QString path = m_directory->filePath(kind);
        if (kind == QStringLiteral("directory")) {
            QVERIFY(QDir().mkpath(path));
        } else if (kind == QStringLiteral("truncated")) {
            QVERIFY(QFile::copy(m_path, path));
            QVERIFY(QFile::resize(path, QFileInfo(path).size() / 2));
        } else if (kind != QStringLiteral("missing")) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(kind == QStringLiteral("foreign") ? "%PDF-1.7 and so on, long enough" : "");
        }
        QSignalSpy failed(m_service.get(), &InferenceService::loadFailed);
        m_service->load(path);
        QVERIFY(failed.wait(kPatience));
        const auto error = failed.first().first().value<app::ErrorMessage>();
        QVERIFY(code.isEmpty() || error.code == code);
        QVERIFY2(!error.what.isEmpty() && !error.remedy.isEmpty(), qPrintable(error.text()));
        QVERIFY2(error.where.contains(kind), qPrintable(error.text()));
        QCOMPARE(error.file, path);
        QCOMPARE(m_service->state(), InferenceService::State::Ready);
        QCOMPARE(m_service->facts().path, m_path);
    }

private:
    bool load(const std::string& device = "cpu")
    {
        QSignalSpy loaded(m_service.get(), &InferenceService::loaded);
        app::LoadRequest request;
        request.device = device;
        m_service->load(m_path, request);
        return loaded.wait(kPatience);
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<InferenceService> m_service;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestSessionEngine)
#include "tst_session_engine.moc"
