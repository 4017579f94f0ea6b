// The inspector's page in the real window: everything by keyboard.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/named_architecture.h"
#include "tests/support/split_gguf.h"
#include "tests/ui/inspector_file.h"
#include "tests/ui/window_bench.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QtQuickControls2/QQuickStyle>

using tests::visit;
using tests::WindowBench;

namespace {

struct PageBench : WindowBench
{
    QString path = directory.filePath(QStringLiteral("model.gguf"));

    PageBench()
        : WindowBench(QStringLiteral("inspect"))
    {
    }
    /// Shows the window with the file that has a bit of everything.
    bool open(const QSize& size = { 1440, 900 })
    {
        if (!tests::writeInspectorFile(path) || !show(size)) {
            return false;
        }
        inspector.open(path);
        return QTest::qWaitFor([this] { return inspector.isShown() && !inspector.isBusy(); });
    }
    [[nodiscard]] QString text(const char* name) const
    {
        return item(name)->property("text").toString();
    }
};

} // namespace

class TestInspectorPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    void saysWhatToDoWithoutAFile()
    {
        PageBench bench;
        QVERIFY(bench.show());
        QVERIFY(bench.item("inspectOpen")->isVisible());
        bench.key(Qt::Key_O, Qt::ControlModifier);
        QObject* dialog = bench.window->findChild<QObject*>("openDialog");
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->property("visible").toBool());
        QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
        QTRY_VERIFY(!dialog->property("visible").toBool());
        QCOMPARE(bench.warnings, QStringList());
    }

    // What can't be talked to says why in place, before anybody tries.
    void saysWhatIsNotForChat()
    {
        PageBench bench;
        QVERIFY(tests::writeArchitecture(bench.path, "clip"));
        QVERIFY(bench.show());
        bench.inspector.open(bench.path);
        QTRY_COMPARE(bench.text("chatWithIt"), QString("Not for chat"));
        const QString hint = bench.item("chatWithIt")->property("hint").toString();
        QVERIFY2(hint.contains("sees pictures") && hint.contains("mmproj"), qPrintable(hint));
        bench.item("chatWithIt")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.item("problemList")->hasActiveFocus());
        QVERIFY(!bench.model.isLoading() && !bench.model.notice().isShown());
        QCOMPARE(bench.warnings, QStringList());
    }

    void isReachedByKey()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        bench.key(Qt::Key_I, Qt::ControlModifier);
        QCOMPARE(bench.window->property("page").toString(), QString("inspect"));
        QVERIFY(bench.item("inspectOpen")->isVisible());
        bench.key(Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Filter, go down into the list, browse: the selection goes along everywhere.
    void walksThroughTensors()
    {
        PageBench bench;
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
        PageBench bench;
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
        PageBench bench;
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

    // The card above the details unfolds by key and follows the selection.
    void explainsWhatIsSelected()
    {
        PageBench bench;
        QVERIFY(bench.open());
        bench.inspector.selection()->selectBytes(0, 4);
        QVERIFY(bench.item("explanation")->isVisible());
        const double folded = bench.item("explanation")->height();
        bench.item("explanationButton")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.item("explanation")->height() > folded + 50);
        QStringList names; // as a screen reader says them
        visit(bench.item("explanation"), [&names](QQuickItem* item) {
            const auto* attached = QAccessible::queryAccessibleInterface(item);
            names << (attached != nullptr ? attached->text(QAccessible::Name) : QString());
        });
        QVERIFY2(names.contains("Layout: magic 4 bytes, version 4 bytes, tensor count 8 bytes, "
                                "metadata count 8 bytes"),
                 qPrintable(names.join(u'|')));
        bench.key(Qt::Key_Space);
        QTRY_COMPARE(bench.item("explanation")->height(), folded);
        QCOMPARE(bench.warnings, QStringList());
    }

    // What does not fit is scrolled to when the keyboard gets there.
    void scrollsToWhatHasTheKeyboard()
    {
        PageBench bench;
        bench.settings.setTextSize(app::Settings::kMaxTextSize);
        QVERIFY(bench.open({ 1024, 640 }));
        QQuickItem* scroll = bench.item("detailScroll");
        QQuickItem* button = bench.item("saveReport");
        QTRY_VERIFY(button->mapToItem(scroll, { 0, 0 }).y() + button->height() > scroll->height());
        button->forceActiveFocus(Qt::TabFocusReason);
        QTRY_VERIFY(button->mapToItem(scroll, { 0, 0 }).y() + button->height() <= scroll->height());
        QCOMPARE(bench.warnings, QStringList());
    }

    // The template of the test's file writes each message as it is stored.
    void showsATemplateAtWork()
    {
        PageBench bench;
        QVERIFY(bench.open());
        bench.key(Qt::Key_2, Qt::AltModifier);
        QTRY_VERIFY(bench.item("metadataList")->hasActiveFocus());
        bench.key(Qt::Key_End);
        QTRY_VERIFY(bench.item("templateExample")->isVisible());
        QVERIFY(bench.item("templateExample")->property("content").toString().contains("system"));
        bench.item("copyExample")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Return);
        QCOMPARE(QGuiApplication::clipboard()->text(), bench.inspector.templateExample()->text());
        // Where only one has room, a choice of the two.
        bench.window->resize(1024, 640);
        QTRY_VERIFY(bench.item("templateParts")->isVisible());
        QVERIFY(bench.item("metadataValue")->isVisible());
        bench.item("templateParts")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Right);
        QTRY_VERIFY(bench.item("templateExample")->isVisible());
        QVERIFY(!bench.item("metadataValue")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Set, stepped to, listed, named, removed and brought back without a mouse.
    void keepsBookmarks()
    {
        PageBench bench;
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

    // Tab leads from the header to the map; its cursor selects sections.
    void walksThroughTheMap()
    {
        PageBench bench;
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

    void showsWhatIsInMemory()
    {
        PageBench bench;
        QVERIFY(bench.open({ 1024, 640 }));
        QTRY_VERIFY(bench.text("mapLine").startsWith("In memory now: "));
        QVERIFY(!bench.item("fileMap")->property("residency").toByteArray().isEmpty());
        bench.key(Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(!bench.inspector.residency()->isWatched());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Columns that come with the room stand beside the others.
    void keepsColumnTitlesApart()
    {
        PageBench bench;
        QVERIFY(bench.open());
        QList<qreal> places;
        visit(bench.window->contentItem(), [&places](QQuickItem* item) {
            if (item->property("column").isValid() && item->property("sorted").isValid()) {
                places << item->mapToScene({}).x();
            }
        });
        QVERIFY2(places.size() >= 5, qPrintable(QString::number(places.size())));
        for (qsizetype at = 1; at < places.size(); ++at) {
            QVERIFY(places[at] > places[at - 1] + 30);
        }
    }

    // With room the tabs need one line only, and what is below moves up.
    void takesTheRoomThatTabsLeave()
    {
        PageBench bench;
        QVERIFY(bench.open({ 1024, 640 }));
        const QQuickItem* tabs = bench.item("inspectorTabs");
        const auto gap = [&] {
            return bench.item("tensorFilter")->mapToScene({}).y()
                - tabs->mapToScene({ 0, tabs->height() }).y();
        };
        QTRY_VERIFY(tabs->height() > 40);
        const qreal before = gap();
        bench.window->resize(1440, 900);
        QTRY_VERIFY(tabs->height() < 40);
        QTRY_COMPARE(gap(), before);
    }

    void looksUpTokens()
    {
        PageBench bench;
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

    void walksThroughBytes()
    {
        PageBench bench;
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

    void savesWhatIsSelected()
    {
        PageBench bench;
        QVERIFY(bench.open());
        bench.inspector.selection()->selectTensor(1);
        bench.key(Qt::Key_S, Qt::ControlModifier);
        QObject* dialog = bench.window->findChild<QObject*>("saveDialog");
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->property("visible").toBool());
        QVERIFY(
            dialog->property("selectedFile").toUrl().fileName().endsWith("attn_norm.weight.npy"));
        QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
        QTRY_VERIFY(!dialog->property("visible").toBool());
        bench.key(Qt::Key_2, Qt::AltModifier);
        bench.item("saveMetadata")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(dialog->property("visible").toBool());
        QVERIFY(dialog->property("selectedFile").toUrl().fileName().endsWith(".metadata.json"));
        QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
        QTRY_VERIFY(!dialog->property("visible").toBool());
        const QString target = bench.directory.filePath("norm.npy");
        bench.inspector.exports()->save(ExportViewModel::TensorNpy, QUrl::fromLocalFile(target));
        QTRY_VERIFY(bench.text("exportDone").contains("norm.npy"));
        QVERIFY(QFile::exists(target));
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsWhatIsNoModelInPlace()
    {
        PageBench bench;
        QFile file(bench.directory.filePath("page.gguf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<html>");
        file.close();
        QVERIFY(bench.show());
        bench.inspector.open(file.fileName());
        QTRY_VERIFY(bench.inspector.notice().isShown());
        QVERIFY(!bench.inspector.isShown());
        QVERIFY(bench.item("inspectOpen")->isVisible());
        QCOMPARE(bench.text("inspectedName"), QString("page.gguf"));
        QCOMPARE(bench.warnings, QStringList());
    }

    // The chat's error leads to the place in the file.
    void isReachedFromAnErrorOfTheChat()
    {
        WindowBench bench;
        const QString path = bench.directory.filePath("model.gguf");
        QVERIFY(tests::writeInspectorFile(path));
        bench.script->loadErrors[path.toStdString()] = engine::Error {
            engine::ErrorCode::FileEmpty, {}, { path.toStdString(), {}, "llama.block_count" }
        };
        QVERIFY(bench.show());
        QSignalSpy notices(&bench.model, &ModelViewModel::noticeChanged);
        bench.model.open(path);
        QVERIFY(notices.wait(5000));
        QCOMPARE(bench.model.notice().file, path);
        QVERIFY(QMetaObject::invokeMethod(bench.item("modelBanner"), "linkTriggered"));
        QTRY_VERIFY(bench.inspector.isShown());
        QCOMPARE(bench.window->property("page").toString(), QString("inspect"));
        QCOMPARE(bench.inspector.selection()->metadata(), 2);
        QCOMPARE(bench.warnings, QStringList());
    }

    // From small windows to large ones everything stands within it, the header at the top.
    void fitsSmallAndLargeWindows_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smaller") << QSize(860, 600);
        QTest::newRow("small") << QSize(1024, 640);
        QTest::newRow("large") << QSize(2560, 1440);
    }

    void fitsSmallAndLargeWindows()
    {
        QFETCH(QSize, size);
        PageBench bench;
        QVERIFY(bench.open(size));
        bench.inspector.selection()->selectTensor(2);
        for (const char* part : { "details", "bytes" }) {
            bench.item("detailPane")->setProperty("part", part);
            QTest::qWait(50);
            QCOMPARE(qRound(bench.item("inspectorPage")->mapToScene({}).y()), 0);
            for (const char* name : { "inspectorTabs", "tensorFilter", "tensorSummary",
                                      "detailParts", "chatWithIt", "selectedName" }) {
                const QQuickItem* item = bench.item(name);
                const QRectF place =
                    item->mapRectToScene(QRectF(0, 0, item->width(), item->height()));
                QVERIFY2(QRectF(QPointF(), QSizeF(size)).contains(place), name);
            }
        }
        QCOMPARE(bench.warnings, QStringList());
    }

    // Values or scales, a cell by keyboard: the block follows, and the frame follows the block.
    void picksBlocksInTheHeatMap()
    {
        PageBench bench;
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

    void namesEveryControl()
    {
        PageBench bench;
        QVERIFY(bench.open());
        int controls = 0;
        for (const int tensor : { -1, 1 }) {
            bench.inspector.selection()->selectTensor(tensor);
            controls += tests::namedControls(bench.window->contentItem());
        }
        QVERIFY2(controls > 20, qPrintable(QString::number(controls)));
    }

    // Tab goes around and never sticks.
    void tabReachesEverything()
    {
        PageBench bench;
        QVERIFY(bench.open());
        bench.inspector.selection()->selectTensor(1);
        bench.key(Qt::Key_3, Qt::AltModifier);
        QTRY_VERIFY(bench.item("tensorList")->hasActiveFocus());
        QList<QQuickItem*> seen;
        do {
            bench.key(Qt::Key_Tab);
            QQuickItem* focused = bench.window->activeFocusItem();
            QVERIFY(focused);
            QVERIFY(focused->isVisible() && focused->isEnabled());
            QVERIFY2(!seen.contains(focused), focused->metaObject()->className());
            seen << focused;
        } while (!bench.item("tensorList")->hasActiveFocus() && seen.size() < 80);
        QVERIFY(seen.contains(bench.item("tensorFilter")));
        QVERIFY(seen.contains(bench.item("inspectorTabs")));
        QVERIFY2(seen.size() >= 20 && seen.size() < 80, qPrintable(QString::number(seen.size())));
    }
};

QTEST_MAIN(TestInspectorPage)
#include "tst_inspector_page.moc"
