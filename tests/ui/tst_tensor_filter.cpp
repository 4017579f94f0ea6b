// The words that choose tensors.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/tensor_filter.h"

#include <QTest>

using engine::gguf::TensorInfo;
using engine::gguf::TensorType;

namespace {

TensorInfo tensor(std::string_view name, TensorType type, std::uint64_t size)
{
    TensorInfo info;
    info.name = name;
    info.typeNumber = static_cast<std::uint32_t>(type);
    info.dimensions = 2;
    info.shape = { 576, 1536, 1, 1 };
    info.data = { 0, size };
    return info;
}

} // namespace

class TestTensorFilter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matches_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("chosen"); // of q, k, n, e, t
        QTest::newRow("empty") << ""
                               << "qknet";
        QTest::newRow("part of the name") << "ATTN_q"
                                          << "qn";
        QTest::newRow("glob to a dot") << "blk.*.attn_q"
                                       << "qn";
        QTest::newRow("glob, whole") << "blk.1?.attn_k.weight"
                                     << "k";
        QTest::newRow("glob begins at the start") << "*norm*"
                                                  << "n";
        QTest::newRow("type") << "type:Q4_K"
                              << "k";
        QTest::newRow("types") << "type:q4_*,F32"
                               << "qkn";
        QTest::newRow("larger") << ">100MB"
                                << "et";
        QTest::newRow("at most") << "<=1.5MiB"
                                 << "qn";
        QTest::newRow("size by name") << "size:>100MB"
                                      << "et";
        QTest::newRow("bits") << "bits:<5"
                              << "qk";
        QTest::newRow("exactly so many bits") << "bits:4.5"
                                              << "qk";
        QTest::newRow("layer") << "layer:1"
                               << "q";
        QTest::newRow("layers") << "layer:0-12"
                                << "qkn";
        QTest::newRow("shape") << "shape:1536"
                               << "qknet";
        QTest::newRow("no such shape") << "shape:7"
                                       << "";
        QTest::newRow("all of it") << "blk.* type:Q4_K <1GB"
                                   << "k";
        QTest::newRow("turned around") << "!blk.*"
                                       << "et";
        QTest::newRow("turned around, with others") << "!type:F32 layer:0-99"
                                                    << "qk";
    }

    void matches()
    {
        QFETCH(QString, filter);
        QFETCH(QString, chosen);
        const TensorFilter chooser(filter);
        QCOMPARE(chooser.complaint(), QString());
        const std::vector<std::pair<QChar, TensorInfo>> all {
            { 'q', tensor("blk.1.attn_q.weight", TensorType::Q4_0, 1'500'000) },
            { 'k', tensor("blk.12.attn_k.weight", TensorType::Q4_K, 3'000'000) },
            { 'n', tensor("blk.3.attn_q.norm.weight", TensorType::F32, 1) },
            { 'e', tensor("token_embd.weight", TensorType::F16, 200'000'000) },
            { 't', tensor("output.weight", TensorType::Q6_K, 100'000'001) },
        };
        QString found;
        for (const auto& [letter, info] : all) {
            if (chooser.matches(info)) {
                found += letter;
            }
        }
        QCOMPARE(found, chosen);
    }

    void complains_data()
    {
        QTest::addColumn<QString>("filter");
        for (const char* wrong :
             { "type:", ">much", "bits:many", "layer:x", "layer:3-", "shape:", "<5XB", "size:>" }) {
            QTest::newRow(wrong) << wrong;
        }
    }

    void complains()
    {
        QFETCH(QString, filter);
        const TensorFilter chooser(filter + " blk");
        QVERIFY(chooser.complaint().contains(filter));
        // What is understood still counts.
        QVERIFY(chooser.matches(tensor("blk.0.x", TensorType::F32, 1)));
        QVERIFY(!chooser.matches(tensor("output", TensorType::F32, 1)));
    }

    void knowsFormerTypes()
    {
        TensorInfo info = tensor("old", TensorType::F32, 1);
        info.typeNumber = 31; // Q4_0_4_4
        QVERIFY(TensorFilter("type:Q4_0_4_4").matches(info));
        QVERIFY(!TensorFilter("bits:>0").matches(info));
    }
};

QTEST_APPLESS_MAIN(TestTensorFilter)
#include "tst_tensor_filter.moc"
