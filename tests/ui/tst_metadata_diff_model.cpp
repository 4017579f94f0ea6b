// The table of two files' metadata.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/other_file.h"
#include "ui/inspector/metadata_diff_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using Model = MetadataDiffModel;

class TestMetadataDiffModel : public QObject
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
        files->metadata = compareMetadata(*files->a, *files->b);
        m_files = files;
    }

    void showsBothSides()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        model.setFiles(m_files);
        QCOMPARE(model.total(), 10);
        QCOMPARE(model.rowCount(), 10);
        QCOMPARE(model.differences(), 4);
        QCOMPARE(
            row(model, 0),
            QStringList({ "general.architecture", "=", "same", "\"llama\"", "\"llama\"", "" }));
        QCOMPARE(row(model, 1),
                 QStringList({ "general.file_type", "≠", "value differs", "2", "7", "" }));
        QCOMPARE(text(model, 3, Model::StateRole), QString("value differs"));
        QVERIFY(text(model, 3, Model::ValueARole).startsWith("[\"t0\", \"t1\""));
        QCOMPARE(text(model, 3, Model::NoteRole),
                 QString("2 of 1,000 elements differ, the first at 7: \"t7\" / \"u7\""));
        QCOMPARE(row(model, 7),
                 QStringList({ "tokenizer.ggml.bos_token_id", "−", "only in A", "1007", "", "" }));
        QCOMPARE(row(model, 9),
                 QStringList({ "general.name", "+", "only in B", "", "\"other\"", "" }));
        model.setFiles(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    // Long texts look alike at their beginnings.
    void saysWhereTextsPart()
    {
        const auto write = [this](const char* name, const char* end) {
            engine::gguf::Writer writer(m_folder.filePath(name).toStdString());
            writer.addText("long", std::string(100, 'x') + end);
            writer.addText("short", end);
            return writer.begin() && writer.finish();
        };
        QVERIFY(write("c.gguf", "ä1") && write("d.gguf", "ö") && write("e.gguf", ""));
        const auto noteOf = [this](const char* a, const char* b, int row) {
            const auto files = std::make_shared<ComparedFiles>();
            files->a = tests::openFile(m_folder.filePath(a));
            files->b = tests::openFile(m_folder.filePath(b));
            files->metadata = compareMetadata(*files->a, *files->b);
            Model model;
            model.setFiles(files);
            return text(model, row, Model::NoteRole);
        };
        QCOMPARE(noteOf("c.gguf", "d.gguf", 0),
                 QString("They differ from byte 100 on: \"ä1\" / \"ö\""));
        QCOMPARE(noteOf("c.gguf", "e.gguf", 0),
                 QString("They differ from byte 100 on: \"ä1\" / (the end)"));
        QCOMPARE(noteOf("c.gguf", "d.gguf", 1), QString());
        QCOMPARE(noteOf("c.gguf", "c.gguf", 0), QString());
    }

    void showsDifferencesOnly()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        model.setFiles(m_files);
        model.setOnlyDifferences(true);
        QCOMPARE(model.rowCount(), 4);
        for (int at = 0; at < 4; ++at) {
            QVERIFY(!model.data(model.index(at), Model::SameRole).toBool());
        }
        QCOMPARE(model.pairAt(0), 1);
        QCOMPARE(model.rowOf(1), 0);
        QCOMPARE(model.rowOf(0), -1);
        QCOMPARE(model.rowOf(-1), -1);
        QCOMPARE(model.pairAt(4), -1);
    }

    void filters()
    {
        Model model;
        const QAbstractItemModelTester tester(&model);
        model.setFiles(m_files);
        model.setFilter("TOKEN_ID");
        QCOMPARE(model.rowCount(), 2);
        model.setFilter("other"); // a value of B alone
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(text(model, 0, Model::KeyRole), QString("general.name"));
        model.setFilter("1007"); // and of A alone
        QCOMPARE(model.rowCount(), 1);
        model.setFilter("nothing like it");
        QCOMPARE(model.rowCount(), 0);
        model.setFilter(" ");
        QCOMPARE(model.rowCount(), 10);
    }

    // The key stays selected while the files are read again.
    void keepsTheSelection()
    {
        Model model;
        QSignalSpy spy(&model, &Model::selectedChanged);
        model.setFiles(m_files);
        QCOMPARE(model.selectedDiff(), nullptr);
        model.setSelected(9);
        QCOMPARE(model.entryOf(*model.selectedDiff()).key, std::string_view("general.name"));
        auto turned = std::make_shared<ComparedFiles>(*m_files);
        std::swap(turned->a, turned->b);
        turned->metadata = compareMetadata(*turned->a, *turned->b);
        model.setFiles(turned);
        QCOMPARE(model.selected(), 2);
        model.setSelected(400);
        QCOMPARE(model.selected(), -1);
        model.setSelected(2);
        model.setFiles(nullptr);
        QCOMPARE(model.selected(), -1);
        QVERIFY(spy.count() >= 5);
    }

private:
    static QString text(const Model& model, int row, int role)
    {
        return model.data(model.index(row), role).toString();
    }
    static QStringList row(const Model& model, int row)
    {
        QStringList texts;
        for (const int role : { Model::KeyRole, Model::SymbolRole, Model::StateRole,
                                Model::ValueARole, Model::ValueBRole, Model::NoteRole }) {
            texts << text(model, row, role);
        }
        return texts;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const ComparedFiles> m_files;
};

QTEST_GUILESS_MAIN(TestMetadataDiffModel)
#include "tst_metadata_diff_model.moc"
