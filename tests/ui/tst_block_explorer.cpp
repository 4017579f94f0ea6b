// Bytes, fields and weights of a block, and what lights up with what.
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/codec.h"
#include "ui/inspector/block_explorer.h"

#include <QSignalSpy>
#include <QTest>

#include <array>

using engine::gguf::TensorType;

namespace {

struct Shown
{
    BlockExplorer explorer;
    std::vector<std::byte> bytes;
    std::vector<float> values;

    /// `blocks` blocks of bytes that are all different.
    explicit Shown(TensorType type, std::size_t blocks = 1)
    {
        const auto& info = engine::gguf::tensorTypeInfo(type);
        bytes.resize(blocks * info.typeSize);
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            bytes[at] = static_cast<std::byte>(17 + 29 * at);
        }
        if (type == TensorType::Q4_1) { // d = 0.5, m = −2
            const std::array<int, 4> head { 0x00, 0x38, 0x00, 0xc0 };
            for (std::size_t at = 0; at < head.size(); ++at) {
                bytes[at] = static_cast<std::byte>(head[at]);
            }
        }
        values.resize(blocks * info.blockSize);
        engine::quant::codec(type)->decode(bytes.data(), values.data(), blocks);
        explorer.show(type, bytes, values);
    }
    [[nodiscard]] QString byteName(int at) const
    {
        return explorer.bytes().at(at).toMap()["name"].toString();
    }
};

} // namespace

class TestBlockExplorer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytesAndFields()
    {
        const Shown shown(TensorType::Q4_1);
        QCOMPARE(shown.explorer.bytes().size(), 20);
        QCOMPARE(shown.byteName(0), QString("d"));
        QCOMPARE(shown.byteName(2), QString("m"));
        QCOMPARE(shown.byteName(7), QString("qs[3]"));
        QCOMPARE(shown.explorer.bytes().at(0).toMap()["kind"].toString(), QString("scale"));
        QCOMPARE(shown.explorer.bytes().at(3).toMap()["kind"].toString(), QString("min"));
        QCOMPARE(shown.explorer.bytes().at(4).toMap()["kind"].toString(), QString("quant"));
        QCOMPARE(shown.explorer.parts().size(), 2);
        QCOMPARE(shown.explorer.parts().at(0).toMap()["value"].toString(), QString("0.5"));
        QCOMPARE(shown.explorer.values().size(), 32);
        QCOMPARE(shown.explorer.formula(), QString("w = d · q + m"));
    }

    void lightsWhatBelongsTogether()
    {
        Shown shown(TensorType::Q4_1);
        BlockExplorer& explorer = shown.explorer;
        // The chosen weight: scale, minimum, and the byte with its level.
        QCOMPARE(explorer.litWeight(), 0);
        QCOMPARE(explorer.litBytes(), QList<int>({ 0, 1, 2, 3, 4 }));
        QCOMPARE(explorer.litParts(), QList<int>({ 0, 1 }));
        // qs[3] holds two weights: the low half the 4th, the high half the 20th.
        QSignalSpy looks(&explorer, &BlockExplorer::lookChanged);
        explorer.lookAtByte(7);
        QCOMPARE(looks.size(), 1);
        QCOMPARE(explorer.litBytes(), QList<int> { 7 });
        QCOMPARE(explorer.litWeight(), 3);
        QVERIFY2(explorer.about().startsWith("qs[3] = 0x"), qPrintable(explorer.about()));
        QVERIFY(explorer.about().contains("q[19]"));
        const int level = std::to_integer<int>(shown.bytes[7]) & 15;
        QVERIFY2(explorer.recipe().startsWith(QString("w[3] = d · q + m = 0.5 · %1").arg(level)),
                 qPrintable(explorer.recipe()));
        explorer.lookAtPart(1);
        QCOMPARE(explorer.litBytes(), QList<int>({ 2, 3 }));
        QCOMPARE(explorer.litParts(), QList<int> { 1 });
        explorer.setWeight(31);
        QCOMPARE(explorer.litWeight(), 31);
        QVERIFY(explorer.litBytes().contains(19));
        explorer.lookAtByte(0);
        explorer.lookAway();
        QCOMPARE(explorer.litWeight(), 31);
        explorer.lookAtByte(-1);
        explorer.lookAtByte(20);
        explorer.lookAtPart(2);
        explorer.setWeight(32);
        QCOMPARE(explorer.litWeight(), 31);
    }

    // Every byte of every type says what it is, and every weight how it is made.
    void everyType()
    {
        for (const auto& codec : engine::quant::codecs()) {
            Shown shown(codec.type);
            const auto& info = engine::gguf::tensorTypeInfo(codec.type);
            QCOMPARE(shown.explorer.bytes().size(), static_cast<qsizetype>(info.typeSize));
            for (int byte = 0; byte < static_cast<int>(info.typeSize); ++byte) {
                shown.explorer.lookAtByte(byte);
                QVERIFY2(shown.explorer.litBytes().contains(byte), info.name.data());
                QVERIFY(!shown.explorer.about().isEmpty());
                QVERIFY(!shown.explorer.bytes().at(byte).toMap()["kind"].toString().isEmpty());
            }
            for (int weight = 0; weight < static_cast<int>(info.blockSize); ++weight) {
                shown.explorer.lookAtWeight(weight);
                QVERIFY2(!shown.explorer.litBytes().isEmpty(), info.name.data());
                QVERIFY(shown.explorer.recipe().startsWith(QString("w[%1] = ").arg(weight)));
            }
            int own = 0;
            for (const QVariant& other : shown.explorer.alternatives()) {
                own += other.toMap()["own"].toBool() ? 1 : 0;
            }
            QCOMPARE(own, 1);
        }
    }

    void numbersOfAPlainType()
    {
        Shown shown(TensorType::F16, 32);
        QCOMPARE(shown.explorer.bytes().size(), 64);
        QVERIFY(shown.explorer.parts().isEmpty());
        shown.explorer.setWeight(5);
        QCOMPARE(shown.explorer.litBytes(), QList<int>({ 10, 11 }));
        shown.explorer.lookAtByte(63);
        QCOMPARE(shown.explorer.litWeight(), 31);
        QVERIFY(shown.explorer.alternatives().size() >= 3);
    }

    void clears()
    {
        Shown shown(TensorType::Q4_1);
        shown.explorer.clear();
        QVERIFY(shown.explorer.bytes().isEmpty() && shown.explorer.values().isEmpty());
        QVERIFY(shown.explorer.formula().isEmpty() && shown.explorer.recipe().isEmpty());
        QCOMPARE(shown.explorer.litWeight(), -1);
        shown.explorer.lookAway();
        QVERIFY(shown.explorer.litBytes().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestBlockExplorer)
#include "tst_block_explorer.moc"
