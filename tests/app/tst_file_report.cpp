// The Markdown report: what it holds, long values cut, hostile text harmless.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/file_report.h"
#include "engine/model/verdict.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/support/conformance.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using engine::gguf::GgufFile;
using engine::gguf::SplitFile;
using engine::gguf::ValueType;
using tests::GgufBytes;

class TestFileReport : public QObject
{
    Q_OBJECT

    /// As the window makes it.
    static QString reportOn(const std::shared_ptr<const GgufFile>& file)
    {
        const auto set = SplitFile::of(file);
        const auto verdict = engine::model::diagnose(set->opened());
        return QString::fromStdString(app::fileReport(*set, verdict.problems));
    }
    static QString reportOn(const std::string& bytes)
    {
        const auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "/home/me/odd.gguf");
        return file ? reportOn(*file) : QString();
    }

private Q_SLOTS:
    void tellsWhatAFileIs()
    {
        GgufBytes out;
        out.header(3, 6);
        out.key("general.architecture", ValueType::String).text("zebra");
        out.key("general.file_type", ValueType::U32).number<std::uint32_t>(7);
        out.key("zebra.block_count", ValueType::U32).number<std::uint32_t>(2);
        out.key("zebra.context_length", ValueType::U32).number<std::uint32_t>(1000);
        out.key("zebra.embedding_length", ValueType::U32).number<std::uint32_t>(64);
        out.key("zebra.attention.head_count", ValueType::U32).number<std::uint32_t>(4);
        out.tensor("a", { 32, 2 }, 8, 0).tensor("b", { 32 }, 8, 96).tensor("n", { 8 }, 0, 160);
        out.pad().fill(68).pad().fill(34).pad().fill(32);
        const QString text = reportOn(out.bytes());
        QVERIFY2(text.startsWith("# `odd.gguf`\n"), qPrintable(text));
        QVERIFY(!text.contains("/home/me"));
        QVERIFY2(text.contains("GGUF version 3, little-endian, alignment 32"), qPrintable(text));
        QVERIFY(text.contains("| file type | 7, Q8_0 |"));
        QVERIFY2(text.contains("| Q8_0 | 2 | 96 | 102 B | 76.1 % | 8.500 |"), qPrintable(text));
        QVERIFY2(text.contains("| F32 | 1 | 8 | 32 B | 23.9 % | 32.000 |"), qPrintable(text));
        QVERIFY2(text.contains("| all | 3 | 104 | 134 B | 100.0 % | 10.308 |"), qPrintable(text));
        QVERIFY2(text.contains("1,000 tokens: F16 512.0 kB, Q8_0 272.0 kB, Q4_0 144.0 kB"),
                 qPrintable(text));
        QVERIFY(text.contains("`zebra.block_count` | u32 | `2` |"));
        QVERIFY(text.contains("- **note** unknown-architecture, at byte "));
    }

    void longValuesAreCut()
    {
        GgufBytes out;
        out.header(0, 2);
        out.key("long", ValueType::String).text(std::string(5000, 'x'));
        out.key("list", ValueType::Array).arrayHeader(ValueType::U8, 1000);
        for (int i = 0; i < 1000; ++i) {
            out.number(static_cast<std::uint8_t>(i));
        }
        const QString text = reportOn(out.bytes());
        QVERIFY(text.size() < 2000);
        QVERIFY2(text.contains("(5,000 bytes)"), qPrintable(text));
        QVERIFY2(text.contains("`[0, 1, 2, 3, 4, 5, 6, 7]` … 1,000 in all"), qPrintable(text));
    }

    // Text of a file stays in its cell and is no markup.
    void hostileTextIsHarmless()
    {
        GgufBytes out;
        out.header(0, 4);
        out.key("a|b", ValueType::String).text("x | y\n# title\n<img src=x>");
        out.key("ticks", ValueType::String).text("``` `` end`");
        out.key("empty", ValueType::String).text("");
        out.key("bytes", ValueType::String).text("\xff\xfe\x01");
        const QString text = reportOn(out.bytes());
        QVERIFY2(text.contains("| `a\\|b` | string | `x \\| y\\n# title\\n<img src=x>` |"),
                 qPrintable(text));
        QVERIFY2(text.contains("| ```` ``` `` end` ```` |"), qPrintable(text));
        QVERIFY2(text.contains("| (empty) |"), qPrintable(text));
        QVERIFY(!text.contains(QChar(0xFFFD)) && !text.contains(QChar(1)));
        QVERIFY(!text.contains("\n# title"));
    }

    void brokenFilesHaveOneToo()
    {
        const auto folder = tests::conformanceDir("malformed");
        for (const auto* kind : { "containers", "tokenizers" }) {
            for (const auto& entry : std::filesystem::directory_iterator(*folder / kind)) {
                const auto file = GgufFile::open(entry.path().string());
                if (!file) {
                    continue;
                }
                const QString text = reportOn(*file);
                QVERIFY2(text.contains("## Problems\n\n- **"), entry.path().c_str());
                QVERIFY(!text.contains(QChar(0xFFFD)));
            }
        }
    }

    void partsAreListed()
    {
        QTemporaryDir folder;
        GgufBytes out;
        out.header(1, 2);
        out.key("split.no", ValueType::U16).number<std::uint16_t>(0);
        out.key("split.count", ValueType::U16).number<std::uint16_t>(2);
        out.tensor("t", { 8 }, 0, 0).pad().fill(32);
        const auto path = folder.filePath("m-00001-of-00002.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << out.bytes();
        const auto file = GgufFile::open(path);
        QVERIFY(file);
        const QString text = reportOn(*file);
        QVERIFY2(text.contains("| 2 | `m-00002-of-00002.gguf` | missing |"), qPrintable(text));
        QVERIFY(text.contains("gguf-shard-missing"));
    }
};

QTEST_APPLESS_MAIN(TestFileReport)
#include "tst_file_report.moc"
