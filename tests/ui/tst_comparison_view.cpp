// Two files side by side in the real window, by keyboard alone.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/other_file.h"
#include "tests/ui/window_bench.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QtQuickControls2/QQuickStyle>

using tests::visit;
using tests::WindowBench;

namespace {

struct ComparisonBench : WindowBench
{
    QString path = directory.filePath(QStringLiteral("model.gguf"));
    QString other = directory.filePath(QStringLiteral("other.gguf"));
    FileComparison& comparison = *inspector.comparison();

    ComparisonBench()
        : WindowBench(QStringLiteral("inspect"))
    {
    }
    bool open(const QSize& size = { 1440, 900 })
    {
        if (!tests::writeInspectorFile(path) || !tests::writeOtherFile(other) || !show(size)) {
            return false;
        }
        inspector.open(path);
        return QTest::qWaitFor([this] { return inspector.isShown() && !inspector.isBusy(); });
    }
    bool compare()
    {
        comparison.compareWith(other);
        return QTest::qWaitFor([this] {
            return comparison.isReady() && !inspector.isBusy() && !comparison.weights()->isRunning()
                && isIn("metadataDiffList");
        });
    }
    /// It, or the row of it, has the keyboard.
    [[nodiscard]] bool isIn(const char* name) const
    {
        const QQuickItem* found = item(name);
        return found != nullptr && found->hasActiveFocus();
    }
    [[nodiscard]] QString text(const char* name) const
    {
        return item(name)->property("text").toString();
    }
};

} // namespace

