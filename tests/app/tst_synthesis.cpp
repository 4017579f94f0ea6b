// Model files of random weights: sizes, determinism, fallback of types, cancellation, failures.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/synthesis.h"
#include "engine/eval/tensor_statistics.h"
#include "engine/gguf/gguf_file.h"
#include "tests/support/conformance.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using engine::ErrorCode;
using engine::gguf::TensorType;

class TestSynthesis : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    [[nodiscard]] std::string path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

private Q_SLOTS:
    void requestsAreParsed()
    {
        const auto request = app::parseSynthesis("1.1B:q8_0");
        QVERIFY(request.has_value());
        QCOMPARE(request->shape.width, 2048U);
        QCOMPARE(request->type, TensorType::Q8_0);
        for (const char* wrong : { "", "1.1B", "7B:Q4_0", "8B:", "8B:Q4_9", ":Q4_0", "8B:I64" }) {
            const auto refused = app::parseSynthesis(wrong);
            QVERIFY2(!refused, wrong);
            QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
        }
    }

    void typesFallBackWhereBlocksDoNotDivideARow()
    {
        QCOMPARE(app::synthesisTensorType(TensorType::Q4_0, 576), TensorType::Q4_0);
        QCOMPARE(app::synthesisTensorType(TensorType::Q4_0, 40), TensorType::F16);
        QCOMPARE(app::synthesisTensorType(TensorType::F32, 7), TensorType::F32);
        QCOMPARE(app::synthesisTensorType(TensorType::Q4_K, 576), TensorType::Q5_0);
        QCOMPARE(app::synthesisTensorType(TensorType::Q5_K, 576), TensorType::Q5_1);
        QCOMPARE(app::synthesisTensorType(TensorType::Q6_K, 576), TensorType::Q8_0);
        QCOMPARE(app::synthesisTensorType(TensorType::Q6_K, 577), TensorType::F16);
    }

    void filesAreSound_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<double>("bits");
        QTest::newRow("Q4_0") << "Q4_0" << 4.5;
        QTest::newRow("Q4_1") << "Q4_1" << 5.0;
        QTest::newRow("Q5_0") << "Q5_0" << 5.5;
        QTest::newRow("Q5_1") << "Q5_1" << 6.0;
        QTest::newRow("Q8_0") << "Q8_0" << 8.5;
        QTest::newRow("F16") << "F16" << 16.0;
        QTest::newRow("BF16") << "BF16" << 16.0;
        if (tests::fullRun()) {
            QTest::newRow("F32") << "F32" << 32.0;
        }
    }
    void filesAreSound()
    {
        QFETCH(QString, type);
        QFETCH(double, bits);
        const auto file = path("sound.gguf");
        const auto request = app::parseSynthesis("135M:" + type.toStdString());
        QVERIFY(request.has_value());
        double last = 0;
        const auto done = app::synthesize(*request, file, {}, [&](double f) { last = f; });
        QVERIFY(done.has_value());
        QCOMPARE(last, 1.0);
        QVERIFY(std::abs(done->bitsPerWeight - bits) < 0.02);
        QCOMPARE(done->bytes, std::filesystem::file_size(file));

        const auto opened = engine::gguf::GgufFile::open(file);
        QVERIFY(opened.has_value());
        QVERIFY((*opened)->problems().empty());
        QCOMPARE((*opened)->tensors().size(), std::size_t { 2 + 9 * 30 });
        const auto* tensor = (*opened)->findTensor("blk.3.ffn_down.weight");
        QVERIFY(tensor != nullptr);
        const auto statistics = engine::eval::tensorStatistics(**opened, *tensor);
        QVERIFY(statistics.has_value());
        QCOMPARE(statistics->nans + statistics->infinities, std::uint64_t { 0 });
        QVERIFY(std::abs(statistics->standardDeviation - 0.02) < 0.001);
        QVERIFY(std::abs(statistics->mean) < 0.001);
    }

    /// Random bits with scales that make them as large as other weights.
    void typesWithoutAnEncoder_data()
    {
        QTest::addColumn<QString>("type");
        for (const char* type : { "Q2_K", "Q4_K", "Q6_K", "IQ2_XXS", "IQ4_XS", "TQ1_0" }) {
            QTest::newRow(type) << type;
        }
    }
    void typesWithoutAnEncoder()
    {
        QFETCH(QString, type);
        const auto file = path("bits.gguf");
        const auto request = app::parseSynthesis("135M:" + type.toStdString());
        QVERIFY(request.has_value());
        QVERIFY(app::synthesize(*request, file).has_value());
        const auto opened = engine::gguf::GgufFile::open(file);
        QVERIFY(opened.has_value());
        QVERIFY((*opened)->problems().empty());
        const auto* tensor = (*opened)->findTensor("blk.3.ffn_down.weight"); // rows of 1,536
        QVERIFY(tensor != nullptr);
        QCOMPARE(QString::fromStdString(std::string(tensor->typeInfo()->name)), type);
        const auto statistics = engine::eval::tensorStatistics(**opened, *tensor);
        QVERIFY(statistics.has_value());
        QCOMPARE(statistics->nans + statistics->infinities, std::uint64_t { 0 });
        const double size = std::hypot(statistics->standardDeviation, statistics->mean);
        QVERIFY2(size > 0.015 && size < 0.025, qPrintable(QString::number(size)));
    }

    void theSameSeedGivesTheSameFile()
    {
        auto request = app::parseSynthesis("135M:Q4_0");
        QVERIFY(request.has_value());
        QVERIFY(app::synthesize(*request, path("a.gguf")).has_value());
        QVERIFY(app::synthesize(*request, path("b.gguf")).has_value());
        request->seed = 2;
        QVERIFY(app::synthesize(*request, path("c.gguf")).has_value());
        const auto first = tests::readFile(path("a.gguf"));
        QVERIFY(first == tests::readFile(path("b.gguf")));
        QVERIFY(first != tests::readFile(path("c.gguf")));
    }

    void aFolderThatIsNotThereFails()
    {
        const auto request = app::parseSynthesis("135M:Q8_0");
        const auto done = app::synthesize(*request, path("nowhere/out.gguf"));
        QVERIFY(!done.has_value());
        QCOMPARE(done.error().code, ErrorCode::FileWriteFailed);
    }

    void cancellingLeavesNothing()
    {
        const auto request = app::parseSynthesis("135M:Q8_0");
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("empty")));
        std::stop_source stop;
        const auto stopLater = [&](double fraction) {
            if (fraction > 0.3) {
                stop.request_stop();
            }
        };
        const auto done =
            app::synthesize(*request, path("empty/stopped.gguf"), stop.get_token(), stopLater);
        QVERIFY(!done.has_value());
        QCOMPARE(done.error().code, ErrorCode::Cancelled);
        QVERIFY(QDir(m_folder.filePath(QStringLiteral("empty"))).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestSynthesis)
#include "tst_synthesis.moc"
