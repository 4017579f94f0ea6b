// The doctor's verdict on the malformed files and on whole models: opens, loads, runs, and why not.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model.h"
#include "engine/model/verdict.h"
#include "tests/support/conformance.h"
#include "tests/support/split_gguf.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <span>

using namespace engine;
using gguf::Problem;
using gguf::Severity;
using model::Verdict;

namespace {

QString folded(const Problem& problem)
{
    return QString::fromStdString(englishSentence(problem.error)).toLower();
}

bool mentions(const Verdict& verdict, const QString& text)
{
    return std::ranges::any_of(verdict.problems, [&](const Problem& problem) {
        return folded(problem).contains(text.toLower());
    });
}

bool has(const Verdict& verdict, Severity severity)
{
    return std::ranges::any_of(
        verdict.problems, [&](const Problem& problem) { return problem.severity == severity; });
}

QString listed(const Verdict& verdict)
{
    QString all = "problems:";
    for (const auto& problem : verdict.problems) {
        all += "\n  " + folded(problem);
    }
    return all;
}

} // namespace

class TestVerdict : public QObject
{
    Q_OBJECT

    static void addFiles(const char* folder)
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("opens");
        QTest::addColumn<bool>("loads");
        QTest::addColumn<QStringList>("mention");
        const auto root = *tests::conformanceDir("malformed"); // in tests/data too
        const auto table = tests::readJson(root / "expected.json");
        for (const auto& [name, row] : table.at(folder).items()) {
            QStringList mention;
            for (const auto& text : row.at("mention")) {
                mention << QString::fromStdString(text.get<std::string>());
            }
            const auto* loads = row.contains("loads") ? "loads" : "tokenizer_loads";
            QTest::newRow(name.c_str())
                << QString::fromStdString((root / folder / name).string())
                << row.at("opens").get<bool>() << row.at(loads).get<bool>() << mention;
        }
    }

    static Verdict examined(const QString& path)
    {
        QElapsedTimer timer;
        timer.start();
        auto verdict = model::examine(path.toStdString());
        if (timer.elapsed() >= 1000) {
            qWarning("took %lld ms", static_cast<long long>(timer.elapsed()));
            verdict.problems.clear();
            verdict.opens = !verdict.opens; // no file may take so long
        }
        return verdict;
    }

    static Verdict ofModel(const char* name)
    {
        const auto root = tests::conformanceDir("architectures");
        return model::examine((*root / name / "model.gguf").string());
    }

    static bool absent(const char* name)
    {
        const auto root = tests::conformanceDir("architectures");
        return !root || !std::filesystem::exists(*root / name / "model.gguf");
    }

