// Models from top to bottom: sound, with missing, misshapen and unused tensors, of unknown
// architectures, broken. SPDX-License-Identifier: Apache-2.0
#include "engine/model/architecture_outline.h"
#include "tests/support/conformance.h"
#include "tests/support/tiny_gguf.h"

#include <QTest>

#include <set>

using namespace engine;
using namespace engine::model;
using Kind = OutlineSection::Kind;
using Measure = Outline::Measure;

namespace {

struct Parsed
{
    std::string bytes;
    std::shared_ptr<const gguf::GgufFile> file;
    Outline outline;

    explicit Parsed(std::string content, Marks marks = Marks::All)
        : bytes(std::move(content))
    {
        const auto parsed = gguf::GgufFile::parse(std::as_bytes(std::span(bytes)), "test.gguf");
        if (parsed) {
            file = *parsed;
            outline = model::outline(*file, marks);
        }
    }
    [[nodiscard]] std::vector<const OutlinedTensor*> in(TensorState state) const
    {
        std::vector<const OutlinedTensor*> found;
        for (const auto& section : outline.sections) {
            for (const auto& part : section.parts) {
                for (const auto& tensor : part.tensors) {
                    if (tensor.state == state) {
                        found.push_back(&tensor);
                    }
                }
            }
        }
        return found;
    }
};

/// "attention: attn_norm attn_q; feed-forward: …" with + where a result is added.
std::string text(const OutlineSection& section)
{
    static constexpr const char* kNames[] = { "input",   "attention", "state space", "feed-forward",
                                              "experts", "output",    "other" };
    std::string out;
    for (const auto& part : section.parts) {
        out += (out.empty() ? "" : "; ") + std::string(kNames[static_cast<int>(part.part)]) + ":";
        for (const auto& tensor : part.tensors) {
            out += " " + tensor.label;
        }
        out += part.isAdded ? " +" : "";
    }
    return out;
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to)
{
    for (auto at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1)) {
        bytes.replace(at, from.size(), to);
    }
    return bytes;
}

std::string tiny(const std::vector<std::string>& names)
{
    std::vector<tests::TinyTensor> tensors;
    for (const auto& name : names) {
        tensors.push_back({ name, 0, { 1 }, std::vector<std::byte>(4) });
    }
    const auto bytes = tests::tinyGguf(tensors);
    return { reinterpret_cast<const char*>(bytes.data()), bytes.size() };
}

} // namespace

class TestArchitectureOutline : public QObject
{
    Q_OBJECT

