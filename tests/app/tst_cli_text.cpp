// vitrine-cli tokenize, detokenize and template against the conformance pack.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/support/conformance.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;
using tests::runCli;
using tests::toQString;

namespace {

std::string bytesOf(const Json& object, const std::string& key)
{
    return object.contains(key) ? object[key].get<std::string>()
                                : tests::fromBase64(object.at(key + "_b64"));
}

/// Every case in a full run, else about `wanted` of them spread over the list.
std::size_t stride(std::size_t count, std::size_t wanted)
{
    return tests::fullRun() ? 1 : std::max<std::size_t>(1, count / wanted);
}

void addFolders(const QStringList& names)
{
    QTest::addColumn<QString>("folder");
    for (const auto& name : names) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

} // namespace

class TestCliText : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    [[nodiscard]] QString written(const QString& name, const std::string& bytes) const
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        const bool done = file.open(QIODevice::WriteOnly)
            && file.write(bytes.data(), static_cast<qint64>(bytes.size()))
                == static_cast<qint64>(bytes.size());
        return done ? path : QString();
    }

private Q_SLOTS:
    void tokenize_data() { addFolders({ "llama-spm", "gpt-2", "smollm" }); }
    void tokenize()
    {
        QFETCH(QString, folder);
        const auto dir = tests::conformanceDir("tokenizers/" + folder.toStdString());
        if (!dir) {
            QSKIP(tests::missing("tokenizers").c_str());
        }
        const QString model = toQString(*dir / "vocab.gguf");
        const Json cases = tests::readJson(*dir / "cases.json").at("cases");
        const std::size_t step = stride(cases.size(), 25);
        for (std::size_t i = 0; i < cases.size(); i += step) {
            const std::string bytes = bytesOf(cases[i], "text");
            QStringList line { "tokenize", "-m", model, "--json" };
            if (!cases[i]["add_special"].get<bool>()) {
                line << "--no-special";
            }
            if (cases[i]["parse_special"].get<bool>()) {
                line << "--parse-special";
            }
            const auto result = runCli(line, QByteArray::fromStdString(bytes));
            QVERIFY2(result.status == 0, result.err);
            const Json json = result.json();
            QVERIFY2(json["ids"] == cases[i]["ids"], cases[i].dump().c_str());
            QCOMPARE(json["pieces_b64"].size(), json["ids"].size());
        }
    }

    void textOnTheCommandLine()
    {
        const auto dir = tests::conformanceDir("tokenizers/llama-spm");
        if (!dir) {
            QSKIP(tests::missing("tokenizers/llama-spm").c_str());
        }
        const QString model = toQString(*dir / "vocab.gguf");
        const QStringList line { "tokenize", "-m", model, "--text", "Hello world", "--json" };
        const Json json = runCli(line).json();
        COMPARE_JSON(json["ids"], Json::array({ 1, 15043, 3186 }));
        QCOMPARE(tests::fromBase64(json["pieces_b64"][2]), std::string(" world"));
        const auto table = runCli({ "tokenize", "-m", model, "--text", "Hello world" });
        QVERIFY(table.out.contains("15043"));
        // A byte 0 is text like any other.
        const auto zero =
            runCli({ "tokenize", "-m", model, "--json", "--no-special" }, QByteArray("a\0b", 3));
        QCOMPARE(zero.json()["ids"].size(), std::size_t { 3 });
    }

    void preTokenizerIsOverridden()
    {
        const auto dir = tests::conformanceDir("tokenizers/_pre-types");
        if (!dir) {
            QSKIP(tests::missing("tokenizers/_pre-types").c_str());
        }
        const Json cases = tests::readJson(*dir / "cases.json");
        for (const char* name : { "gpt-2", "llama-bpe", "smollm" }) {
            std::string key;
            for (const auto& group : cases["groups"]) {
                if (std::find(group.begin(), group.end(), name) != group.end()) {
                    key = group[0].get<std::string>();
                }
            }
            QVERIFY2(cases["ids"].contains(key), name);
            const std::size_t step = stride(cases["texts"].size(), 8);
            for (std::size_t i = 0; i < cases["texts"].size(); i += step) {
                const auto result =
                    runCli({ "tokenize", "-m", toQString(*dir / "vocab.gguf"), "--pre",
                             QString::fromLatin1(name), "--no-special", "--json" },
                           QByteArray::fromStdString(bytesOf(cases["texts"][i], "text")));
                QVERIFY2(result.status == 0, result.err);
                COMPARE_JSON(result.json()["ids"], cases["ids"][key][i]);
            }
        }
    }

    void detokenize_data() { addFolders({ "llama-spm", "gpt-2", "smollm" }); }
    void detokenize()
    {
        QFETCH(QString, folder);
        const auto dir = tests::conformanceDir("tokenizers/" + folder.toStdString());
        if (!dir) {
            QSKIP(tests::missing("tokenizers").c_str());
        }
        const QString model = toQString(*dir / "vocab.gguf");
        const Json cases = tests::readJson(*dir / "cases.json").at("detokenize");
        const std::size_t step = stride(cases.size(), 8);
        const std::pair<const char*, const char*> modes[] = { { "text", "text" },
                                                              { "no-special", "no_special" },
                                                              { "clean", "clean" } };
        for (std::size_t i = 0; i < cases.size(); i += step) {
            for (const auto& [mode, key] : modes) {
                const QStringList line {
                    "detokenize", "-m", model, "--ids", tests::idList(cases[i]["ids"]),
                    "--mode",     mode
                };
                const std::string wanted = bytesOf(cases[i], key);
                const Json json = runCli(line + QStringList { "--json" }).json();
                QCOMPARE(tests::fromBase64(json["text_b64"]), wanted);
                // The conformance pack writes base64 exactly where the bytes are no UTF-8.
                QCOMPARE(json["text"].is_null(), !cases[i].contains(key));
                QCOMPARE(runCli(line).out.toStdString(), wanted);
            }
        }
    }

    void anIdOutsideTheVocabularyIsRefused()
    {
        const auto dir = tests::conformanceDir("tokenizers/llama-spm");
        if (!dir) {
            QSKIP(tests::missing("tokenizers/llama-spm").c_str());
        }
        const auto result =
            runCli({ "detokenize", "-m", toQString(*dir / "vocab.gguf"), "--ids", "1,32000" });
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("from 0 to 31999"), result.err);
    }

    void templates_data()
    {
        addFolders({ "smollm2", "chatml", "llama-2-chat", "llama-3", "llama-3.1", "mistral-7b-v0.1",
                     "mistral-7b-v0.3", "zephyr" });
    }
    void templates()
    {
        QFETCH(QString, folder);
        const auto dir = tests::conformanceDir("templates/" + folder.toStdString());
        if (!dir) {
            QSKIP(tests::missing("templates").c_str());
        }
        const Json cases = tests::readJson(*dir / "cases.json");
        const std::size_t step = stride(cases.size(), 12);
        for (std::size_t i = 0; i < cases.size(); i += step) {
            Json variables = cases[i].at("extra");
            for (const char* key :
                 { "messages", "tools", "add_generation_prompt", "bos_token", "eos_token" }) {
                variables[key] = cases[i].at(key);
            }
            const QStringList line { "template",
                                     "--template",
                                     toQString(*dir / "template.jinja"),
                                     "--messages",
                                     written("variables.json", variables.dump()),
                                     "--date",
                                     "2026-11-29" };
            const auto result = runCli(line + QStringList { "--json" });
            if (cases[i].contains("error")) {
                QCOMPARE(result.status, 1);
                QVERIFY2(result.err.contains(
                             QByteArray::fromStdString(cases[i]["error"].get<std::string>())),
                         result.err);
                continue;
            }
            QVERIFY2(result.status == 0, result.err);
            COMPARE_JSON(result.json()["text"], cases[i]["expected"]);
            QCOMPARE(runCli(line).out.toStdString(), cases[i]["expected"].get<std::string>());
        }
    }

    // Small vocabularies of our own: the kinds that the pack lacks.
    void otherVocabularies_data() { addFolders({ "unigram-merged", "rwkv", "wordpiece" }); }
    void otherVocabularies()
    {
        QFETCH(QString, folder);
        const auto dir = tests::dataDir() / "vocabularies" / folder.toStdString();
        const Json cases = tests::readJson(dir / "cases.json").at("cases");
        for (std::size_t i = 0; i < cases.size(); i += stride(cases.size(), 4)) {
            QStringList line { "tokenize", "-m", toQString(dir / "vocab.gguf"), "--json" };
            if (!cases[i]["add_special"].get<bool>()) {
                line << "--no-special";
            }
            if (cases[i]["parse_special"].get<bool>()) {
                line << "--parse-special";
            }
            const auto result = runCli(line, QByteArray::fromStdString(bytesOf(cases[i], "text")));
            QVERIFY2(result.status == 0, result.err);
            QVERIFY2(result.json()["ids"] == cases[i]["ids"], cases[i].dump().c_str());
        }
    }

    void unknownPreTokenizerIsSaid()
    {
        const auto file =
            *tests::conformanceDir("malformed") / "tokenizers" / "bpe_pre_unknown.gguf";
        const auto result = runCli({ "tokenize", "-m", toQString(file), "--text", "hi" });
        QCOMPARE(result.status, 0);
        QVERIFY2(result.err.contains("warning") && result.err.contains("zzz-unknown"), result.err);
    }

    void namedTemplates()
    {
        using engine::gguf::ValueType;
        tests::GgufBytes file;
        file.header(0, 3);
        file.key("tokenizer.chat_template", ValueType::String).text("own");
        file.key("tokenizer.chat_template.tool_use", ValueType::String)
            .text("{{ tools | length }}");
        file.key("tokenizer.chat_template.rag", ValueType::String).text("documents");
        const QString model = written("named.gguf", file.bytes());
        const QString plain = written("plain.json", R"({"messages": [], "tools": []})");
        const QString tools = written("tools.json", R"({"messages": [], "tools": [{"a": 1}]})");
        const auto rendered = [&](const QString& variables, const QStringList& more = {}) {
            return runCli(QStringList { "template", "-m", model, "--messages", variables } + more);
        };
        QCOMPARE(rendered(plain).out, QByteArray("own"));
        QCOMPARE(rendered(tools).out, QByteArray("1"));
        QCOMPARE(rendered(tools, { "--name", "default" }).out, QByteArray("own"));
        QCOMPARE(rendered(plain, { "--name", "rag" }).out, QByteArray("documents"));
        const auto unknown = rendered(plain, { "--name", "none" });
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("tool_use, rag"), unknown.err);
        const auto wrong = runCli({ "template", "--template", written("x.jinja", "x"), "--name",
                                    "rag", "--messages", plain });
        QCOMPARE(wrong.status, 2);
    }

    void templateErrorsNameTheLine()
    {
        const QString variables = written("list.json", R"([{"role":"user","content":"x"}])");
        const auto syntax =
            runCli({ "template", "--template", written("syntax.jinja", "a\n{% if %}b\n"),
                     "--messages", variables });
        QCOMPARE(syntax.status, 1);
        QVERIFY2(syntax.err.contains("syntax.jinja") && syntax.err.contains("line 2"), syntax.err);
        const auto raised = runCli({ "template", "--template",
                                     written("raise.jinja", "{{ raise_exception('no way') }}"),
                                     "--messages", variables });
        QCOMPARE(raised.status, 1);
        QVERIFY2(raised.err.contains("no way"), raised.err);
        // A bare list stands for the messages.
        const auto list =
            runCli({ "template", "--template", written("list.jinja", "{{ messages[0].content }}"),
                     "--messages", variables });
        QCOMPARE(list.out, QByteArray("x"));
        const auto noJson = runCli({ "template", "--template", written("l.jinja", "x"),
                                     "--messages", written("bad.json", "{oops") });
        QCOMPARE(noJson.status, 1);
        QVERIFY2(noJson.err.contains("bad.json"), noJson.err);
        const auto missing = runCli({ "template", "--template", written("l.jinja", "x"),
                                      "--messages", m_folder.filePath("nothing.json") });
        QCOMPARE(missing.status, 1);
        QVERIFY2(missing.err.contains("nothing.json"), missing.err);
    }
};

QTEST_GUILESS_MAIN(TestCliText)
#include "tst_cli_text.moc"
