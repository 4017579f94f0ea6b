// The search for bad numbers, the histogram and foreign files in the real window, by keyboard
// alone. SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "tests/ui/bad_weights.h"
#include "tests/ui/window_bench.h"

#include <QAccessible>
#include <QtQuickControls2/QQuickStyle>

using tests::WindowBench;

namespace {

struct PageBench : WindowBench
{
    QString path = directory.filePath(QStringLiteral("model.gguf"));

    PageBench()
        : WindowBench(QStringLiteral("inspect"))
    {
    }
    bool open(const QSize& size = { 1440, 900 })
    {
        if (!show(size)) {
            return false;
        }
        inspector.open(path);
        return QTest::qWaitFor([this] { return inspector.isShown() && !inspector.isBusy(); });
    }
    [[nodiscard]] QString text(const char* name) const
    {
        return item(name)->property("text").toString();
    }
    /// What stands on a tab: made by a repeater, it is no child of the window.
    [[nodiscard]] QString tabText(const QString& name) const
    {
        QString text;
        tests::visit(window->contentItem(), [&](QQuickItem* each) {
            if (each->objectName() == name) {
                text = each->property("text").toString();
            }
        });
        return text;
    }
    /// Presses Tab until it has the keyboard.
    [[nodiscard]] bool tabTo(const char* name, int most = 12) const
    {
        for (int presses = 0; presses < most && !item(name)->hasActiveFocus(); ++presses) {
            key(Qt::Key_Tab);
        }
        return item(name)->hasActiveFocus();
    }
};

} // namespace

class TestWeightCheckPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QQuickStyle::setStyle("Basic");
        QLocale::setDefault(QLocale::c());
    }

    void findsBadNumbers_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("large") << QSize(1440, 900);
        QTest::newRow("small") << QSize(1024, 640);
    }
    void findsBadNumbers()
    {
        QFETCH(QSize, size);
        PageBench bench;
        QVERIFY(tests::writeBadWeights(bench.path));
        QVERIFY(bench.open(size));
        const int errors = bench.inspector.problems()->errors();
        bench.key(Qt::Key_4, Qt::AltModifier);
        QTRY_VERIFY(bench.item("problemList")->hasActiveFocus());
        QVERIFY(bench.tabTo("checkWeights", 2));
        QVERIFY(bench.text("checkWeights").startsWith("Read all weights ("));
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.text("weightsResult").startsWith("Bad numbers in 1 of 25 tensors"));
        QVERIFY(bench.item("weightsResult")->isVisible());
        QCOMPARE(bench.inspector.problems()->errors(), errors + 1);
        QVERIFY(bench.text("problemsChip")
                    .startsWith(QString::number(bench.inspector.problems()->errors()
                                                + bench.inspector.problems()->warnings())));
        // Back in the list it leads to its block.
        bench.key(Qt::Key_Tab, Qt::ShiftModifier);
        QVERIFY(bench.item("problemList")->hasActiveFocus());
        bench.key(Qt::Key_Home);
        for (int row = 0; row < 20 && bench.text("selectedName") != "blk.2.attn_q.weight"; ++row) {
            bench.key(Qt::Key_Down);
        }
        QCOMPARE(bench.text("selectedName"), QString("blk.2.attn_q.weight"));
        QCOMPARE(bench.inspector.tensor()->block(), 1.0);
        // Another tab and back: still there.
        bench.key(Qt::Key_1, Qt::AltModifier);
        bench.key(Qt::Key_4, Qt::AltModifier);
        QVERIFY(bench.item("weightsResult")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    void cancelsByKey()
    {
        PageBench bench;
        // A tensor of 64 GB, all of it a hole: nobody waits for it.
        const auto bytes = tests::tinyGguf({ { "hole", 0, { std::uint64_t { 1 } << 34 }, {} } });
        QFile file(bench.path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
        QVERIFY(file.resize(qint64(bytes.size()) + (qint64 { 64 } << 30)));
        file.close();
        QVERIFY(bench.open());
        bench.key(Qt::Key_4, Qt::AltModifier);
        QVERIFY(bench.tabTo("checkWeights", 2));
        bench.key(Qt::Key_Return);
        QVERIFY(bench.inspector.weights()->isRunning());
        const QQuickItem* progress = bench.item("weightsProgress");
        QTRY_COMPARE(progress->opacity(), 1.0);
        QTRY_VERIFY(progress->property("detail").toString().contains(" of 68.7 GB"));
        QTRY_VERIFY(progress->property("detail").toString().contains("left"));
        QCOMPARE(bench.text("checkWeights"), QString("Cancel"));
        bench.key(Qt::Key_Return);
        QVERIFY(!bench.inspector.weights()->isRunning());
        QVERIFY(bench.text("checkWeights").startsWith("Read all weights (68.7 GB)"));
        QVERIFY(!bench.item("weightsResult")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    void browsesTheHistogram()
    {
        PageBench bench;
        QVERIFY(tests::writeInspectorFile(bench.path));
        QVERIFY(bench.open());
        bench.inspector.selection()->selectTensor(2); // Q4_0
        QTRY_VERIFY(bench.item("histogram")->isVisible());
        QQuickItem* bars = bench.item("histogramBars");
        bars->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Home);
        QVERIFY2(bench.text("histogramBin").contains(" weights ("),
                 qPrintable(bench.text("histogramBin")));
        auto* spoken = QAccessible::queryAccessibleInterface(bars);
        QVERIFY(spoken != nullptr);
        QCOMPARE(spoken->text(QAccessible::Description), bench.text("histogramBin"));
        bench.item("histogramScale")->forceActiveFocus(Qt::TabFocusReason);
        const auto heights = bars->property("values").toList();
        bench.key(Qt::Key_Right);
        QVERIFY(bench.inspector.tensor()->histogram()->isLogarithmic());
        QVERIFY(bars->property("values").toList() != heights);
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsHowAForeignFileBegins()
    {
        PageBench bench;
        QFile file(bench.path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<!DOCTYPE html>\n<html><head><title>404</title></head></html>");
        file.close();
        QVERIFY(bench.show({ 1024, 640 }));
        bench.inspector.open(bench.path);
        QTRY_VERIFY(bench.item("foreignMagic")->isVisible());
        QVERIFY(bench.text("foreignWhat").contains("HTML"));
        auto* spoken = QAccessible::queryAccessibleInterface(bench.item("foreignMagic"));
        QVERIFY(spoken != nullptr);
        QVERIFY2(spoken->text(QAccessible::Name).contains("3C (<) in place of G"),
                 qPrintable(spoken->text(QAccessible::Name)));
        QVERIFY(tests::writeInspectorFile(bench.path)); // downloaded again
        bench.inspector.reload();
        QTRY_VERIFY(bench.inspector.isShown());
        QVERIFY(!bench.item("foreignMagic")->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    // Notes are no problems.
    void countsOnlyProblems()
    {
        PageBench bench;
        QVERIFY(tests::writeInspectorFile(bench.path));
        QVERIFY(bench.open());
        ProblemModel& problems = *bench.inspector.problems();
        const auto note = [](const char* subject) {
            return engine::gguf::Problem {
                engine::gguf::Severity::Note,
                { engine::ErrorCode::FileEmpty, {}, { .subject = subject } }
            };
        };
        problems.setProblems({});
        QCOMPARE(bench.text("problemsChip"), QString("no problems"));
        problems.setProblems({ note("a") });
        QCOMPARE(bench.text("problemsChip"), QString("1 note"));
        problems.setProblems({ note("a"), note("b") });
        QCOMPARE(bench.text("problemsChip"), QString("2 notes"));
        QCOMPARE(bench.tabText("tab-problems"), QString("Notes 2"));
        auto error = note("c");
        error.severity = engine::gguf::Severity::Error;
        problems.setProblems({ note("a"), error });
        QCOMPARE(bench.text("problemsChip"), QString("1 problem"));
        QCOMPARE(bench.tabText("tab-problems"), QString("Problems 1"));
        QCOMPARE(bench.warnings, QStringList());
    }
};

QTEST_MAIN(TestWeightCheckPage)
#include "tst_weight_check_page.moc"