    std::string m_bytes; // a sound small llama

private Q_SLOTS:
    void initTestCase()
    {
        const auto folder = tests::conformanceDir("architectures/llama-mha");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-mha").c_str());
        }
        m_bytes = tests::readFile(*folder / "model.gguf");
    }

    void soundModel()
    {
        const Parsed parsed(m_bytes);
        const Outline& o = parsed.outline;
        QVERIFY(o.measure == Measure::Architecture);
        QCOMPARE(o.architecture, std::string("llama"));
        QCOMPARE(o.missing + o.wrong + o.unused, std::size_t(0));
        QCOMPARE(o.tensors, parsed.file->tensors().size());
        QCOMPARE(parsed.in(TensorState::Fits).size(), o.tensors);
        QCOMPARE(o.sections.size(), o.blocks + 2);
        QVERIFY(o.sections.front().kind == Kind::Input && o.sections.back().kind == Kind::Output);
        QCOMPARE(text(o.sections.front()), std::string("input: token_embd"));
        QCOMPARE(text(o.sections.back()), std::string("output: output_norm output"));
        for (std::size_t block = 0; block < o.blocks; ++block) {
            QCOMPARE(o.sections[block + 1].block, static_cast<std::uint32_t>(block));
            QCOMPARE(text(o.sections[block + 1]),
                     std::string("attention: attn_norm attn_q attn_k attn_v attn_output +; "
                                 "feed-forward: ffn_norm ffn_gate ffn_up ffn_down +"));
            QVERIFY(alike(*parsed.file, o.sections[1], o.sections[block + 1]));
        }
        QVERIFY(!alike(*parsed.file, o.sections[0], o.sections[1]));
    }

    void withoutMarks()
    {
        const Parsed parsed(replaced(m_bytes, "attn_q", "attn_x"), Marks::None);
        QVERIFY(parsed.outline.measure == Measure::None);
        QCOMPARE(parsed.in(TensorState::Unmarked).size(), parsed.outline.tensors);
        QVERIFY(text(parsed.outline.sections[1]).find('+') == std::string::npos);
    }

    // They stand where the architecture has them.
    void missingAndUnused()
    {
        const Parsed parsed(replaced(m_bytes, "blk.1.attn_q.weight", "blk.1.attn_x.weight"));
        const Outline& o = parsed.outline;
        QCOMPARE(o.missing, std::size_t(1));
        QCOMPARE(o.unused, std::size_t(1));
        QCOMPARE(o.wrong, std::size_t(0));
        QCOMPARE(text(o.sections[2]),
                 std::string("attention: attn_norm attn_q attn_k attn_v attn_x attn_output +; "
                             "feed-forward: ffn_norm ffn_gate ffn_up ffn_down +"));
        const auto* missing = parsed.in(TensorState::Missing).at(0);
        QCOMPARE(missing->name, std::string("blk.1.attn_q.weight"));
        QCOMPARE(missing->number, -1);
        const auto* other = parsed.file->findTensor("blk.0.attn_q.weight");
        QCOMPARE(missing->columns, other->shape[0]);
        QCOMPARE(missing->rows, other->shape[1]);
        const auto* unused = parsed.in(TensorState::Unused).at(0);
        QCOMPARE(parsed.file->tensors()[static_cast<std::size_t>(unused->number)].name,
                 std::string_view("blk.1.attn_x.weight"));
        QVERIFY(!alike(*parsed.file, o.sections[1], o.sections[2]));
    }

    void wrongShape()
    {
        const Parsed sound(m_bytes);
        const auto* tensor = sound.file->findTensor("blk.0.ffn_up.weight");
        std::string bytes = m_bytes;
        const std::size_t rows = tensor->entry.end() - 12 - 8;
        bytes[rows] = static_cast<char>(tensor->shape[1] - 1);
        const Parsed parsed(bytes);
        QCOMPARE(parsed.outline.wrong, std::size_t(1));
        const auto* wrong = parsed.in(TensorState::Wrong).at(0);
        QCOMPARE(wrong->name, std::string("blk.0.ffn_up.weight"));
        QVERIFY(wrong->fault && wrong->fault->code == ErrorCode::WrongTensorShape);
        QVERIFY(wrong->number >= 0);
    }

    void sharedOutput()
    {
        const auto folder = tests::conformanceDir("architectures/llama-gqa-tied");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-gqa-tied").c_str());
        }
        const Parsed parsed(tests::readFile(*folder / "model.gguf"));
        QCOMPARE(parsed.outline.missing, std::size_t(0));
        const auto shared = parsed.in(TensorState::Shared);
        QCOMPARE(shared.size(), std::size_t(1));
        QCOMPARE(shared[0]->label, std::string("output"));
        QCOMPARE(parsed.file->tensors()[static_cast<std::size_t>(shared[0]->number)].name,
                 std::string_view("token_embd.weight"));
        QVERIFY(!isOdd(shared[0]->state));
    }

    // Blocks are compared with each other.
    void unknownArchitecture()
    {
        std::vector<std::string> names { "token_embd.weight", "strange" };
        for (int block = 0; block < 9; ++block) {
            const std::string at = "blk." + std::to_string(block) + ".";
            for (const char* own : { "attn_norm.weight", "attn_qkv.weight", "attn_output.weight",
                                     "ffn_up.weight", "ffn_down.weight", "ssm_a" }) {
                if (block != 7 && (block != 2 || own != std::string("attn_output.weight"))) {
                    names.push_back(at + own);
                }
            }
        }
        names.emplace_back("blk.4.ffn_extra.weight");
        const Parsed parsed(tiny(names));
        const Outline& o = parsed.outline;
        QVERIFY(o.measure == Measure::Peers);
        QVERIFY(o.isComparable);
        QCOMPARE(o.blocks, std::size_t(9));
        QCOMPARE(o.missing, std::size_t(1 + 6)); // one tensor, and all of block 7
        QCOMPARE(o.unused, std::size_t(1));
        QCOMPARE(parsed.in(TensorState::Lacking).at(0)->name,
                 std::string("blk.2.attn_output.weight"));
        QCOMPARE(parsed.in(TensorState::Lacking).at(1)->name,
                 std::string("blk.7.attn_norm.weight"));
        QCOMPARE(parsed.in(TensorState::Beyond).at(0)->name, std::string("blk.4.ffn_extra.weight"));
        QVERIFY(text(o.sections[1]).find('+') == std::string::npos);
        QVERIFY(o.sections.back().kind == Kind::Other);
        QCOMPARE(text(o.sections.back()), std::string("other: strange"));
    }

    void joinsNormsToWhatTheyServe()
    {
        const Parsed parsed(
            tiny({ "blk.0.ssm_in.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight",
                   "blk.0.post_ffw_norm.weight", "blk.0.ffn_up_exps.weight" }));
        QCOMPARE(text(parsed.outline.sections.at(0)),
                 std::string("state space: attn_norm ssm_in; "
                             "experts: ffn_norm ffn_up_exps post_ffw_norm"));
    }

    void keepsTheLastNormLast()
    {
        const Parsed parsed(tiny({ "blk.0.attn_norm.weight", "blk.0.attn_qkv.weight",
                                   "blk.0.post_attention_norm.weight", "blk.0.ssm_out.weight",
                                   "blk.0.ffn_up.weight" }));
        QCOMPARE(text(parsed.outline.sections.at(0)),
                 std::string("attention: attn_norm attn_qkv; "
                             "state space: ssm_out post_attention_norm; feed-forward: ffn_up"));
        QVERIFY(!parsed.outline.isComparable);
    }

    void severalStacks()
    {
        const Parsed parsed(tiny({ "enc.blk.0.attn_q.weight", "enc.output_norm.weight",
                                   "dec.blk.0.attn_q.weight", "dec.blk.1.attn_q.weight" }));
        QCOMPARE(parsed.outline.blocks, std::size_t(3));
        QCOMPARE(parsed.outline.sections.at(0).stack, std::string("enc"));
        QCOMPARE(parsed.outline.sections.at(1).stack, std::string("dec"));
        QVERIFY(parsed.outline.sections.at(3).kind == Kind::Output);
    }

    // Sizes unknown: the key that tells them is broken.
    void faultyMetadata()
    {
        const Parsed parsed(replaced(m_bytes, "llama.embedding_length", "llama.embedding_breite"));
        QVERIFY(parsed.outline.measure == Measure::PeersForFaultyMetadata);
        QCOMPARE(parsed.in(TensorState::Unmarked).size(), parsed.outline.tensors);
    }

    // The architecture is known, but not this way to rotate.
    void unknownKind()
    {
        const auto folder = tests::conformanceDir("architectures/llama-rope-yarn");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-rope-yarn").c_str());
        }
        auto bytes = QByteArray::fromStdString(tests::readFile(*folder / "model.gguf"));
        const Parsed parsed(bytes.replace("yarn", "yurn").toStdString());
        QVERIFY(parsed.outline.measure == Measure::PeersForUnknownKind);
        QCOMPARE(text(parsed.outline.sections.at(1)),
                 std::string("attention: attn_norm attn_q attn_k attn_v attn_output; feed-forward: "
                             "ffn_norm ffn_gate ffn_up ffn_down"));
    }

    void absurdNumbers()
    {
        const Parsed parsed(
            tiny({ "blk.4294967295.attn_q.weight", "blk.0.attn_q.weight",
                   "blk.4000000000.attn_q.weight", "blk.1.attn_q.weight", "blk.2.attn_q.weight" }));
        QCOMPARE(parsed.outline.blocks, std::size_t(5));
        QCOMPARE(parsed.outline.missing, std::size_t(0));
    }

    // Whatever is wrong with a file, all its tensors are there once.
    void everyTensorOfEveryFile_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* pack : { "architectures", "malformed" }) {
            const auto folder = tests::conformanceDir(pack);
            for (const auto& entry : folder ? std::filesystem::recursive_directory_iterator(*folder)
                                            : std::filesystem::recursive_directory_iterator()) {
                if (entry.path().extension() == ".gguf") {
                    const auto name = std::filesystem::relative(entry.path(), *folder).string();
                    QTest::newRow(name.c_str()) << QString::fromStdString(entry.path().string());
                }
            }
        }
    }
    void everyTensorOfEveryFile()
    {
        QFETCH(const QString, path);
        const auto opened = gguf::GgufFile::open(path.toStdString());
        if (!opened) {
            return; // nothing to outline
        }
        const Outline o = model::outline(**opened, Marks::All);
        std::set<int> numbers;
        std::size_t present = 0;
        std::size_t odd = 0;
        for (const auto& section : o.sections) {
            QVERIFY(!section.parts.empty());
            for (const auto& part : section.parts) {
                QVERIFY(!part.tensors.empty());
                for (const auto& tensor : part.tensors) {
                    odd += isOdd(tensor.state);
                    if (tensor.number >= 0 && tensor.state != TensorState::Shared) {
                        ++present;
                        numbers.insert(tensor.number);
                    }
                }
            }
        }
        QCOMPARE(present, (*opened)->tensors().size());
        QCOMPARE(numbers.size(), present);
        QCOMPARE(odd, o.missing + o.wrong + o.unused);
        // The pack's models are whole, and none is thought to be odd for what it is.
        if (path.endsWith("/model.gguf") && o.measure == Measure::Peers) {
            QCOMPARE(odd, std::size_t(0));
        }
    }
};

QTEST_APPLESS_MAIN(TestArchitectureOutline)
#include "tst_architecture_outline.moc"
