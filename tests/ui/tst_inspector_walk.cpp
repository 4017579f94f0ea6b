// Walking through a file on the inspector's page by keyboard: lists, tabs, map, bytes, blocks,
// bookmarks. SPDX-License-Identifier: Apache-2.0
#include "tests/support/split_gguf.h"
#include "tests/ui/inspector_bench.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QtQuickControls2/QQuickStyle>

using tests::InspectorBench;

class TestInspectorWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    // Filter, go down into the list, browse: the selection goes along everywhere.
    void walksThroughTensors()
    {
        InspectorBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.text("inspectedFacts").contains("25 tensors"));
        bench.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("tensorFilter")->hasActiveFocus());
        bench.type("blk.*.attn_q");
        QCOMPARE(bench.inspector.tensors()->count(), tests::kLayers);
        QVERIFY(bench.text("tensorSummary").startsWith("12 of 25"));
        bench.key(Qt::Key_Down);
        QTRY_VERIFY(bench.item("tensorList")->hasActiveFocus());
        bench.key(Qt::Key_Down);
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.text("selectedName"), QString("blk.1.attn_q.weight"));
        QCOMPARE(bench.inspector.hex()->cursor(), bench.inspector.selection()->offset());
        QTRY_COMPARE(bench.inspector.tensor()->statistics().size(), 7);
        QCOMPARE(bench.inspector.tensor()->explorer()->bytes().size(), 18);
        QVERIFY2(bench.text("blockRecipe").startsWith("w[0] = d"),
                 qPrintable(bench.text("blockRecipe")));
        bench.key(Qt::Key_End);
        QCOMPARE(bench.text("selectedName"), QString("blk.11.attn_q.weight"));
        bench.key(Qt::Key_Home);
        QCOMPARE(bench.text("selectedName"), QString("blk.0.attn_q.weight"));
        QCOMPARE(bench.warnings, QStringList());
    }

    // Of a model in three files, opened by the second: a tensor of the third, its bytes and blocks.
    void walksThroughParts()
    {
        InspectorBench bench;
        QVERIFY(tests::writeInspectorFile(bench.path));
        const auto prefix = bench.directory.filePath("model").toStdString();
        QVERIFY(tests::splitFile(bench.path.toStdString(), prefix, 3));
        QVERIFY(bench.show({ 1440, 900 }));
        bench.inspector.open(QString::fromStdString(tests::partPath(prefix, 2, 3)));
        QVERIFY(QTest::qWaitFor(
            [&bench] { return bench.inspector.isShown() && !bench.inspector.isBusy(); }));
        QVERIFY(bench.text("inspectedFacts").contains("25 tensors"));
        QVERIFY(bench.text("inspectedFacts").endsWith("in 3 parts"));
        bench.key(Qt::Key_F, Qt::ControlModifier);
        bench.type("blk.11.attn_q");
        QCOMPARE(bench.inspector.tensors()->count(), 1);
        bench.key(Qt::Key_Down);
        QTRY_VERIFY(bench.item("tensorList")->hasActiveFocus());
        bench.key(Qt::Key_Down);
        QTRY_COMPARE(bench.text("selectedName"), QString("blk.11.attn_q.weight"));
        QTRY_COMPARE(bench.inspector.tensor()->statistics().size(), 7);
        QCOMPARE(bench.inspector.tensor()->explorer()->bytes().size(), 18);
        QCOMPARE(bench.inspector.tensor()->explorer()->bytes()[0].toMap()["hex"].toString(),
                 QString("31"));
        bench.key(Qt::Key_H, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("hexPane")->hasActiveFocus());
        const QString spoken = bench.item("hexPane")->property("spoken").toString();
        QVERIFY2(spoken.startsWith("part 3 · 0x0000_") && spoken.contains(": 31, blk.11.attn_q"),
                 qPrintable(spoken));
        // From the list of parts to the header of one.
        bench.key(Qt::Key_1, Qt::AltModifier);
        QTRY_VERIFY(bench.item("headerList")->hasActiveFocus());
        bench.key(Qt::Key_End);
        QCOMPARE(bench.inspector.selection()->span().offset,
                 bench.inspector.file().gguf->parts()[2].span.offset);
        QCOMPARE(bench.text("selectedName"), QString("Magic"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void walksThroughTabs()
    {
        InspectorBench bench;
        QVERIFY(bench.open({ 1024, 640 }));
        bench.key(Qt::Key_1, Qt::AltModifier);
        QTRY_VERIFY(bench.item("headerList")->hasActiveFocus());
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.text("selectedName"), QString("Magic"));
        bench.key(Qt::Key_2, Qt::AltModifier);
        QTRY_VERIFY(bench.item("metadataList")->hasActiveFocus());
        bench.key(Qt::Key_End);
        QCOMPARE(bench.text("selectedName"), QString("tokenizer.chat_template"));
        QVERIFY(bench.item("metadataValue")->property("content").toString().contains("endfor"));
        bench.key(Qt::Key_Home);
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.text("selectedName"), QString("general.architecture"));
        bench.key(Qt::Key_4, Qt::AltModifier);
        QTRY_VERIFY(bench.item("problemList")->hasActiveFocus());
        bench.key(Qt::Key_5, Qt::AltModifier);
        QTRY_VERIFY(bench.item("storyList")->hasActiveFocus());
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.inspector.selection()->span().size, std::uint64_t { 24 });
        bench.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(bench.text("selectedName"), QString("general.architecture"));
        bench.key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(bench.inspector.selection()->offset(), 0.0);
        // Arrow keys in the row of tabs.
        bench.item("inspectorTabs")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Left);
        QVERIFY(bench.item("problemList")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Tab leads from the header to the map; its cursor selects sections.
    void walksThroughTheMap()
    {
        InspectorBench bench;
        QVERIFY(bench.open());
        bench.item("chatWithIt")->forceActiveFocus(Qt::TabFocusReason);
        const auto tabTo = [&bench](const char* name) {
            for (int presses = 0; presses < 6 && !bench.item(name)->hasActiveFocus(); ++presses) {
                bench.key(Qt::Key_Tab);
            }
            return bench.item(name)->hasActiveFocus();
        };
        QVERIFY(tabTo("fileMap"));
        QVERIFY(bench.text("mapRange").startsWith("0x0000_0000 … "));
        bench.key(Qt::Key_Home);
        QVERIFY(bench.text("mapLine").startsWith("0x0000_0000 · "));
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.inspector.selection()->span().offset, std::uint64_t { 0 });
        QCOMPARE(bench.inspector.selection()->span().size, std::uint64_t { 24 });
        bench.key(Qt::Key_End);
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.text("selectedName"), QString("blk.11.attn_q.weight"));
        QCOMPARE(bench.item("fileMap")->property("selectedOffset").toDouble(),
                 bench.inspector.selection()->offset());
        // As a treemap the same.
        bench.item("mapMode")->forceActiveFocus(Qt::TabFocusReason);
        QTRY_VERIFY(bench.text("mapLine").startsWith("In memory now: "));
        bench.key(Qt::Key_Right);
        bench.key(Qt::Key_Right);
        QVERIFY(!bench.item("fileMap")->isVisible());
        QVERIFY(tabTo("tensorTreemap"));
        bench.key(Qt::Key_Home);
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.text("selectedName"), QString("token_embd.weight"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void walksThroughBytes()
    {
        InspectorBench bench;
        QVERIFY(bench.open());
        bench.key(Qt::Key_H, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("hexPane")->hasActiveFocus());
        QCOMPARE(bench.text("fieldName"), QString("Magic = GGUF"));
        bench.key(Qt::Key_Right, Qt::ShiftModifier);
        bench.key(Qt::Key_Right, Qt::ShiftModifier);
        bench.key(Qt::Key_Right, Qt::ShiftModifier);
        bench.key(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("47 47 55 46"));
        bench.key(Qt::Key_Right);
        QCOMPARE(bench.text("fieldName"), QString("Version = 3"));
        bench.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(bench.inspector.bookmarks()->count(), 1);
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.inspector.hex()->cursor(), 20.0);
        bench.key(Qt::Key_Home);
        QCOMPARE(bench.inspector.hex()->cursor(), 16.0);
        bench.key(Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(bench.inspector.hex()->cursor(), bench.inspector.hex()->fileSize() - 1);
        QTRY_VERIFY(bench.item("hexPane")->property("topRow").toDouble() > 0);
        bench.key(Qt::Key_G, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("hexGoTo")->hasActiveFocus());
        bench.type("0x10");
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.item("hexPane")->hasActiveFocus());
        QCOMPARE(bench.inspector.hex()->cursor(), 16.0);
        bench.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("hexSearch")->hasActiveFocus());
        bench.type("t770");
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.text("fieldName").contains("element 770"));
        bench.key(Qt::Key_Escape);
        QTRY_VERIFY(bench.item("hexPane")->hasActiveFocus());
        bench.key(Qt::Key_G, Qt::ControlModifier);
        bench.type("nowhere");
        bench.key(Qt::Key_Return);
        QVERIFY(bench.text("hexNote").contains("nowhere"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void looksUpTokens()
    {
        InspectorBench bench;
        QVERIFY(bench.open());
        bench.inspector.selection()->selectMetadata(3);
        QTRY_COMPARE(bench.inspector.entry()->elements()->count(), tests::kTokens);
        QQuickItem* field = bench.item("elementSearch");
        field->forceActiveFocus(Qt::TabFocusReason);
        bench.type("t77");
        bench.key(Qt::Key_Return);
        QQuickItem* list = bench.item("elementList");
        QTRY_COMPARE(list->property("currentIndex").toInt(), 77);
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(list->property("currentIndex").toInt(), 770);
        // The bytes of the token are selected, and the entry stays.
        QCOMPARE(bench.inspector.selection()->span().size, std::uint64_t { 8 + 4 });
        QCOMPARE(bench.inspector.selection()->metadata(), 3);
        QVERIFY(bench.inspector.hex()->fieldName().contains("element 770"));
        QCOMPARE(list->property("count").toInt(), tests::kTokens);
        // And the other way round: a byte leads to its element.
        const double offset = bench.inspector.entry()->elements()->offsetAt(500);
        bench.inspector.selection()->selectBytes(offset + 9, 1);
        QTRY_COMPARE(list->property("currentIndex").toInt(), 500);
        QCOMPARE(bench.warnings, QStringList());
    }

    // Values or scales, a cell by keyboard: the block follows, and the frame follows the block.
    void picksBlocksInTheHeatMap()
    {
        InspectorBench bench;
        QVERIFY(bench.open());
        TensorPictureModel& picture = *bench.inspector.picture();
        QVERIFY(!picture.isActive()); // nobody sees it
        bench.inspector.selection()->selectTensor(2); // Q4_0, 64 × 8
        bench.item("tensorHeatMap")->forceActiveFocus(Qt::TabFocusReason);
        QQuickItem* view = bench.item("tensorPicture")->parentItem()->parentItem()->parentItem();
        QTRY_VERIFY(view->height() > 0
                    && view->property("contentHeight").toDouble() > view->height());
        view->setProperty("contentY", view->property("contentHeight").toDouble() - view->height());
        QTRY_COMPARE(picture.grid().width, 2);
        QVERIFY(picture.isActive());
        QCOMPARE(bench.item("tensorPicture")->property("title").toString(),
                 QString("Block scales of the tensor"));
        bench.key(Qt::Key_Right);
        bench.key(Qt::Key_Down);
        QVERIFY(bench.text("pointedAt").startsWith("Row 1, block 1: scale "));
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.inspector.tensor()->row(), 1.0);
        QCOMPARE(bench.inspector.tensor()->block(), 1.0);
        bench.item("pictureChoice")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Right);
        QCOMPARE(picture.what(), TensorPictureModel::Values);
        QTRY_COMPARE(picture.grid().width, 64);
        const QQuickItem* map = bench.item("tensorHeatMap");
        QCOMPARE(map->property("selectedColumn").toDouble(), 32.0);
        bench.item("tensorHeatMap")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Right);
        bench.key(Qt::Key_Return); // another weight of the same block
        QCOMPARE(bench.inspector.tensor()->block(), 1.0);
        QCOMPARE(map->property("selectedColumn").toDouble(), 33.0);
        bench.inspector.tensor()->selectBlock(5, 0);
        QCOMPARE(map->property("selectedRow").toDouble(), 5.0);
        QCOMPARE(map->property("selectedColumn").toDouble(), 0.0);
        bench.key(Qt::Key_H, Qt::ControlModifier); // the bytes instead
        QVERIFY(!picture.isActive());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Set, stepped to, listed, named, removed and brought back without a mouse.
    void keepsBookmarks()
    {
        InspectorBench bench;
        QVERIFY(bench.open({ 1024, 640 }));
        BookmarkModel* bookmarks = bench.inspector.bookmarks();
        bench.key(Qt::Key_H, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("hexPane")->hasActiveFocus());
        bench.key(Qt::Key_D, Qt::ControlModifier);
        bench.key(Qt::Key_Down);
        bench.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(bookmarks->count(), 2);
        bench.key(Qt::Key_F4);
        QCOMPARE(bench.inspector.hex()->cursor(), 0.0);
        bench.key(Qt::Key_F4, Qt::ShiftModifier);
        QCOMPARE(bench.inspector.hex()->cursor(), 16.0);
        bench.key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(bench.item("bookmarkList")->hasActiveFocus());
        bench.key(Qt::Key_F2);
        QTRY_VERIFY(bench.item("bookmarkName")->hasActiveFocus());
        bench.type("counts");
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.item("bookmarkList")->hasActiveFocus());
        QCOMPARE(bookmarks->data(bookmarks->index(1), BookmarkModel::NameRole).toString(),
                 QString("counts"));
        bench.key(Qt::Key_Up);
        QCOMPARE(bench.inspector.hex()->cursor(), 0.0);
        bench.key(Qt::Key_Delete);
        QCOMPARE(bookmarks->count(), 1);
        QVERIFY(bench.item("undoBookmark")->isVisible());
        bench.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(bookmarks->count(), 2);
        bench.key(Qt::Key_End);
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.item("hexPane")->hasActiveFocus());
        QCOMPARE(bench.inspector.hex()->cursor(), 16.0);
        bench.key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!bench.item("bookmarks")->isVisible());
        QCOMPARE(bench.settings.bookmarksOf(bench.path).size(), 2);
        QCOMPARE(bench.warnings, QStringList());
    }
};

QTEST_MAIN(TestInspectorWalk)
#include "tst_inspector_walk.moc"
