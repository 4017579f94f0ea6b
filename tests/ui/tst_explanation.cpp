// What is selected is what is explained.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/inspector_file.h"
#include "ui/inspector/explanation.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

class TestExplanation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const QString path = m_folder.filePath("a.gguf");
        QVERIFY(tests::writeInspectorFile(path));
        m_file = tests::openFile(path);
        QVERIFY(m_file);
    }

    void followsTheSelection()
    {
        InspectorSelection selection;
        HexViewModel hex(selection);
        const Explanation explanation(hex);
        QCOMPARE(explanation.brief(), QString());
        selection.setFile(m_file, false);
        hex.setFile(m_file);
        QCOMPARE(titles(explanation), QStringList { "A GGUF file" });
        QCOMPARE(strip(explanation, 0).size(), 5);

        selection.selectBytes(9, 1);
        QCOMPARE(titles(explanation), QStringList { "Header" });
        QCOMPARE(strip(explanation, 0).size(), 4);
        QVERIFY(explanation.parts().first().toMap()["mistake"].toString().contains("first"));
        QSignalSpy changed(&explanation, &Explanation::changed);
        selection.move(12, 1); // still the header
        QCOMPARE(changed.size(), 0);

        selection.selectMetadata(1);
        QCOMPARE(titles(explanation), (QStringList { "general.file_type", "Value type 4: u32" }));
        QVERIFY(explanation.brief().contains("label"));
        QCOMPARE(strip(explanation, 1).size(), 4);
        selection.selectMetadata(3); // the tokens
        QCOMPARE(titles(explanation),
                 (QStringList { "tokenizer.ggml.tokens", "Value type 9: array",
                                "Value type 8: string" }));

        selection.selectTensor(2); // blk.0.attn_q.weight
        QCOMPARE(titles(explanation), (QStringList { "Tensor type 2: Q4_0", "Tensor data" }));
        QCOMPARE(strip(explanation, 0).size(), 2);
        const auto& entry = m_file->tensors()[2].entry;
        selection.selectBytes(static_cast<double>(entry.offset), 8);
        QCOMPARE(titles(explanation), (QStringList { "Tensor directory", "Tensor type 2: Q4_0" }));
        QCOMPARE(strip(explanation, 0).size(), 7);

        selection.selectBytes(static_cast<double>(m_file->dataOffset()) - 1, 1);
        QCOMPARE(titles(explanation), QStringList { "Padding" });
        selection.clear();
        QCOMPARE(titles(explanation), QStringList { "A GGUF file" });
        hex.setFile(nullptr);
        QVERIFY(explanation.parts().isEmpty());
    }

private:
    static QStringList titles(const Explanation& explanation)
    {
        QStringList list;
        for (const QVariant& part : explanation.parts()) {
            list << part.toMap()["title"].toString();
        }
        return list;
    }
    static QVariantList strip(const Explanation& explanation, int part)
    {
        return explanation.parts()[part].toMap()["strip"].toList();
    }

    QTemporaryDir m_folder;
    FieldFinder::File m_file;
};

QTEST_MAIN(TestExplanation)
#include "tst_explanation.moc"
