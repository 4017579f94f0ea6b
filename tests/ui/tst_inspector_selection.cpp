// The selection: who owns a byte, back and forward, a file read again.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "tests/ui/inspector_file.h"
#include "ui/inspector/inspector_selection.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

class TestInspectorSelection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
    }

    void knowsTheOwner()
    {
        InspectorSelection selection;
        selection.selectBytes(0, 1); // without a file: nothing
        QCOMPARE(selection.size(), 0.0);
        selection.setFile(m_file, false);
        QSignalSpy changed(&selection, &InspectorSelection::changed);
        const auto& entry = m_file->metadata()[3];
        selection.selectBytes(static_cast<double>(entry.span.end() - 1), 1);
        QCOMPARE(selection.metadata(), 3);
        QCOMPARE(selection.tensor(), -1);
        const auto& tensor = m_file->tensors()[5];
        selection.selectBytes(static_cast<double>(tensor.entry.offset), 8);
        QCOMPARE(selection.tensor(), 5);
        QCOMPARE(selection.metadata(), -1);
        selection.selectBytes(static_cast<double>(tensor.data.end() - 1), 1);
        QCOMPARE(selection.tensor(), 5);
        selection.selectBytes(3, 1);
        QCOMPARE(selection.tensor(), -1);
        QCOMPARE(selection.metadata(), -1);
        QCOMPARE(changed.count(), 4);
        // Past the end, or nothing at all.
        selection.selectBytes(static_cast<double>(m_file->bytes().size()), 1);
        selection.selectBytes(0, 0);
        selection.selectBytes(-1, 4);
        selection.selectTensor(99);
        selection.selectMetadata(-1);
        QCOMPARE(selection.offset(), 3.0);
        // Cut at the end.
        selection.selectBytes(static_cast<double>(m_file->bytes().size() - 2), 100);
        QCOMPARE(selection.size(), 2.0);
    }

    void goesBackAndForward()
    {
        InspectorSelection selection;
        selection.setFile(m_file, false);
        QVERIFY(!selection.canGoBack());
        selection.selectTensor(1);
        selection.selectMetadata(2);
        selection.selectBytes(5, 1);
        selection.move(6, 2); // no visit
        selection.back();
        QCOMPARE(selection.metadata(), 2);
        selection.back();
        QCOMPARE(selection.tensor(), 1);
        QVERIFY(!selection.canGoBack());
        selection.back();
        QCOMPARE(selection.tensor(), 1);
        selection.forward();
        selection.forward();
        QCOMPARE(selection.offset(), 6.0);
        QVERIFY(!selection.canGoForward());
        selection.back();
        selection.selectTensor(3); // what was ahead is gone
        QVERIFY(!selection.canGoForward());
        selection.back();
        QCOMPARE(selection.metadata(), 2);
    }

    void goesToPlaces()
    {
        InspectorSelection selection;
        selection.setFile(m_file, false);
        QVERIFY(selection.selectPlace({ .subject = "blk.2.attn_q.weight" }));
        QCOMPARE(selection.tensor(), 6);
        QVERIFY(selection.selectPlace({ .subject = "llama.block_count" }));
        QCOMPARE(selection.metadata(), 2);
        QVERIFY(selection.selectPlace({ .offset = 4, .subject = "llama.block_count" }));
        QCOMPARE(selection.offset(), 4.0);
        QVERIFY(!selection.selectPlace({ .subject = "nowhere" }));
        QVERIFY(!selection.selectPlace({}));
    }

    void staysWithTheNameWhenTheFileIsReadAgain()
    {
        const auto floats = tests::bytesOf(std::vector<float>(8));
        const auto first =
            tests::tinyGguf({ { "a", 0, { 8 }, floats }, { "b", 0, { 8 }, floats } });
        const auto second = tests::tinyGguf(
            { { "new", 0, { 8 }, floats }, { "b", 0, { 8 }, floats }, { "a", 0, { 8 }, floats } });
        const auto before = *engine::gguf::GgufFile::parse(first, "before");
        const auto after = *engine::gguf::GgufFile::parse(second, "after");
        InspectorSelection selection;
        selection.setFile(before, false);
        selection.selectBytes(static_cast<double>(before->tensors()[0].data.offset + 4), 4);
        selection.setFile(after, true);
        QCOMPARE(selection.tensor(), 2);
        QCOMPARE(selection.offset(), static_cast<double>(after->tensors()[2].data.offset + 4));
        QVERIFY(!selection.canGoBack());
        selection.setFile(after, false); // another file: nothing is selected
        QCOMPARE(selection.size(), 0.0);
    }

private:
    QTemporaryDir m_folder;
    InspectorSelection::File m_file;
};

QTEST_GUILESS_MAIN(TestInspectorSelection)
#include "tst_inspector_selection.moc"