class TestComparisonView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    void asksForTheOtherFile()
    {
        ComparisonBench bench;
        QVERIFY(bench.show());
        bench.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier); // nothing to compare
        QVERIFY(!bench.window->findChild<QObject*>("compareDialog"));
        QVERIFY(bench.open());
        QVERIFY(bench.item("compareWith")->isVisible());
        bench.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QObject* dialog = bench.window->findChild<QObject*>("compareDialog");
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->property("visible").toBool());
        QCOMPARE(dialog->property("currentFolder").toUrl(),
                 QUrl::fromLocalFile(bench.directory.path()));
        QVERIFY(QMetaObject::invokeMethod(dialog, "chosen",
                                          Q_ARG(QUrl, QUrl::fromLocalFile(bench.other))));
        QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
        QTRY_VERIFY(bench.comparison.isReady());
        QVERIFY(bench.item("comparisonView")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    void walksThroughDifferences()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        QVERIFY(!bench.item("detailPane")->isVisible());
        QVERIFY(!bench.item("fileMapBar")->isVisible());
        QCOMPARE(bench.text("comparedNameA"), QString("model.gguf"));
        QCOMPARE(bench.text("comparedNameB"), QString("other.gguf"));
        QCOMPARE(bench.text("comparisonVerdict"),
                 QString("4 of 10 metadata entries and 6 of 26 tensors differ."));
        bench.key(Qt::Key_Down);
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.item("comparisonDetail")->property("title").toString(),
                 QString("tokenizer.ggml.tokens"));
        QVERIFY(bench.text("comparisonNote").startsWith("2 of 1,000 elements differ"));
        bench.key(Qt::Key_End);
        QCOMPARE(bench.item("comparisonDetail")->property("title").toString(),
                 QString("general.name"));
        QVERIFY(!bench.item("showInA")->isVisible());
        bench.key(Qt::Key_2, Qt::AltModifier);
        QTRY_VERIFY(bench.isIn("tensorDiffList"));
        QCOMPARE(bench.comparison.tensors()->count(), 6);
        QCOMPARE(bench.text("weightsSummary"),
                 QString("Weights: 20 the same · 1 different · 5 not comparable"));
        bench.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bench.isIn("tensorDiffFilter"));
        bench.type("blk.3");
        QCOMPARE(bench.comparison.tensors()->count(), 1);
        bench.key(Qt::Key_Down);
        bench.key(Qt::Key_Home);
        QVERIFY(bench.text("comparisonNote").contains("1 of 16 blocks"));
        bench.key(Qt::Key_3, Qt::AltModifier);
        QTRY_VERIFY(bench.isIn("totalsDiffList"));
        QVERIFY(!bench.item("comparisonDetail")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Enter: the same entry in A alone, where everything is as it was.
    void goesToTheEntry()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        bench.key(Qt::Key_2, Qt::AltModifier);
        QTRY_VERIFY(bench.isIn("tensorDiffList"));
        bench.key(Qt::Key_Home);
        bench.key(Qt::Key_Return);
        QVERIFY(!bench.comparison.isActive());
        QCOMPARE(bench.text("selectedName"), QString("token_embd.weight"));
        QTRY_VERIFY(bench.isIn("tensorList"));
        QVERIFY(bench.item("fileMapBar")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    void leavesByEscape()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        bench.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bench.isIn("metadataDiffFilter"));
        bench.type("llama");
        bench.key(Qt::Key_Escape); // the words first
        QVERIFY(bench.comparison.isActive());
        QCOMPARE(bench.comparison.metadata()->filter(), QString());
        bench.key(Qt::Key_Escape);
        QVERIFY(!bench.comparison.isActive());
        QTRY_VERIFY(bench.isIn("tensorList"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsAllOrDifferences()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        bench.item("onlyDifferences")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.comparison.metadata()->count(), 10);
        bench.key(Qt::Key_Space);
        QCOMPARE(bench.comparison.metadata()->count(), 4);
        QCOMPARE(bench.warnings, QStringList());
    }

    void copiesAndSwaps()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        bench.key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("# Two files compared\n"));
        bench.item("swapFiles")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(bench.text("comparedNameA"), QString("other.gguf"));
        QTRY_VERIFY(bench.text("comparedFactsA").contains("24 tensors"));
        QTRY_COMPARE(bench.text("comparedNameB"), QString("model.gguf"));
        bench.key(Qt::Key_Escape);
        QTRY_COMPARE(bench.text("inspectedName"), QString("other.gguf"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsWhatCannotBeOpenedInPlace()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        bench.comparison.compareWith(bench.directory.filePath("nothing.gguf"));
        QTRY_VERIFY(bench.comparison.notice().isShown());
        QVERIFY(bench.item("comparisonBanner")->isVisible());
        QVERIFY(!bench.item("metadataDiffList")->isVisible());
        bench.key(Qt::Key_Escape);
        QVERIFY(!bench.comparison.isActive());
        QCOMPARE(bench.warnings, QStringList());
    }

    void fitsWindows_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smaller") << QSize(860, 600);
        QTest::newRow("small") << QSize(1024, 640);
        QTest::newRow("large") << QSize(2560, 1440);
    }

    void fitsWindows()
    {
        QFETCH(QSize, size);
        ComparisonBench bench;
        QVERIFY(bench.open(size));
        QVERIFY(bench.compare());
        bench.key(Qt::Key_Down);
        for (const char* tab : { "metadata", "tensors" }) {
            bench.comparison.detail()->setTable(tab);
            bench.comparison.tensors()->setSelected(0);
            QTest::qWait(50);
            for (const char* name : { "comparisonTabs", "onlyDifferences", "comparisonDetail",
                                      "closeComparison", "showInA" }) {
                const QQuickItem* item = bench.item(name);
                QVERIFY2(item->isVisible(), name);
                const QRectF place =
                    item->mapRectToScene(QRectF(0, 0, item->width(), item->height()));
                QVERIFY2(QRectF(QPointF(), QSizeF(size)).contains(place), name);
            }
            const QQuickItem* list =
                bench.item(*tab == 'm' ? "metadataDiffList" : "tensorDiffList");
            QVERIFY2(list->height() > 100, qPrintable(QString::number(list->height())));
        }
        QCOMPARE(bench.warnings, QStringList());
    }

    void namesEveryControl()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        bench.key(Qt::Key_Down);
        int controls = 0;
        for (const char* tab : { "metadata", "tensors", "totals" }) {
            bench.comparison.detail()->setTable(tab);
            controls += tests::namedControls(bench.window->contentItem());
        }
        QVERIFY2(controls > 25, qPrintable(QString::number(controls)));
    }

    // Tab goes around and never sticks.
    void tabReachesEverything()
    {
        ComparisonBench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare());
        bench.key(Qt::Key_Down);
        QList<QQuickItem*> seen;
        do {
            bench.key(Qt::Key_Tab);
            QQuickItem* focused = bench.window->activeFocusItem();
            QVERIFY(focused);
            QVERIFY(focused->isVisible() && focused->isEnabled());
            QVERIFY2(!seen.contains(focused), focused->metaObject()->className());
            seen << focused;
        } while (!bench.isIn("metadataDiffList") && seen.size() < 60);
        for (const char* name : { "metadataDiffFilter", "comparisonTabs", "onlyDifferences",
                                  "swapFiles", "closeComparison", "comparedMapA", "showInA" }) {
            QVERIFY2(seen.contains(bench.item(name)), name);
        }
        QVERIFY(seen.size() < 60);
    }
};

QTEST_MAIN(TestComparisonView)
#include "tst_comparison_view.moc"
