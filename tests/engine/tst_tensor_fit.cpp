// What an architecture needs against what a file has: missing, misshapen and unused tensors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tensor_fit.h"
#include "engine/model/verdict.h"
#include "tests/support/conformance.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace engine;
using gguf::Problem;
using gguf::Severity;

class TestTensorFit : public QObject
{
    Q_OBJECT

    std::string m_bytes; // a sound small llama
    QTemporaryDir m_folder;

    /// Writes the model with one text replaced by another of the same length (all places).
    [[nodiscard]] std::string bent(const std::string& from, const std::string& to) const
    {
        std::string bytes = m_bytes;
        for (auto at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1)) {
            bytes.replace(at, from.size(), to);
        }
        const auto path = m_folder.filePath("bent.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

    static model::TensorFit fit(const std::string& path)
    {
        const auto file = gguf::GgufFile::open(path);
        const auto hparams = file ? model::readHparams(**file) : tl::unexpected(file.error());
        if (!hparams) {
            qWarning("%s", englishSentence(hparams.error()).c_str());
            return {};
        }
        auto out = model::fitTensors(**file, *hparams);
        for (const auto*& tensor : out.unused) {
            tensor = nullptr; // the file is closed with this function; the number of them is left
        }
        return out;
    }

    static const Problem* find(const model::Verdict& verdict, ErrorCode code)
    {
        const auto found = std::ranges::find(verdict.problems, code,
                                             [](const Problem& p) { return p.error.code; });
        return found == verdict.problems.end() ? nullptr : &*found;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto folder = tests::conformanceDir("architectures/llama-mha");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-mha").c_str());
        }
        m_bytes = tests::readFile(*folder / "model.gguf");
    }

    /// What would be computed without it is wrong.
    void scaleBesideAMatrix()
    {
        const auto found = fit(bent("output_norm.weight", "blk.0.attn_q.scale"));
        const auto refused = std::ranges::find(found.errors, ErrorCode::UnsupportedFeature,
                                               [](const Error& error) { return error.code; });
        QVERIFY(refused != found.errors.end());
        QCOMPARE(refused->where.subject, std::string("blk.0.attn_q.scale"));
    }

    void soundModelFits()
    {
        const auto path = bent("", "");
        const auto found = fit(path);
        QVERIFY(found.errors.empty() && found.unused.empty());
        QVERIFY(!found.expected.empty());
        QCOMPARE(found.expected.front().name, std::string("token_embd.weight"));
        QVERIFY(found.expected.front().required);
        const auto norms = std::ranges::find(found.expected, std::string("blk.0.attn_norm.weight"),
                                             &model::ExpectedTensor::name);
        QVERIFY(norms != found.expected.end() && norms->required);
        QCOMPARE(norms->rows, std::uint64_t(1));
        const auto bias = std::ranges::find(found.expected, std::string("blk.0.attn_q.bias"),
                                            &model::ExpectedTensor::name);
        QVERIFY(bias != found.expected.end() && !bias->required);
        const auto verdict = model::examine(path);
        QVERIFY(verdict.opens && verdict.loads && verdict.runs);
        QVERIFY(verdict.problems.empty());
    }

    // One name changed: what the architecture wants is missing, what is there has no place.
    void everyMissingTensorIsNamed()
    {
        const auto path = bent(".attn_q.weight", ".attn_x.weight");
        const auto found = fit(path);
        const auto blocks = found.unused.size();
        QVERIFY(blocks >= 2);
        QCOMPARE(found.errors.size(), blocks);
        for (const Error& error : found.errors) {
            QVERIFY(error.code == ErrorCode::MissingTensor);
        }
        QCOMPARE(found.errors[1].where.subject, std::string("blk.1.attn_q.weight"));

        const auto verdict = model::examine(path);
        QVERIFY(verdict.opens && !verdict.loads && !verdict.runs);
        QCOMPARE(std::ranges::count(verdict.problems, ErrorCode::MissingTensor,
                                    [](const Problem& p) { return p.error.code; }),
                 static_cast<std::ptrdiff_t>(blocks));
        QVERIFY(find(verdict, ErrorCode::MissingTensor)->severity == Severity::Error);
        const Problem* unused = find(verdict, ErrorCode::TensorsUnused);
        QVERIFY(unused && unused->severity == Severity::Warning);
        QCOMPARE(unused->error.where.subject, std::string("blk.0.attn_x.weight"));
        QVERIFY(unused->error.where.offset.has_value());
        QCOMPARE(unused->error.arguments[0], std::to_string(blocks));
    }

    // Every key that is missing is told, not only the first.
    void everyMissingKeyIsNamed()
    {
        auto path = bent("llama.context_length", "llama.kontext_length");
        auto verdict = model::examine(path);
        const Problem* missing = find(verdict, ErrorCode::MissingKey);
        QVERIFY(missing && missing->severity == Severity::Error && !verdict.loads);
        QCOMPARE(missing->error.where.subject, std::string("llama.context_length"));

        const auto all = [&] {
            std::string keys;
            for (const Error& fault : model::hparamFaults(**gguf::GgufFile::open(path))) {
                keys += fault.where.subject + ";";
            }
            return keys;
        };
        path = bent("_length", "_breite");
        QCOMPARE(all(),
                 std::string("llama.context_length;llama.embedding_length;"
                             "llama.feed_forward_length;"));
        path = bent("", "");
        QCOMPARE(all(), std::string());
    }

    void moreTokensThanRows()
    {
        // one dimension of the embedding in the directory: name, 2, columns, rows
        const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(m_bytes)), "whole.gguf");
        QVERIFY(file);
        const auto* embedding = (*file)->findTensor("token_embd.weight");
        const auto* output = (*file)->findTensor("output.weight");
        QVERIFY(embedding && output);
        std::string bytes = m_bytes;
        for (const auto* tensor : { embedding, output }) {
            const auto at = tensor->entry.end() - 12 - 8; // the last length
            bytes[at] = static_cast<char>(tensor->shape[1] - 32);
            bytes[at + 1] = static_cast<char>((tensor->shape[1] - 32) >> 8U);
        }
        const auto path = m_folder.filePath("short.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        const auto verdict = model::examine(path);
        const Problem* mismatch = find(verdict, ErrorCode::VocabularyMismatch);
        QVERIFY(mismatch && mismatch->severity == Severity::Error);
        QVERIFY(!verdict.runs && !verdict.loads);
    }

    // The hook for checks of the weights themselves: last, and only on request.
    void scanIsOnRequest()
    {
        const auto path = bent("", "");
        int calls = 0;
        const auto verdict = model::examine(
            path, { .scan = [&](const gguf::GgufFile& file, std::vector<Problem>& problems) {
                ++calls;
                problems.push_back({ Severity::Error,
                                     { ErrorCode::BadKeyValue, { "NaN", "" }, { file.path() } } });
            } });
        QCOMPARE(calls, 1);
        QCOMPARE(verdict.problems.size(), std::size_t(1));
        QVERIFY(!verdict.loads);
    }
};

QTEST_APPLESS_MAIN(TestTensorFit)
#include "tst_tensor_fit.moc"
