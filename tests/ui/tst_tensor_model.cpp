// The table of tensors: filtering, sorting, groups, sums.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/tensor_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

class TestTensorModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
    }

    void showsAll()
    {
        TensorModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFile(m_file);
        QCOMPARE(model.rowCount(), 25);
        QCOMPARE(text(model, 0, TensorModel::NameRole), QString("token_embd.weight"));
        QCOMPARE(text(model, 0, TensorModel::ShapeRole), QString("64 × 32"));
        QCOMPARE(text(model, 2, TensorModel::TypeRole), QString("Q4_0"));
        QCOMPARE(text(model, 2, TensorModel::BitsRole), QString("4.50"));
        QCOMPARE(text(model, 2, TensorModel::BrokenRole), QString("false"));
        QVERIFY(model.summary().startsWith("25 tensors"));
        QVERIFY(model.summary().contains("F16"));
        model.setFile(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.summary(), QString());
    }

    void filters()
    {
        TensorModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFile(m_file);
        model.setFilter("blk.*.attn_q");
        QCOMPARE(model.rowCount(), tests::kLayers);
        QCOMPARE(model.tensorAt(0), 2);
        QCOMPARE(model.rowOf(4), 1);
        QCOMPARE(model.rowOf(0), -1);
        QVERIFY(model.summary().startsWith("12 of 25 shown"));
        QVERIFY(model.summary().contains("Q4_0 100.0 %"));
        model.setFilter("type:");
        QVERIFY(!model.complaint().isEmpty());
        QCOMPARE(model.rowCount(), 25);
        model.setFilter({});
        QCOMPARE(model.complaint(), QString());
    }

    void sorts()
    {
        TensorModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFile(m_file);
        model.sortBy(TensorModel::Size);
        QVERIFY(model.isDescending()); // the large ones first
        QCOMPARE(model.tensorAt(0), 0);
        QCOMPARE(text(model, 1, TensorModel::TypeRole), QString("Q4_0"));
        model.sortBy(TensorModel::Size);
        QVERIFY(!model.isDescending());
        QCOMPARE(model.tensorAt(24), 0);
        model.sortBy(TensorModel::Size); // as in the file
        QCOMPARE(model.sortColumn(), TensorModel::File);
        QCOMPARE(model.tensorAt(1), 1);
        model.sortBy(TensorModel::Name);
        // Layers by number, and what has none before them.
        QCOMPARE(text(model, 0, TensorModel::NameRole), QString("token_embd.weight"));
        QCOMPARE(text(model, 5, TensorModel::NameRole), QString("blk.2.attn_norm.weight"));
        QCOMPARE(text(model, 23, TensorModel::NameRole), QString("blk.11.attn_norm.weight"));
        for (const auto column :
             { TensorModel::Shape, TensorModel::Type, TensorModel::Bits, TensorModel::Offset }) {
            model.sortBy(column);
            QCOMPARE(model.rowCount(), 25);
        }
    }

    void groups()
    {
        TensorModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFile(m_file);
        QCOMPARE(text(model, 0, TensorModel::LayerRole), QString());
        model.setGrouped(true);
        model.sortBy(TensorModel::Size);
        QCOMPARE(text(model, 0, TensorModel::LayerRole), QString("Outside the layers"));
        QCOMPARE(text(model, 1, TensorModel::LayerRole), QString("Layer 0"));
        QCOMPARE(text(model, 2, TensorModel::LayerRole), QString("Layer 0"));
        QCOMPARE(text(model, 24, TensorModel::LayerRole), QString("Layer 11"));
        QCOMPARE(text(model, 1, TensorModel::TypeRole), QString("Q4_0"));
    }

    // 3,000 tensors are no work.
    void isQuickWithMany()
    {
        std::vector<tests::TinyTensor> tensors;
        for (int at = 0; at < 3000; ++at) {
            tensors.push_back({ "blk." + std::to_string(at / 30) + ".t" + std::to_string(at % 30),
                                0,
                                { 1 },
                                std::vector<std::byte>(4) });
        }
        const auto bytes = tests::tinyGguf(tensors);
        const auto file = engine::gguf::GgufFile::parse(bytes, "many");
        QVERIFY(file);
        TensorModel model;
        model.setFile(*file);
        QElapsedTimer took;
        took.start();
        model.setGrouped(true);
        model.sortBy(TensorModel::Name);
        model.setFilter("blk.*.t1 type:F32 <1MB");
        qInfo("sorted and filtered within %lld ms", took.elapsed());
        QCOMPARE(model.rowCount(), 100);
        QVERIFY(took.elapsed() < 2000); // only catches what would hang
    }

private:
    static QString text(const TensorModel& model, int row, int role)
    {
        return model.data(model.index(row), role).toString();
    }

    QTemporaryDir m_folder;
    TensorModel::GgufFile m_file;
};

QTEST_GUILESS_MAIN(TestTensorModel)
#include "tst_tensor_model.moc"
