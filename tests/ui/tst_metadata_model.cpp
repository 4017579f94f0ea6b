// The table of metadata: filtering, special tokens in words, places.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/inspector_file.h"
#include "ui/inspector/metadata_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

class TestMetadataModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
    }

    void showsAllEntries()
    {
        MetadataModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        model.setFile(m_file);
        QCOMPARE(model.rowCount(), 9);
        QCOMPARE(model.total(), 9);
        QCOMPARE(text(model, 0, MetadataModel::KeyRole), QString("general.architecture"));
        QCOMPARE(text(model, 0, MetadataModel::ValueRole), QString("\"llama\""));
        QCOMPARE(text(model, 0, MetadataModel::TypeRole), QString("string"));
        QCOMPARE(text(model, 3, MetadataModel::TypeRole), QString("string[1,000]"));
        QVERIFY(text(model, 3, MetadataModel::ValueRole).startsWith("[\"t0\", \"t1\""));
        QVERIFY(text(model, 3, MetadataModel::ValueRole).endsWith("…]"));
        model.setFile(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void saysWhatNumbersStandFor()
    {
        MetadataModel model;
        const QAbstractItemModelTester tester(&model);
        QSignalSpy ready(&model, &MetadataModel::vocabularyReady);
        model.setFile(m_file);
        QCOMPARE(model.vocabulary(), nullptr);
        QCOMPARE(text(model, 6, MetadataModel::NoteRole), QString());
        QVERIFY(ready.wait(5000));
        QVERIFY(!model.isIndexing());
        QCOMPARE(text(model, 1, MetadataModel::NoteRole), QString("mostly Q4_0"));
        QCOMPARE(text(model, 6, MetadataModel::KeyRole), QString("tokenizer.ggml.eos_token_id"));
        QCOMPARE(text(model, 6, MetadataModel::NoteRole), QString("t999"));
        QVERIFY(text(model, 7, MetadataModel::NoteRole).contains("1,000"));
        QCOMPARE(text(model, 0, MetadataModel::NoteRole), QString());
    }

    void filters()
    {
        MetadataModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFile(m_file);
        model.setFilter("TOKEN_ID");
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.entryAt(1), 7);
        QCOMPARE(model.rowOf(7), 1);
        QCOMPARE(model.rowOf(0), -1);
        QCOMPARE(model.rowOf(-1), -1);
        model.setFilter("llama"); // in keys and in values
        QCOMPARE(model.rowCount(), 2);
        model.setFilter("nothing like it");
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.entryAt(0), -1);
        model.setFilter(" ");
        QCOMPARE(model.rowCount(), 9);
    }

private:
    static QString text(const MetadataModel& model, int row, int role)
    {
        return model.data(model.index(row), role).toString();
    }

    QTemporaryDir m_folder;
    ArrayIndex::File m_file;
};

QTEST_GUILESS_MAIN(TestMetadataModel)
#include "tst_metadata_model.moc"
