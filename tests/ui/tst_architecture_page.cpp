// The picture of the architecture in the real window: by keyboard, with the selection, folded.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/ui/inspector_file.h"
#include "tests/ui/window_bench.h"

#include <QAccessible>
#include <QtQuickControls2/QQuickStyle>

#include <fstream>

using tests::visit;
using tests::WindowBench;

namespace {

struct ArchitectureBench : WindowBench
{
    QString path = directory.filePath(QStringLiteral("model.gguf"));

    ArchitectureBench()
        : WindowBench(QStringLiteral("inspect"))
    {
    }
    /// Shows the file's architecture, reached by keys.
    bool open(const QSize& size = { 1440, 900 })
    {
        if (!show(size)) {
            return false;
        }
        inspector.open(path);
        if (!QTest::qWaitFor([this] { return inspector.isShown() && !inspector.isBusy(); })) {
            return false;
        }
        item("tensorLook")->forceActiveFocus(Qt::TabFocusReason);
        key(Qt::Key_Right);
        return QTest::qWaitFor([this] { return list()->isVisible() && count() > 0; });
    }
    [[nodiscard]] QQuickItem* list() const { return item("architectureList"); }
    [[nodiscard]] int count() const { return list()->property("count").toInt(); }
    [[nodiscard]] QString words() const { return text("architectureWords"); }
    [[nodiscard]] QString text(const char* name) const
    {
        return item(name)->property("text").toString();
    }
    /// The cell that says this of itself, where it is in sight.
    [[nodiscard]] QQuickItem* cell(const QString& start) const
    {
        QQuickItem* found = nullptr;
        visit(list(), [&](QQuickItem* each) {
            if (each->property("words").toString().startsWith(start)) {
                found = each;
            }
        });
        return found;
    }
    /// All of it lies within the list.
    [[nodiscard]] bool isInSight(const QString& start) const
    {
        const QQuickItem* found = cell(start);
        const QRectF at = found != nullptr
            ? found->mapRectToItem(list(), { 0, 0, found->width(), found->height() })
            : QRectF();
        return found != nullptr && at.top() >= 0 && at.bottom() <= list()->height();
    }
};

} // namespace