private Q_SLOTS:
    void containers_data() { addFiles("containers"); }
    void containers()
    {
        QFETCH(QString, path);
        QFETCH(bool, opens);
        QFETCH(bool, loads);
        QFETCH(QStringList, mention);
        const auto verdict = examined(path);
        QCOMPARE(verdict.opens, opens);
        QVERIFY2(verdict.loads == loads, qPrintable(listed(verdict)));
        QCOMPARE(has(verdict, Severity::Error), !loads);
        for (const auto& problem : verdict.problems) { // the map and the hex view go there
            QVERIFY2(problem.severity != Severity::Error || problem.error.where.offset
                         || problem.error.code == ErrorCode::FileEmpty,
                     qPrintable(folded(problem)));
        }
        QVERIFY(!verdict.runs);
        QVERIFY(!verdict.problems.empty()); // each has at least the reason why it does not run
        for (const auto& text : mention) {
            QVERIFY2(mentions(verdict, text), qPrintable(text + " is in no " + listed(verdict)));
        }
    }

    void tokenizers_data() { addFiles("tokenizers"); }
    void tokenizers()
    {
        QFETCH(QString, path);
        QFETCH(bool, opens);
        QFETCH(bool, loads);
        QFETCH(QStringList, mention);
        const auto verdict = examined(path);
        QCOMPARE(verdict.opens, opens);
        const bool tokenizerFails =
            std::ranges::any_of(verdict.problems, [](const Problem& problem) {
                return problem.severity == Severity::Error
                    && problem.error.where.subject.starts_with("tokenizer.");
            });
        QVERIFY2(tokenizerFails == !loads, qPrintable(listed(verdict)));
        QVERIFY(!verdict.runs);
        QVERIFY2(mentions(verdict, "no weights") || mentions(verdict, "split"),
                 qPrintable(listed(verdict)));
        for (const auto& text : mention) {
            QVERIFY2(mentions(verdict, text), qPrintable(text + " is in no " + listed(verdict)));
        }
    }

    void runs_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name :
             { "llama-mha", "llama-gqa-tied", "llama-biases", "llama-rope-freqs",
               "llama-rope-linear", "llama-rope-yarn", "llama-256-q4_0", "llama-256-q4_k",
               "llama-256-bf16", "llama-256-q6_k", "llama-256-tq1_0", "llama-256-iq_mix" }) {
            QTest::newRow(name) << name;
        }
    }
    void runs()
    {
        QFETCH(QString, name);
        const auto id = name.toStdString();
        if (absent(id.c_str())) {
            QSKIP(tests::missing("architectures/" + id).c_str());
        }
        const auto verdict = ofModel(id.c_str());
        QVERIFY2(verdict.opens && verdict.loads && verdict.runs, qPrintable(listed(verdict)));
        QVERIFY(!has(verdict, Severity::Error));
    }

    void doesNotRun_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("another architecture") << "llama-gqa-tied:llama:lorem"
                                              << "architecture 'lorem'";
        QTest::newRow("another rotation") << "llama-rope-yarn:yarn:yurn"
                                          << "type 'yurn'";
    }
    // A sound file that this version cannot run: a note says why, nothing is wrong with it.
    void doesNotRun()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        const auto parts = name.split(':'); // model, word, and what stands in its place
        const auto id = parts.first().toStdString();
        if (absent(id.c_str())) {
            QSKIP(tests::missing("architectures/" + id).c_str());
        }
        const QTemporaryDir folder;
        auto path = (*tests::conformanceDir("architectures") / id / "model.gguf").string();
        if (parts.size() == 3) {
            auto bytes = tests::readFile(path);
            const auto word = parts[1].toStdString();
            bytes.replace(bytes.find(word), word.size(), parts[2].toStdString());
            path = folder.filePath("bent.gguf").toStdString();
            std::ofstream(path, std::ios::binary) << bytes;
        }
        const auto verdict = model::examine(path);
        QVERIFY2(verdict.opens && verdict.loads && !verdict.runs, qPrintable(listed(verdict)));
        const auto note = std::ranges::find_if(verdict.problems, [&](const Problem& problem) {
            return folded(problem).contains(reason);
        });
        QVERIFY2(note != verdict.problems.end(), qPrintable(listed(verdict)));
        QVERIFY(note->severity == Severity::Note);
        // loading says the same
        const auto loaded = model::Model::load(path);
        QVERIFY(!loaded.has_value());
        QCOMPARE(englishSentence(loaded.error()), englishSentence(note->error));
    }

    // One tensor of a type of ik_llama.cpp: the reason has the type's name and what to do.
    void foreignTypeIsNamed()
    {
        if (absent("llama-256-q4_0")) {
            QSKIP(tests::missing("architectures/llama-256-q4_0").c_str());
        }
        const auto source =
            *tests::conformanceDir("architectures") / "llama-256-q4_0" / "model.gguf";
        const auto file = gguf::GgufFile::open(source.string()).value();
        auto bytes = tests::readFile(source);
        const auto& entry = file->findTensor("blk.0.ffn_down.weight")->entry;
        bytes[entry.end() - 12] = static_cast<char>(144); // type and offset end an entry
        const QTemporaryDir folder;
        const auto path = folder.filePath("foreign.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        const auto verdict = model::examine(path);
        QVERIFY(!verdict.runs);
        QVERIFY2(mentions(verdict, "144 (IQ4_KS of ik_llama.cpp)"), qPrintable(listed(verdict)));
        QVERIFY(mentions(verdict, "Choose another quantization"));
        const auto loaded = model::Model::load(path);
        QVERIFY(!loaded.has_value());
        const auto sentence = englishSentence(loaded.error());
        QVERIFY2(sentence.find("IQ4_KS of ik_llama.cpp") != std::string::npos, sentence.c_str());
    }

    // Its parts are one model; without one of them it is none.
    void splitModelRunsWhenItIsWhole()
    {
        if (absent("llama-gqa-tied")) {
            QSKIP(tests::missing("architectures/llama-gqa-tied").c_str());
        }
        const auto model =
            *tests::conformanceDir("architectures") / "llama-gqa-tied" / "model.gguf";
        const QTemporaryDir folder;
        const auto prefix = folder.filePath("m").toStdString();
        QVERIFY(tests::splitFile(model.string(), prefix, 3));
        for (std::size_t part = 1; part <= 3; ++part) {
            const auto verdict = model::examine(tests::partPath(prefix, part, 3));
            QVERIFY2(verdict.opens && verdict.loads && verdict.runs, qPrintable(listed(verdict)));
            QVERIFY2(verdict.problems.empty(), qPrintable(listed(verdict)));
        }
        std::filesystem::remove(tests::partPath(prefix, 3, 3));
        const auto lacking = model::examine(tests::partPath(prefix, 1, 3));
        QVERIFY2(!lacking.loads && !lacking.runs, qPrintable(listed(lacking)));
        const auto two = model::Model::load(tests::partPath(prefix, 1, 3));
        QVERIFY(!two && two.error().code == ErrorCode::GgufShardMissing);
        std::filesystem::remove(tests::partPath(prefix, 2, 3));
        const auto one = model::Model::load(tests::partPath(prefix, 1, 3));
        QVERIFY(!one && one.error().code == ErrorCode::GgufSplitPart);
        QCOMPARE(one.error().where.file, tests::partPath(prefix, 1, 3));
    }

    void noFile()
    {
        const auto verdict = model::examine("/there/is/no/such.gguf");
        QVERIFY(!verdict.opens && !verdict.loads && !verdict.runs);
        QCOMPARE(verdict.problems.size(), std::size_t(1));
        QVERIFY(verdict.problems[0].error.code == ErrorCode::FileNotFound);
    }

    void misalignedWeightsAreNamed()
    {
        const auto architectures = tests::conformanceDir("architectures");
        if (!architectures) {
            QSKIP(tests::missing("architectures").c_str());
        }
        auto bytes = tests::readFile(*architectures / "llama-mha" / "model.gguf");
        // an alignment of 1 in place of a key that is not needed: then the data begins right after
        // the directory
        const std::string key = "general.file_type";
        const std::string replacement = "general.alignment";
        const auto at = bytes.find(key);
        QVERIFY(at != std::string::npos && key.size() == replacement.size());
        bytes.replace(at, key.size(), replacement);
        bytes[at + key.size() + 4] = 1; // behind the value's type
        const auto file =
            engine::gguf::GgufFile::parse(std::as_bytes(std::span(bytes)), "odd.gguf");
        QVERIFY(file);
        const auto begin = (*file)->dataOffset();
        if (begin % 4 == 0) {
            QSKIP("the directory of this model happens to end at a multiple of four");
        }
        QTemporaryDir folder;
        const auto path = folder.filePath("odd.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        const auto verdict = engine::model::examine(path);
        QVERIFY(!verdict.runs);
        QVERIFY(
            std::any_of(verdict.problems.begin(), verdict.problems.end(), [](const auto& problem) {
                return problem.error.code == engine::ErrorCode::MisalignedTensor;
            }));
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
