// The KV cache of a file's model in numbers: the formula by hand, files without one.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "ui/inspector/cache_calculator.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

class TestCacheCalculator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byTheFormula()
    {
        const auto models = tests::conformanceDir("architectures");
        if (!models) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto file = engine::gguf::GgufFile::open((*models / "llama-mha/model.gguf").string());
        QVERIFY(file);
        CacheCalculator calculator;
        QSignalSpy changed(&calculator, &CacheCalculator::changed);
        calculator.setFile({ *file });
        QCOMPARE(changed.size(), 1);
        QCOMPARE(calculator.context(), calculator.trained());
        const auto number = [&](const char* key) {
            return (*file)->find(key)->asUnsigned().value();
        };
        const auto layers = number("llama.block_count");
        const auto heads = number("llama.attention.head_count_kv");
        const auto width = number("llama.embedding_length") / number("llama.attention.head_count");
        calculator.setContext(1000);
        const QVariantList rows = calculator.rows();
        QCOMPARE(rows.size(), 3);
        const auto sizeOf = [](quint64 bytes) {
            return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1,
                                               QLocale::DataSizeSIFormat);
        };
        QCOMPARE(rows[0].toMap()["type"].toString(), QString("F16"));
        QCOMPARE(rows[0].toMap()["size"].toString(), sizeOf(2 * layers * heads * width * 1000 * 2));
        QVERIFY(calculator.formula().contains(QString("× %1 KV heads").arg(heads)));
        QVERIFY(calculator.note().isEmpty());
        calculator.setContext(-5);
        QCOMPARE(calculator.context(), 1);
    }

    void saysWhyThereIsNone()
    {
        CacheCalculator calculator;
        QVERIFY(calculator.rows().isEmpty());
        const auto files = tests::conformanceDir("malformed");
        if (!files) {
            QSKIP(tests::missing("malformed").c_str());
        }
        int without = 0;
        for (const auto& entry : std::filesystem::directory_iterator(*files / "containers")) {
            const auto file = engine::gguf::GgufFile::open(entry.path().string());
            if (file) {
                calculator.setFile({ *file });
                QVERIFY(calculator.rows().isEmpty() || calculator.context() > 0);
                without += calculator.rows().isEmpty() && !calculator.note().isEmpty() ? 1 : 0;
            }
        }
        QVERIFY(without > 0);
        calculator.setFile({});
        QVERIFY(calculator.note().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCacheCalculator)
#include "tst_cache_calculator.moc"
