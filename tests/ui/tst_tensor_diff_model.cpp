// The table of two files' tensors.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/other_file.h"
#include "ui/inspector/tensor_diff_model.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

using Model = TensorDiffModel;

namespace {

constexpr int kPairs = 2 * tests::kLayers + 2;

} // namespace

class TestTensorDiffModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        QVERIFY(tests::writeOtherFile(m_folder.filePath("b.gguf")));
        const auto files = std::make_shared<ComparedFiles>();
        files->a = tests::openFile(m_folder.filePath("a.gguf"));
        files->b = tests::openFile(m_folder.filePath("b.gguf"));
        QVERIFY(files->a && files->b);
        files->tensors = compareTensors(*files->a, *files->b);
        m_files = files;
        auto data = engine::eval::compareData(*files->a, *files->b, files->tensors);
        QVERIFY(data);
        m_data = *data;
    }

    void showsBothSides()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        model.setFiles(m_files);
        QCOMPARE(model.rowCount(), kPairs);
        QCOMPARE(model.differences(), 5);
        QCOMPARE(row(model, 0),
                 QStringList({ "token_embd.weight", "≠", "type differs", "64 × 32", "F16", "F32",
                               "4.1 kB", "8.2 kB", "+4.1 kB" }));
        QCOMPARE(row(model, 12),
                 QStringList({ "blk.5.attn_q.weight", "≠", "shape differs", "64 × 8 → 32 × 16",
                               "Q4_0", "Q4_0", "288 bytes", "288 bytes", "=" }));
        QCOMPARE(row(model, 24),
                 QStringList({ "blk.11.attn_q.weight", "−", "only in A", "64 × 8", "Q4_0", "",
                               "288 bytes", "", "−288 bytes" }));
        QCOMPARE(row(model, 25),
                 QStringList({ "output.weight", "+", "only in B", "64", "", "F32", "", "256 bytes",
                               "+256 bytes" }));
        QCOMPARE(text(model, 8, Model::StateRole), QString("same"));
        model.setFiles(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.differences(), 0);
    }

    void knowsWeightsOnceCompared()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        model.setFiles(m_files);
        model.setOnlyDifferences(true);
        QCOMPARE(model.rowCount(), 5);
        model.setData(m_data);
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.differences(), 6);
        QCOMPARE(row(model, 1).mid(0, 3),
                 QStringList({ "blk.3.attn_q.weight", "≠", "weights differ" }));
        QCOMPARE(model.dataOf(model.pairAt(1)).first, std::uint64_t { 2 });
        model.setOnlyDifferences(false);
        QCOMPARE(text(model, 2, Model::StateRole), QString("same weights"));
        QCOMPARE(text(model, 2, Model::SymbolRole), QString("="));
        // Other files: nothing is known any more.
        model.setFiles(m_files);
        QCOMPARE(model.differences(), 5);
    }

    void filtersEitherSide()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        model.setFiles(m_files);
        model.setFilter("type:F32");
        QCOMPARE(model.rowCount(), tests::kLayers + 2); // norms, and two that only B has as such
        model.setFilter("blk.*.attn_q");
        QCOMPARE(model.rowCount(), tests::kLayers);
        model.setFilter("size:nonsense");
        QVERIFY(!model.complaint().isEmpty());
        model.setFilter("");
        QVERIFY(model.complaint().isEmpty());
        QCOMPARE(model.rowCount(), kPairs);
    }

    void sorts()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        model.setFiles(m_files);
        model.sortBy(Model::Size); // the largest difference, in either direction
        QVERIFY(model.isDescending());
        QCOMPARE(text(model, 0, Model::NameRole), QString("token_embd.weight"));
        QCOMPARE(text(model, 1, Model::NameRole), QString("blk.11.attn_q.weight"));
        model.sortBy(Model::Size);
        QVERIFY(!model.isDescending());
        QCOMPARE(text(model, kPairs - 1, Model::NameRole), QString("token_embd.weight"));
        model.sortBy(Model::Size);
        QCOMPARE(model.sortColumn(), Model::File);
        model.sortBy(Model::Name);
        QCOMPARE(text(model, 0, Model::NameRole), QString("output.weight"));
        QCOMPARE(text(model, 6, Model::NameRole), QString("blk.2.attn_norm.weight"));
        QCOMPARE(model.rowOf(model.pairAt(6)), 6);
    }

    void findsPairs()
    {
        Model model;
        model.setFiles(m_files);
        QCOMPARE(model.pairOf(24, true), 24);
        QCOMPARE(model.pairOf(23, false), 25); // the output, which A lacks
        QCOMPARE(model.pairOf(77, true), -1);
        QCOMPARE(model.pairOf(-1, true), -1);
        QCOMPARE(model.pairAt(-1), -1);
        QCOMPARE(model.rowOf(-1), -1);
    }

    void keepsTheSelection()
    {
        Model model;
        model.setFiles(m_files);
        QCOMPARE(model.selectedDiff(), nullptr);
        model.setSelected(25);
        QCOMPARE(model.tensorOf(*model.selectedDiff()).name, std::string_view("output.weight"));
        auto turned = std::make_shared<ComparedFiles>(*m_files);
        std::swap(turned->a, turned->b);
        turned->tensors = compareTensors(*turned->a, *turned->b);
        model.setFiles(turned);
        QCOMPARE(model.selected(), 23);
    }

private:
    static QString text(const Model& model, int row, int role)
    {
        return model.data(model.index(row), role).toString();
    }
    static QStringList row(const Model& model, int row)
    {
        QStringList texts;
        for (const int role : { Model::NameRole, Model::SymbolRole, Model::StateRole,
                                Model::ShapeRole, Model::TypeARole, Model::TypeBRole,
                                Model::SizeARole, Model::SizeBRole, Model::DifferenceRole }) {
            texts << text(model, row, role);
        }
        return texts;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const ComparedFiles> m_files;
    Model::Data m_data;
};

QTEST_GUILESS_MAIN(TestTensorDiffModel)
#include "tst_tensor_diff_model.moc"