class TestArchitecturePage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    // From the switch to the list by Tab, and through the cells.
    void walksThroughCells()
    {
        ArchitectureBench bench;
        QVERIFY(tests::writeInspectorFile(bench.path));
        QVERIFY(bench.open());
        QVERIFY(!bench.item("tensorFilter")->isVisible());
        QVERIFY(bench.text("architectureSummary").startsWith("llama · 12 blocks · 25 tensors"));
        QVERIFY(!bench.item("nextOdd")->isVisible());
        bench.key(Qt::Key_Tab);
        QTRY_VERIFY(bench.list()->hasActiveFocus());
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.text("selectedName"), QString("token_embd.weight"));
        bench.key(Qt::Key_Down);
        bench.key(Qt::Key_Right);
        QCOMPARE(bench.text("selectedName"), QString("blk.0.attn_q.weight"));
        QTRY_VERIFY(bench.words().startsWith("blk.0.attn_q.weight · 64 × 8 · Q4_0"));
        QVERIFY(bench.cell("blk.0.attn_q.weight")->property("current").toBool());
        QVERIFY(bench.cell("blk.0.attn_q.weight")->property("cursor").toBool());
        // The fold: Enter opens it, what was selected stays.
        bench.key(Qt::Key_Down);
        QCOMPARE(bench.words(), QString("Blocks 1 – 11: the same"));
        QCOMPARE(bench.count(), 3);
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(bench.count(), 3 + 11);
        bench.key(Qt::Key_End);
        QCOMPARE(bench.text("selectedName"), QString("blk.11.attn_q.weight"));
        QTRY_VERIFY(bench.isInSight("blk.11.attn_q.weight"));
        bench.key(Qt::Key_Return);
        bench.key(Qt::Key_PageUp);
        QVERIFY2(!bench.words().startsWith("blk.11."), qPrintable(bench.words()));
        bench.key(Qt::Key_PageDown);
        QCOMPARE(bench.text("selectedName").section('.', 0, 1), QString("blk.11"));
        bench.key(Qt::Key_Home);
        QCOMPARE(bench.text("selectedName"), QString("token_embd.weight"));
        QTRY_VERIFY(bench.isInSight("token_embd.weight"));
        QCOMPARE(bench.warnings, QStringList());
    }

    // Selected elsewhere: opened, scrolled to, current.
    void followsTheSelection()
    {
        ArchitectureBench bench;
        QVERIFY(tests::writeInspectorFile(bench.path));
        QVERIFY(bench.open({ 1024, 640 }));
        QCOMPARE(bench.count(), 3);
        bench.inspector.selection()->selectTensor(2 * 9 + 2);
        QTRY_COMPARE(bench.count(), 3 + 11);
        QTRY_VERIFY(bench.isInSight("blk.9.attn_q.weight"));
        QVERIFY(bench.cell("blk.9.attn_q.weight")->property("current").toBool());
        // What was selected in the table is there when one comes back.
        bench.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("tensorFilter")->hasActiveFocus());
        QVERIFY(!bench.list()->isVisible());
        bench.inspector.selection()->selectTensor(2 * 3 + 2);
        bench.item("tensorLook")->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Right);
        QTRY_VERIFY(bench.isInSight("blk.3.attn_q.weight"));
        QVERIFY(bench.cell("blk.3.attn_q.weight")->property("current").toBool());
        QTRY_VERIFY(bench.words().startsWith("blk.3.attn_q.weight"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsWhatIsMissing()
    {
        const auto folder = tests::conformanceDir("architectures/llama-mha");
        if (!folder) {
            QSKIP(tests::missing("architectures/llama-mha").c_str());
        }
        ArchitectureBench bench;
        std::string bytes = tests::readFile(*folder / "model.gguf");
        const std::string name = "blk.1.ffn_up.weight";
        bytes.replace(bytes.find(name), name.size(), "blk.1.ffn_xx.weight");
        std::ofstream(bench.path.toStdString(), std::ios::binary) << bytes;
        QVERIFY(bench.open({ 1024, 640 }));
        QVERIFY(bench.text("architectureSummary").endsWith("1 missing, 1 not used"));
        bench.key(Qt::Key_Tab);
        QVERIFY(bench.hasFocus("nextOdd"));
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(bench.isInSight("blk.1.ffn_up.weight · missing"));
        QVERIFY(bench.words().contains("missing: the architecture needs it"));
        QCOMPARE(bench.inspector.selection()->tensor(), -1);
        bench.key(Qt::Key_Tab);
        QTRY_VERIFY(bench.list()->hasActiveFocus());
        bench.key(Qt::Key_N);
        QCOMPARE(bench.text("selectedName"), QString("blk.1.ffn_xx.weight"));
        QVERIFY(bench.isInSight("blk.1.ffn_xx.weight · not used"));
        bench.key(Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(bench.words().startsWith("blk.1.ffn_up.weight · missing"));
        // In words for those who don't see it.
        const auto* interface =
            QAccessible::queryAccessibleInterface(bench.cell("blk.1.ffn_up.weight"));
        QVERIFY(interface && interface->text(QAccessible::Name).contains("missing"));
        QCOMPARE(bench.warnings, QStringList());
    }

    // A click chooses, like Enter.
    void takesTheMouse()
    {
        ArchitectureBench bench;
        QVERIFY(tests::writeInspectorFile(bench.path));
        QVERIFY(bench.open());
        const auto click = [&bench](const QQuickItem* item) {
            QTest::mouseClick(
                bench.window, Qt::LeftButton, {},
                item->mapToScene({ item->width() / 2, item->height() / 2 }).toPoint());
        };
        QTRY_VERIFY(bench.isInSight("blk.0.attn_norm.weight"));
        click(bench.cell("blk.0.attn_norm.weight"));
        QCOMPARE(bench.text("selectedName"), QString("blk.0.attn_norm.weight"));
        QCOMPARE(bench.warnings, QStringList());
    }
};

QTEST_MAIN(TestArchitecturePage)
#include "tst_architecture_page.moc"
