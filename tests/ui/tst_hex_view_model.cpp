// The cursor in the bytes: moving, selecting, going to places, copying.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/inspector_file.h"
#include "ui/inspector/hex_pane.h"
#include "ui/inspector/hex_view_model.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

class TestHexViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(tests::writeInspectorFile(m_folder.filePath("a.gguf")));
        m_file = tests::openFile(m_folder.filePath("a.gguf"));
        QVERIFY(m_file);
    }

    void movesAndSelects()
    {
        InspectorSelection selection;
        HexViewModel hex(selection);
        hex.moveBy(1, false); // without a file: nothing
        QCOMPARE(hex.readings().size(), 0);
        show(selection, hex);
        hex.moveBy(5, false);
        QCOMPARE(hex.cursor(), 5.0);
        QCOMPARE(selection.span().offset, std::uint64_t { 5 });
        hex.moveBy(-2, true);
        QCOMPARE(selection.offset(), 3.0);
        QCOMPARE(selection.size(), 3.0);
        hex.moveBy(10, true); // over the place where it began
        QCOMPARE(selection.offset(), 5.0);
        QCOMPARE(selection.size(), 9.0);
        hex.moveBy(-1000, false);
        QCOMPARE(hex.cursor(), 0.0);
        hex.moveTo(1e15, false);
        QCOMPARE(hex.cursor(), hex.fileSize() - 1);
        // The selection leads, too.
        selection.selectMetadata(2);
        QCOMPARE(hex.cursor(), static_cast<double>(m_file->metadata()[2].span.offset));
        QVERIFY(hex.fieldName().contains("llama.block_count"));
        QCOMPARE(hex.readings().size(), 13);
    }

    void goesToOffsets()
    {
        InspectorSelection selection;
        HexViewModel hex(selection);
        show(selection, hex);
        QVERIFY(hex.goTo("0x18"));
        QCOMPARE(hex.cursor(), 24.0);
        QVERIFY(hex.goTo("+16"));
        QCOMPARE(hex.cursor(), 40.0);
        QVERIFY(hex.goTo("-0x10"));
        QCOMPARE(hex.cursor(), 24.0);
        QVERIFY(hex.goTo(" 1,024 "));
        QVERIFY(hex.goTo("0x0000_0400"));
        QCOMPARE(hex.cursor(), 1024.0);
        QCOMPARE(hex.note(), QString());
        for (const char* wrong : { "", "x", "0x", "1e3", "-5000", "99999999999", "12 apples" }) {
            QVERIFY2(!hex.goTo(wrong), wrong);
            QVERIFY(!hex.note().isEmpty());
            QCOMPARE(hex.cursor(), 1024.0);
        }
        selection.back();
        QCOMPARE(hex.cursor(), 24.0);
    }

    void searches()
    {
        InspectorSelection selection;
        HexViewModel hex(selection);
        show(selection, hex);
        QSignalSpy moved(&selection, &InspectorSelection::changed);
        hex.find("GGUF", true); // behind the cursor, around the end
        QVERIFY(moved.wait(5000));
        QCOMPARE(selection.offset(), 0.0);
        QCOMPARE(selection.size(), 4.0);
        hex.find("t999", true);
        QVERIFY(moved.wait(5000));
        QVERIFY(hex.fieldName().contains("element 999"));
        hex.find("is not there at all", true);
        QTRY_VERIFY(!hex.note().isEmpty());
    }

    void copies()
    {
        InspectorSelection selection;
        HexViewModel hex(selection);
        QCOMPARE(hex.copied(HexViewModel::Hex), QString());
        show(selection, hex);
        selection.selectBytes(0, 5);
        QCOMPARE(hex.copied(HexViewModel::Hex), QString("47 47 55 46 03"));
        QCOMPARE(hex.copied(HexViewModel::Python), QString("b'GGUF\\x03'"));
    }

    // Rows are counted, not laid out: 500 GB are no more work than 5 kB.
    void scrollsThroughAHugeFile()
    {
        const QString path = m_folder.filePath("huge.gguf");
        QVERIFY(QFile::copy(m_folder.filePath("a.gguf"), path));
        std::error_code error;
        std::filesystem::resize_file(path.toStdString(), 500'000'000'000, error);
        if (error) {
            QSKIP("no sparse files here");
        }
        const auto file = tests::openFile(path);
        QVERIFY(file);
        InspectorSelection selection;
        HexViewModel hex(selection);
        selection.setFile(file, false);
        hex.setFile(file);
        HexPane pane;
        pane.setSize({ 800, 400 });
        pane.setHex(&hex);
        QCOMPARE(pane.rowCount(), 500'000'000'000.0 / 16);
        QVERIFY(pane.rowsInView() > 10);
        hex.moveTo(1e15, false);
        QCOMPARE(hex.cursor(), 499'999'999'999.0);
        QCOMPARE(pane.topRow(), pane.rowCount() - pane.rowsInView());
        QVERIFY(hex.goTo("0x7400000000"));
        QVERIFY(pane.topRow() <= hex.cursor() / 16);
        QVERIFY(pane.topRow() + pane.rowsInView() > hex.cursor() / 16);
        hex.moveBy(-16, false);
        QCOMPARE(hex.cursor(), static_cast<double>(0x7400000000 - 16));
    }

private:
    void show(InspectorSelection& selection, HexViewModel& hex) const
    {
        selection.setFile(m_file, false);
        hex.setFile(m_file);
    }

    QTemporaryDir m_folder;
    FieldFinder::File m_file;
};

QTEST_MAIN(TestHexViewModel)
#include "tst_hex_view_model.moc"
