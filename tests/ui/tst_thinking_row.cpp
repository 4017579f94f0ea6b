// The line above an answer that was thought about, and the switch for thinking, in the window: by
// mouse and keyboard, with names for screen readers. SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window_bench.h"

#include <QtQuickControls2/QQuickStyle>

using namespace std::chrono_literals;
using tests::visit;
using tests::WindowBench;

namespace {

struct Bench : WindowBench
{
    Bench()
    {
        script->marks.emplace().certain = true;
        script->pieces = { "<think>\n", "Hm, why?", "\n</think>\n\n", "Because." };
        script->facts.thinks = true;
    }
    /// A shown item by its name, also one that a view made.
    QQuickItem* shown(const char* name) const
    {
        QQuickItem* found = nullptr;
        visit(window->contentItem(), [&](QQuickItem* item) {
            found = item->objectName() == QLatin1String(name) ? item : found;
        });
        return found;
    }
    bool shows(const QString& text) const
    {
        bool found = false;
        visit(window->contentItem(), [&](const QQuickItem* item) {
            found = found || item->property("text").toString() == text;
        });
        return found;
    }
    void click(const QQuickItem* item) const
    {
        const QPointF center = item->mapToScene({ item->width() / 2, item->height() / 2 });
        QTest::mouseClick(window, Qt::LeftButton, {}, center.toPoint());
    }
};

} // namespace

class TestThinkingRow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    void opensByMouseAndKeyboard()
    {
        Bench bench;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QTRY_VERIFY(bench.shown("thinkingLine") != nullptr);
        QQuickItem* line = bench.shown("thinkingLine");
        QVERIFY(bench.shows("Thought for 1 s"));
        QVERIFY(!bench.shows("Hm, why?"));
        const auto* interface = QAccessible::queryAccessibleInterface(line);
        QVERIFY(interface != nullptr);
        QCOMPARE(interface->role(), QAccessible::PushButton);
        QCOMPARE(interface->text(QAccessible::Name), QString("Thought for 1 s"));
        QCOMPARE(interface->text(QAccessible::Description),
                 QString("Shows what the model thought"));
        bench.click(line);
        QTRY_VERIFY(bench.shows("Hm, why?"));
        QCOMPARE(interface->text(QAccessible::Description),
                 QString("Hides what the model thought"));
        bench.click(line);
        QTRY_VERIFY(!bench.shows("Hm, why?"));
        line->forceActiveFocus(Qt::TabFocusReason);
        for (const Qt::Key key : { Qt::Key_Return, Qt::Key_Space, Qt::Key_Enter }) {
            const bool open = bench.shows("Hm, why?");
            bench.key(key);
            QTRY_COMPARE(bench.shows("Hm, why?"), !open);
            QVERIFY(bench.hasFocus("thinkingLine"));
        }
        QVERIFY(tests::namedControls(bench.window->contentItem()) > 5);
        QCOMPARE(bench.warnings, QStringList());
    }

    void streamsInside()
    {
        Bench bench;
        bench.script->pieces.assign(100'000, "hm ");
        bench.script->pieces[0] = "<think>";
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        bench.chat.ask("Hi");
        QTRY_VERIFY(bench.shows("Thinking…"));
        bench.click(bench.shown("thinkingLine"));
        QTRY_VERIFY(bench.chat.conversation()->reasoningText(1).size() > 600);
        bench.chat.stop();
        QTRY_VERIFY(bench.chat.isIdle());
        const auto& rows = *bench.chat.conversation();
        const auto lastPiece = rows.index(rows.rowCount() - 2);
        QCOMPARE(rows.data(lastPiece, ConversationModel::KindRole).toString(), QString("thought"));
        QTRY_VERIFY(bench.shows(rows.data(lastPiece, ConversationModel::ThoughtRole).toString()));
        QVERIFY(bench.shown("thinkingLine")->property("text").toString().startsWith("Stopped"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void switchIsThereWhereItHelps()
    {
        Bench bench;
        QVERIFY(bench.show({ 1280, 800 }));
        QVERIFY(bench.load());
        bench.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(bench.shown("thinkingSwitch") != nullptr);
        QQuickItem* toggle = bench.shown("thinkingSwitch");
        const auto* interface = QAccessible::queryAccessibleInterface(toggle);
        QCOMPARE(interface->role(), QAccessible::CheckBox);
        QCOMPARE(interface->text(QAccessible::Name), QString("Think before answering"));
        QVERIFY(interface->state().checked);
        bench.click(toggle);
        QVERIFY(!bench.steering.isThinking());
        QTRY_VERIFY(!interface->state().checked);
        toggle->forceActiveFocus(Qt::TabFocusReason);
        bench.key(Qt::Key_Space);
        QVERIFY(bench.steering.isThinking());
        bench.key(Qt::Key_Return);
        QVERIFY(!bench.steering.isThinking());
        bench.chat.ask("Hi");
        QTRY_VERIFY(bench.script->lastThinking() == false);
        QTRY_VERIFY(bench.chat.isIdle());
        bench.chat.startAnew(); // as the model does by itself
        QTRY_VERIFY(toggle->property("checked").toBool());
        bench.script->facts.thinks = {};
        QVERIFY(bench.load("/models/b.gguf"));
        QTRY_VERIFY(bench.shown("thinkingSwitch") == nullptr);
        QCOMPARE(bench.warnings, QStringList());
    }
};

QTEST_MAIN(TestThinkingRow)
#include "tst_thinking_row.moc"
