// The Markdown report on two files: what it holds, hostile text harmless, long tables cut.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/diff_report.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

using engine::eval::compareData;
using engine::gguf::GgufFile;
using engine::gguf::ValueType;
using tests::GgufBytes;

namespace {

std::shared_ptr<const GgufFile> opened(const GgufBytes& bytes, const char* name)
{
    return GgufFile::parse(std::as_bytes(std::span(bytes.bytes())), name).value_or(nullptr);
}

QString reportOn(const GgufBytes& left, const GgufBytes& right, bool withData = true)
{
    const auto a = opened(left, "/home/me/a.gguf");
    const auto b = opened(right, "/home/me/b.gguf");
    const auto metadata = compareMetadata(*a, *b);
    const auto tensors = compareTensors(*a, *b);
    std::vector<engine::eval::DataDiff> data;
    if (withData) {
        data = *compareData(*a, *b, tensors);
    }
    return QString::fromStdString(app::diffReport(*a, *b, metadata, tensors, data));
}

} // namespace

class TestDiffReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatDiffers()
    {
        GgufBytes a;
        GgufBytes b;
        a.header(2, 3);
        b.header(3, 3);
        a.key("general.architecture", ValueType::String).text("zebra");
        b.key("general.architecture", ValueType::String).text("zebra");
        a.key("zebra.x", ValueType::U32).number<std::uint32_t>(1);
        b.key("zebra.x", ValueType::I32).number<std::int32_t>(1);
        a.key("tokens", ValueType::Array).arrayHeader(ValueType::String, 2).text("a").text("b");
        b.key("tokens", ValueType::Array).arrayHeader(ValueType::String, 1).text("c");
        a.tensor("w", { 32 }, 8, 0).tensor("v", { 8 }, 0, 64).pad().fill(34).pad().fill(32);
        b.tensor("w", { 32 }, 8, 0).tensor("v", { 8 }, 30, 64).tensor("n", { 8 }, 0, 96);
        b.pad().fill(34, 'x').pad().fill(16).pad().fill(32);
        const QString text = reportOn(a, b);
        QVERIFY(!text.contains("/home/me"));
        QVERIFY2(text.contains("| file | `a.gguf` | `b.gguf` |"), qPrintable(text));
        QVERIFY2(text.contains("| tensors | 2 | 3 |"), qPrintable(text));
        QVERIFY2(text.contains("## Metadata: 2 of 3 differ"), qPrintable(text));
        QVERIFY2(text.contains("| `zebra.x` | u32 `1` | i32 `1` | type differs |"),
                 qPrintable(text));
        QVERIFY2(text.contains("2 elements differ, the first at 0: `\"a\"` / `\"c\"` |"),
                 qPrintable(text));
        QVERIFY(!text.contains("general.architecture"));
        QVERIFY2(text.contains("## Tensors: 3 of 3 differ"), qPrintable(text));
        QVERIFY2(text.contains("| `w` | Q8_0, 32, 34 B | Q8_0, 32, 34 B | 1 of 1 blocks differ, "
                               "the first is 0 |"),
                 qPrintable(text));
        QVERIFY2(text.contains("| `v` | F32, 8, 32 B | BF16, 8, 16 B | – |"), qPrintable(text));
        QVERIFY2(text.contains("| `n` | – | F32, 8, 32 B | – |"), qPrintable(text));
        QVERIFY(!text.contains("not compared"));
    }

    void saysWhereNothingDiffers()
    {
        GgufBytes a;
        a.header(1, 0).tensor("w", { 8 }, 0, 0).pad().fill(32);
        QVERIFY(reportOn(a, a).contains("## Tensors: 0 of 1 differ"));
        QVERIFY(reportOn(a, a, false).contains("The weights were not compared."));
    }

    void keepsHostileTextInItsCell()
    {
        GgufBytes a;
        GgufBytes b;
        a.header(0, 1).key("k|<b>", ValueType::String).text("x|y\n# z`");
        b.header(0, 0);
        const QString text = reportOn(a, b);
        QVERIFY2(text.contains("| `k\\|<b>` | string `` x\\|y\\n# z` `` | – |  |"),
                 qPrintable(text));
    }

    void cutsLongTables()
    {
        GgufBytes a;
        GgufBytes b;
        a.header(0, 1000);
        for (int key = 0; key < 1000; ++key) {
            a.key("key." + std::to_string(key), ValueType::U32).number<std::uint32_t>(1);
        }
        b.header(0, 0);
        const QString text = reportOn(a, b);
        QVERIFY(text.contains("\n800 more are not listed.\n"));
        QVERIFY(text.contains("`key.199`") && !text.contains("`key.200`"));
        QVERIFY(text.size() < 65536);
    }
};

QTEST_GUILESS_MAIN(TestDiffReport)
#include "tst_diff_report.moc"
