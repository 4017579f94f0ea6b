// The inspector's page in the real window: what it says and shows, at every size, all controls by
// keyboard. SPDX-License-Identifier: Apache-2.0
#include "tests/support/named_architecture.h"
#include "tests/ui/inspector_bench.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QtQuickControls2/QQuickStyle>

using tests::InspectorBench;
using tests::visit;
using tests::WindowBench;

class TestInspectorPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    void saysWhatToDoWithoutAFile()
    {
        InspectorBench bench;
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
        InspectorBench bench;
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

    // The card above the details unfolds by key and follows the selection.
    void explainsWhatIsSelected()
    {
        InspectorBench bench;
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
        InspectorBench bench;
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
        InspectorBench bench;
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

    void showsWhatIsInMemory()
    {
        InspectorBench bench;
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
        InspectorBench bench;
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
        InspectorBench bench;
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

    void savesWhatIsSelected()
    {
        InspectorBench bench;
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
        InspectorBench bench;
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
        InspectorBench bench;
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

    void namesEveryControl()
    {
        InspectorBench bench;
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
        InspectorBench bench;
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
