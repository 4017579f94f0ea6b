// What is no language model is told by what it is; tiny files, one of each kind.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file_kind.h"
#include "engine/model/model.h"
#include "engine/model/verdict.h"
#include "tests/engine/gguf_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace engine;
using gguf::ValueType;
using tests::GgufBytes;

namespace {

using Texts = QList<QPair<QByteArray, QByteArray>>;

/// A file of some texts, at most one number and flag, and one tensor.
std::string fileOf(const Texts& texts, const QByteArray& number, int value, const QByteArray& flag,
                   const QByteArray& tensor)
{
    GgufBytes out;
    const bool hasNumber = !number.isEmpty();
    const bool hasFlag = !flag.isEmpty();
    out.header(1, static_cast<std::uint64_t>(texts.size() + hasNumber + hasFlag));
    for (const auto& [key, text] : texts) {
        out.key(key.toStdString(), ValueType::String).text(text.toStdString());
    }
    if (hasNumber) {
        out.key(number.toStdString(), ValueType::U32).number(static_cast<std::uint32_t>(value));
    }
    if (hasFlag) {
        out.key(flag.toStdString(), ValueType::Bool).number<std::uint8_t>(0);
    }
    out.tensor(tensor.toStdString(), { 32 }, 0, 0).pad().fill(128);
    return out.bytes();
}

} // namespace

class TestFileKind : public QObject
{
    Q_OBJECT

    static void addColumns()
    {
        QTest::addColumn<Texts>("texts");
        QTest::addColumn<QByteArray>("number");
        QTest::addColumn<int>("value");
        QTest::addColumn<QByteArray>("flag"); ///< false
        QTest::addColumn<QByteArray>("tensor");
        QTest::addColumn<QString>("slug"); ///< empty: nothing special about it
        QTest::addColumn<QString>("named"); ///< what the sentence calls it
    }

    static void row(const char* name, const Texts& texts, const char* slug, const char* named,
                    const char* number = "", int value = 0, const char* flag = "",
                    const char* tensor = "x.weight")
    {
        QTest::newRow(name) << texts << QByteArray(number) << value << QByteArray(flag)
                            << QByteArray(tensor) << QString(slug) << QString(named);
    }

    static Texts architecture(const char* name) { return { { "general.architecture", name } }; }

private Q_SLOTS:
    void kinds_data()
    {
        addColumns();
        row("chat", architecture("llama"), "", "");
        row("unheard of", architecture("zebra"), "", "");
        row("no architecture", {}, "", "");
        for (const char* name : { "bert", "nomic-bert", "jina-bert-v2", "modern-bert", "t5encoder",
                                  "gemma-embedding" }) {
            row(name, architecture(name), "embedding-model", name);
        }
        row("pooled", architecture("qwen3"), "embedding-model", "qwen3", "qwen3.pooling_type", 3);
        row("not pooled", architecture("qwen3"), "", "", "qwen3.pooling_type", 0);
        row("ranks", architecture("qwen3"), "reranking-model", "qwen3", "qwen3.pooling_type", 4);
        row("ranks as BERT", architecture("bert"), "reranking-model", "bert", "bert.pooling_type",
            4);
        row("sees what comes", architecture("gemma3"), "embedding-model", "gemma3", "", 0,
            "gemma3.attention.causal");
        row("another's keys", architecture("llama"), "", "", "", 0, "bert.attention.causal");
        row("diffusion", architecture("llada"), "diffusion-language-model", "llada", "", 0,
            "llada.attention.causal");
        row("dream", architecture("dream"), "diffusion-language-model", "dream");
        row("encoder and decoder", architecture("t5"), "encoder-decoder-model", "t5");
        row("projector", architecture("clip"), "media-projector", "clip");
        row("projector by type", { { "general.type", "mmproj" }, { "general.architecture", "x" } },
            "media-projector", "x");
        row("adapter",
            { { "general.type", "adapter" },
              { "general.architecture", "llama" },
              { "adapter.type", "lora" } },
            "adapter-file", "llama", "", 0, "", "blk.0.attn_q.weight.lora_a");
        row("control vector",
            { { "general.architecture", "controlvector" },
              { "controlvector.model_hint", "mistral" } },
            "control-vector-file", "mistral", "", 0, "", "direction.1");
        row("importance matrix", { { "general.type", "imatrix" } }, "importance-matrix-file",
            "importance", "", 0, "", "blk.0.attn_q.weight.in_sum2");
        row("flux", architecture("flux"), "picture-model", "flux");
        row("stable diffusion", {}, "picture-model", "model.diffusion_model.out.2.weight", "", 0,
            "", "model.diffusion_model.out.2.weight");
        row("whisper", architecture("whisper"), "speech-model", "whisper");
        row("voice", architecture("wavtokenizer-dec"), "speech-model", "wavtokenizer-dec");
    }

    void kinds()
    {
        QFETCH(Texts, texts);
        QFETCH(QByteArray, number);
        QFETCH(int, value);
        QFETCH(QByteArray, flag);
        QFETCH(QByteArray, tensor);
        QFETCH(QString, slug);
        QFETCH(QString, named);
        const QTemporaryDir folder;
        const auto path = folder.filePath("tiny.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << fileOf(texts, number, value, flag, tensor);

        const auto file = gguf::GgufFile::open(path);
        QVERIFY(file && (*file)->loads());
        const auto kind = model::foreignKind(**file);
        QCOMPARE(kind.has_value(), !slug.isEmpty());
        const auto verdict = model::examine(path);
        QVERIFY(verdict.opens && !verdict.runs && verdict.obstacle);
        const auto loaded = model::Model::load(path);
        QVERIFY(!loaded.has_value());
        QCOMPARE(englishSentence(verdict.obstacle.value()), englishSentence(loaded.error()));
        if (!kind) {
            return;
        }
        QCOMPARE(QString::fromStdString(std::string(errorSlug(kind->code))), slug);
        QVERIFY(QString::fromStdString(englishSentence(*kind)).contains(named));
        QVERIFY(kind->where.offset && !kind->where.subject.empty() && kind->where.file == path);
        // Nothing is wrong with it, and no other complaint hides what it is.
        QVERIFY(verdict.loads);
        QCOMPARE(englishSentence(*verdict.obstacle), englishSentence(*kind));
        for (const auto& problem : verdict.problems) {
            QVERIFY(problem.error.code != ErrorCode::UnknownArchitecture);
            QVERIFY(problem.error.code != ErrorCode::MissingKey);
        }
    }
};

QTEST_APPLESS_MAIN(TestFileKind)
#include "tst_file_kind.moc"
