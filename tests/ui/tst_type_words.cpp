// Each tensor type has its text, and what it says of blocks is so.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/tensor_type.h"
#include "engine/quant/block_fields.h"
#include "engine/quant/codec.h"
#include "tests/ui/words_checks.h"
#include "ui/inspector/type_words.h"

#include <QRegularExpression>

using engine::gguf::TensorTypeInfo;
using engine::gguf::tensorTypes;

class TestTypeWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areComplete()
    {
        const QString unknown = type_words::about(43).text;
        for (const TensorTypeInfo& type : tensorTypes()) {
            const Words words = type_words::about(static_cast<std::uint32_t>(type.type));
            tests::checkWords(words, QString::fromLatin1(type.name.data()));
            QVERIFY2(words.text != unknown, type.name.data());
        }
        tests::checkWords(type_words::about(43), "unknown");
        QCOMPARE(type_words::about(4).text, unknown); // removed
        QCOMPARE(type_words::about(144).text, unknown); // a fork's
    }

    // "256 weights …": as many as a block has; or the text builds on that of another type.
    void tellTheSizeOfBlocks()
    {
        static const QRegularExpression kSize(
            QStringLiteral("\\b(\\d+) (?:signed |weights|floats)"));
        for (const TensorTypeInfo& type : tensorTypes()) {
            if (type.blockSize == 1) {
                continue;
            }
            const QString text = type_words::about(static_cast<std::uint32_t>(type.type)).text;
            static const QRegularExpression kOther(QStringLiteral("^(I?Q\\d_\\w+) "));
            const auto other = kOther.match(text);
            if (other.hasMatch()) {
                const auto base = engine::gguf::tensorTypeByName(other.captured(1).toStdString());
                QVERIFY2(base, qPrintable(text));
                QCOMPARE(engine::gguf::tensorTypeInfo(*base).blockSize, type.blockSize);
            } else {
                QCOMPARE(kSize.match(text).captured(1).toUInt(), type.blockSize);
            }
        }
    }

    // What is said of the scale's place agrees with the codec.
    void tellWhereTheScaleStands()
    {
        int last = 0;
        for (const auto& codec : engine::quant::codecs()) {
            const auto members = engine::quant::blockMembers(codec.type);
            const bool says = type_words::about(static_cast<std::uint32_t>(codec.type))
                                  .mistake.contains("stands last");
            const bool isLast = members.size() > 1 && members.front().name != "d"
                && (members.back().name == "d" || members.back().name == "dmin");
            QVERIFY2(says == isLast, engine::gguf::tensorTypeInfo(codec.type).name.data());
            last += isLast ? 1 : 0;
        }
        QVERIFY(last >= 3);
    }
};

QTEST_APPLESS_MAIN(TestTypeWords)
#include "tst_type_words.moc"
