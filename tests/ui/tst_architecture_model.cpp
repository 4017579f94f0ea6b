// The picture of an architecture as a list: marks, words, folds; and how long a large one takes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/support/sparse_gguf.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/architecture_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using engine::gguf::TensorType;

class TestArchitectureModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // First what is there, then with marks.
    void showsWhatIsThereAtOnce()
    {
        QVERIFY(tests::writeInspectorFile(path("a.gguf")));
        ArchitectureModel model;
        const QAbstractItemModelTester tester(&model);
        QSignalSpy changed(&model, &ArchitectureModel::changed);
        QStringList summaries;
        connect(&model, &ArchitectureModel::changed, this,
                [&] { summaries << model.summary() + model.caveat(); });
        model.setFile(tests::openFile(path("a.gguf")));
        QVERIFY(model.isBusy());
        QCOMPARE(model.rowCount(), 0);
        QTRY_VERIFY(!model.isBusy());
        QCOMPARE(summaries,
                 QStringList({ "", "llama · 12 blocks · 25 tensors",
                               "llama · 12 blocks · 25 tensorsThe metadata don't tell the sizes "
                               "that llama needs; its blocks are compared with each other." }));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(model, 0, ArchitectureModel::TitleRole), QString("Input"));
        QCOMPARE(text(model, 1, ArchitectureModel::TitleRole), QString("Block 0"));
        QVERIFY(text(model, 1, ArchitectureModel::NoteRole).startsWith("2 tensors, "));
        QCOMPARE(text(model, 2, ArchitectureModel::TitleRole), QString("Blocks 1 – 11: the same"));
        QCOMPARE(model.verdict(), QString());
        QCOMPARE(model.odd(), 0);
        model.setFile(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.summary(), QString());
    }

    void opensFolds()
    {
        QVERIFY(tests::writeInspectorFile(path("a.gguf")));
        ArchitectureModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFile(tests::openFile(path("a.gguf")));
        QTRY_VERIFY(!model.isBusy());
        QVERIFY(!model.toggle(0) && !model.toggle(-1) && !model.toggle(3));
        QCOMPARE(model.reveal(0), QPoint(0, 0)); // in sight already
        QCOMPARE(model.rowCount(), 3);
        const QPoint place = model.reveal(2 * 5 + 2); // attn_q of block 5
        QCOMPARE(model.rowCount(), 3 + 11);
        QCOMPARE(place, QPoint(1, 2 + 5));
        QCOMPARE(model.tensorAt(place.y(), place.x()), 12);
        QVERIFY(model.wordsAt(place.y(), place.x()).startsWith("blk.5.attn_q.weight · 64 × 8"));
        QVERIFY(model.index(2).data(ArchitectureModel::OpenRole).toBool());
        QCOMPARE(model.wordsAt(2, 0), QString("Blocks 1 – 11: the same"));
        QCOMPARE(model.tensorAt(2, 0), -1);
        QVERIFY(model.toggle(2));
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(!model.index(2).data(ArchitectureModel::OpenRole).toBool());
    }

    void marksWhatIsOdd()
    {
        const auto folder = tests::conformanceDir("architectures/llama-mha");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-mha").c_str());
        }
        std::string bytes = tests::readFile(*folder / "model.gguf");
        const std::string name = "blk.1.attn_q.weight";
        bytes.replace(bytes.find(name), name.size(), "blk.1.attn_x.weight");
        const auto marked = [this](const std::string& content, ArchitectureModel& model) {
            std::ofstream(path("bent.gguf").toStdString(), std::ios::binary) << content;
            model.setFile(tests::openFile(path("bent.gguf")));
            return QTest::qWaitFor([&] { return !model.isBusy(); });
        };
        ArchitectureModel model;
        const QAbstractItemModelTester tester(&model);
        QVERIFY(marked(bytes, model));
        QCOMPARE(model.summary(), QString("llama · 2 blocks · 21 tensors · 1 missing, 1 not used"));
        QCOMPARE(model.caveat(), QString());
        QCOMPARE(model.verdict(), QString("error"));
        QCOMPARE(model.odd(), 2);
        QVERIFY(text(model, 2, ArchitectureModel::NoteRole)
                    .startsWith("1 missing, 1 not used · 9 tensors, "));
        const QPoint missing = model.nextOdd(-1, -1, true);
        QCOMPARE(missing, QPoint(1, 2));
        QCOMPARE(model.tensorAt(2, 1), -1);
        QCOMPARE(model.wordsAt(2, 1),
                 QString("blk.1.attn_q.weight · missing: the architecture needs it, with the "
                         "shape 64 × 64"));
        const auto parts = model.index(2).data(ArchitectureModel::PartsRole).toList();
        QCOMPARE(parts.size(), 2);
        const auto attention = parts[0].toMap();
        QCOMPARE(attention["title"].toString(), QString("Attention"));
        QVERIFY(attention["added"].toBool());
        const auto cells = attention["cells"].toList();
        QCOMPARE(cells[1].toMap()["state"].toString(), QString("missing"));
        QCOMPARE(cells[1].toMap()["mark"].toString(), QString("error"));
        QCOMPARE(cells[1].toMap()["type"].toString(), QString());
        QCOMPARE(cells[4].toMap()["label"].toString(), QString("attn_x"));
        QCOMPARE(cells[4].toMap()["state"].toString(), QString("not used"));
        QCOMPARE(cells[4].toMap()["mark"].toString(), QString("warning"));
        QCOMPARE(parts[1].toMap()["first"].toInt(), 6);
        QVERIFY(marked(tests::readFile(*folder / "model.gguf"), model));
        QCOMPARE(model.verdict(), QString("good"));
        QVERIFY(model.summary().endsWith(" · all that it needs is there"));
    }

    void saysWhyATensorIsUnusable()
    {
        const auto folder = tests::conformanceDir("architectures/llama-mha");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-mha").c_str());
        }
        std::string bytes = tests::readFile(*folder / "model.gguf");
        const auto file = tests::openFile(QString::fromStdString(*folder / "model.gguf"));
        const auto* up = file->findTensor("blk.0.ffn_up.weight");
        bytes[up->entry.end() - 12 - 8] = static_cast<char>(up->shape[1] - 1); // rows
        std::ofstream(path("bent.gguf").toStdString(), std::ios::binary) << bytes;
        ArchitectureModel model;
        model.setFile(tests::openFile(path("bent.gguf")));
        QTRY_VERIFY(!model.isBusy());
        QVERIFY(model.summary().endsWith(" · 1 unusable"));
        const QPoint place = model.nextOdd(-1, -1, true);
        const QString words = model.wordsAt(place.y(), place.x());
        QVERIFY2(words.contains("64 × 95") && words.contains("64 × 96"), qPrintable(words));
    }

    void opensLargeOnesInTime()
    {
        QVERIFY(
            tests::writeSparseGguf(path("large.gguf").toStdString(), tests::layeredTensors(333)));
        ArchitectureModel model;
        const auto file = tests::openFile(path("large.gguf"));
        QVERIFY(file);
        QElapsedTimer timer;
        timer.start();
        model.setFile(file);
        QTRY_VERIFY(!model.isBusy());
        QCOMPARE(model.summary(), QString("llama · 333 blocks · 3,000 tensors"));
        // The types take turns: nothing is folded but pairs of what is alike.
        QVERIFY2(model.rowCount() > 300, qPrintable(QString::number(model.rowCount())));
        for (int tensor = 0; tensor < 3000; tensor += 97) {
            const QPoint place = model.reveal(tensor);
            QCOMPARE(model.tensorAt(place.y(), place.x()), tensor);
        }
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }
    static QString text(const ArchitectureModel& model, int row, int role)
    {
        return model.index(row).data(role).toString();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestArchitectureModel)
#include "tst_architecture_model.moc"
