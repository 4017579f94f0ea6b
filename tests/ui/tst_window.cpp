// The window with a scripted engine: keys, focus, banners, pages, names for screen readers.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/ui/long_chat.h"
#include "tests/ui/window_bench.h"

#include <QAccessible>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QStyleHints>
#include <QTimer>
#include <QtQuickControls2/QQuickStyle>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace std::chrono_literals;
using engine::ErrorCode;
using tests::visit;
using tests::WindowBench;

namespace {

bool isControl(const QAccessibleInterface* interface)
{
    switch (interface->role()) {
    case QAccessible::PushButton:
    case QAccessible::ButtonMenu:
    case QAccessible::EditableText:
    case QAccessible::PageTab:
    case QAccessible::RadioButton:
    case QAccessible::SpinBox:
    case QAccessible::ProgressBar:
        return true;
    default:
        return false;
    }
}

/// Time that this thread worked: a busy machine beside the test does not count.
double threadMilliseconds()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Text that is shown somewhere in the window.
QString shownText(const WindowBench& bench)
{
    QString all;
    visit(bench.window->contentItem(), [&all](const QQuickItem* item) {
        const QVariant text = item->property("text");
        if (text.typeId() == QMetaType::QString) {
            all += text.toString() + '\n';
        }
    });
    return all;
}

} // namespace

class TestWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QQuickStyle::setStyle("Basic"); }

    void saysWhatToDoWithoutAModel()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        QVERIFY(shownText(bench).contains("Open a file…"));
        QVERIFY(!bench.item("sendButton")->isEnabled());
        QVERIFY(bench.item("sendButton")->property("hint").toString().contains("Ctrl+O"));
        QCOMPARE(bench.warnings, QStringList());
    }

    void putsTheCursorInTheMessageBox()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        QVERIFY(bench.window->title().contains("/models/a.gguf"));
        QVERIFY(shownText(bench).contains("What do you want to ask?"));
    }

    void enterSendsAndShiftEnterBreaksTheLine()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        bench.type("one");
        bench.key(Qt::Key_Return, Qt::ShiftModifier);
        bench.type("two");
        QCOMPARE(bench.chat.draft()->text(), QString("one\ntwo"));
        QVERIFY(bench.item("sendButton")->isEnabled());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.key(Qt::Key_Return);
        QCOMPARE(bench.count(), 2);
        QCOMPARE(bench.chat.draft()->text(), QString());
        QCOMPARE(bench.item("messageBox")->property("text").toString(), QString());
        QTRY_COMPARE(answered.count(), 1);
        QTRY_VERIFY(shownText(bench).contains("Hello, world."));
        QVERIFY(shownText(bench).contains("one\ntwo"));
        QVERIFY(shownText(bench).contains("stopped: end of turn"));
        // The keypad's Enter does the same.
        QTRY_VERIFY(bench.chat.isIdle());
        bench.type("again");
        bench.key(Qt::Key_Enter);
        QCOMPARE(bench.count(), 4);
        QTRY_COMPARE(answered.count(), 2);
        QCOMPARE(bench.warnings, QStringList());
    }

    void escapeStops()
    {
        WindowBench bench;
        bench.script->pieces.assign(2000, "word ");
        bench.script->pieceTime = 2ms;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        bench.chat.ask("Go on");
        QTRY_VERIFY(!bench.lastAnswer().isEmpty());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.key(Qt::Key_Escape);
        QTRY_COMPARE_WITH_TIMEOUT(answered.count(), 1, 1000);
        QTRY_VERIFY(shownText(bench).contains("stopped by you"));
    }

    void controlNStartsAnew()
    {
        WindowBench bench("settings");
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("Something");
        QVERIFY(answered.wait(5000));
        bench.key(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(bench.count(), 0);
        QCOMPARE(bench.window->property("page").toString(), QString("chat"));
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        QCOMPARE(bench.warnings, QStringList());
    }

    void goesToThePages()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        bench.key(Qt::Key_Comma, Qt::ControlModifier);
        QCOMPARE(bench.window->property("page").toString(), QString("settings"));
        QVERIFY(shownText(bench).contains("Context length"));
        QVERIFY(!bench.item("messageBox")->isVisible());
        bench.key(Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(bench.window->property("page").toString(), QString("chat"));
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        bench.key(Qt::Key_Q, Qt::ControlModifier);
        QTRY_VERIFY(!bench.window->isVisible());
        QCOMPARE(bench.warnings, QStringList());
    }

    // The dialog's modules are not loaded before someone asks for it.
    // A control stands beside the words of its setting, not where a layout left it.
    void settingsStandInTheirRows()
    {
        WindowBench bench("settings");
        QVERIFY(bench.show({ 1100, 700 }));
        QTest::qWait(100);
        int rows = 0;
        visit(bench.window->contentItem(), [&rows](QQuickItem* item) {
            if (item->property("explanation").isValid() && item->property("title").isValid()) {
                ++rows;
                for (const QQuickItem* part : item->childItems()) {
                    QVERIFY(part->y() >= 0 && part->y() + part->height() <= item->height());
                }
            }
        });
        QVERIFY(rows >= 4);
    }

    void opensTheDialogOnlyWhenAsked()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        QVERIFY(bench.window->findChild<QObject*>("openDialog") == nullptr);
        bench.key(Qt::Key_O, Qt::ControlModifier);
        QObject* dialog = bench.window->findChild<QObject*>("openDialog");
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->property("visible").toBool());
        QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
        QTRY_VERIFY(!dialog->property("visible").toBool());
        QCOMPARE(bench.warnings, QStringList());
    }

    // The menu lists what was opened before, newest first, between opening and clearing.
    void listsRecentFilesInTheMenu()
    {
        WindowBench bench;
        for (const char* name : { "one.gguf", "two.gguf" }) {
            QFile file(bench.directory.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            bench.settings.addRecentFile(file.fileName());
        }
        QVERIFY(bench.show());
        QVERIFY(shownText(bench).contains("two.gguf")); // the empty page lists them too
        QVERIFY(QMetaObject::invokeMethod(bench.item("modelChip"), "clicked"));
        QObject* menu = bench.window->findChild<QObject*>("modelMenu");
        QVERIFY(menu);
        QTRY_VERIFY(menu->property("opened").toBool());
        QStringList texts;
        for (int at = 0; at < menu->property("count").toInt(); ++at) {
            QQuickItem* item = nullptr;
            QMetaObject::invokeMethod(menu, "itemAt", Q_RETURN_ARG(QQuickItem*, item),
                                      Q_ARG(int, at));
            QVERIFY(item);
            if (item->isVisible() && !item->property("text").toString().isEmpty()) {
                texts << item->property("text").toString();
            }
        }
        QCOMPARE(texts, (QStringList { "Open a file…", "two.gguf", "one.gguf", "Clear the list" }));
        bench.key(Qt::Key_Escape);
        QTRY_VERIFY(!menu->property("opened").toBool());
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsABannerWhenAFileDoesNotOpen()
    {
        WindowBench bench;
        bench.script->loadErrors["/models/bad.gguf"] = engine::Error {
            ErrorCode::FileEmpty, {}, { "/models/bad.gguf", 1204, "general.alignment" }
        };
        QVERIFY(bench.show());
        QSignalSpy notices(&bench.model, &ModelViewModel::noticeChanged);
        bench.model.open("/models/bad.gguf");
        QVERIFY(notices.wait(5000));
        QTRY_VERIFY(shownText(bench).contains(bench.model.notice().what));
        QVERIFY(shownText(bench).contains("general.alignment"));
        QVERIFY(shownText(bench).contains("Open another file…"));
        bench.model.dismissNotice();
        QTRY_VERIFY(!shownText(bench).contains("general.alignment"));
    }

    void asksForTheContextBeforeLoading()
    {
        const auto models = tests::conformanceDir("architectures");
        if (!models) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto path = QString::fromStdString((*models / "llama-256-q4_0/model.gguf").string());
        WindowBench bench;
        bench.settings.setAskContext(true);
        QVERIFY(bench.show());
        bench.model.choose(path);
        QTRY_VERIFY(bench.item("contextSlider")->hasActiveFocus());
        QVERIFY(!bench.model.isLoading());
        QVERIFY(shownText(bench).contains("Don't load"));
        bench.key(Qt::Key_Escape);
        QTRY_VERIFY(!bench.item("planBar")->isVisible());
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        QVERIFY(!bench.model.isLoaded());

        bench.settings.setContextLengthOf(path, 256);
        bench.model.choose(path);
        QTRY_VERIFY(bench.item("contextSlider")->hasActiveFocus());
        QCOMPARE(bench.model.plan()->length(), 256U);
        bench.key(Qt::Key_Right);
        QCOMPARE(bench.model.plan()->length(), 512U);
        bench.key(Qt::Key_Left);
        QSignalSpy ready(&bench.model, &ModelViewModel::ready);
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(ready.size(), 1);
        QCOMPARE(bench.script->lastRequest().contextLength, 256U);
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        QVERIFY(bench.warnings.isEmpty());
    }

    void keepsTheDraftInTheBoxWhenSendingFails()
    {
        WindowBench bench;
        bench.script->promptError = engine::Error { ErrorCode::OutOfMemory, { "the cache" }, {} };
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        bench.type("keep me");
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(answered.count(), 1);
        QCOMPARE(bench.item("messageBox")->property("text").toString(), QString("keep me"));
        QCOMPARE(bench.item("messageBox")->property("cursorPosition").toInt(), 7);
        QVERIFY(shownText(bench).contains("the cache"));
        bench.type("!");
        QCOMPARE(bench.chat.draft()->text(), QString("keep me!"));
    }

    // Streaming text does not move what someone reads further up.
    void followsTheEndOnlyFromTheEnd()
    {
        WindowBench bench;
        bench.script->pieces.assign(300, "A line of text.\n\n");
        bench.script->pieceTime = 2ms;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QQuickItem* list = bench.item("messageList");
        QVERIFY(list);
        bench.chat.ask("Go on");
        const auto atEnd = [list] {
            return list->property("contentY").toDouble() + list->height()
                >= list->property("originY").toDouble() + list->property("contentHeight").toDouble()
                - 5;
        };
        QTRY_VERIFY(list->property("contentHeight").toDouble() > 3 * list->height());
        QTRY_VERIFY(atEnd());
        bench.key(Qt::Key_PageUp);
        QVERIFY(!list->property("following").toBool());
        const double before = list->property("contentY").toDouble();
        const double height = list->property("contentHeight").toDouble();
        QTRY_VERIFY(list->property("contentHeight").toDouble() > height + 200);
        // The view sits on whole pixels.
        QVERIFY(std::abs(list->property("contentY").toDouble() - before) <= 1);
        QMetaObject::invokeMethod(bench.item("messages"), "toEnd");
        QTRY_VERIFY(atEnd());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        QVERIFY(answered.wait(10'000));
        QTRY_VERIFY(atEnd());
        QCOMPARE(bench.warnings, QStringList());
    }

    // The GUI thread is never busy for long: a long question, a long paragraph, and code of many
    // lines stream through it.
    void staysResponsive()
    {
        WindowBench bench;
        bench.script->facts.contextLength = 100'000;
        bench.script->pieces = { "Text: " };
        bench.script->pieces.insert(bench.script->pieces.end(), 500, "some words ");
        bench.script->pieces.push_back("\n```cpp\n");
        bench.script->pieces.insert(bench.script->pieces.end(), 300,
                                    "int value = function(argument); // why\n");
        bench.script->pieceTime = 500us;
        bench.script->promptSteps = 20;
        bench.script->promptStep = 5ms;
        QVERIFY(bench.show({ 1280, 720 }));
        QVERIFY(bench.load());
        double longest = 0;
        double last = threadMilliseconds();
        QTimer beat;
        connect(&beat, &QTimer::timeout, this, [&] {
            const double now = threadMilliseconds();
            longest = std::max(longest, now - last);
            last = now;
        });
        beat.start(1);
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask(QString("A question of two thousand words. ").repeated(300));
        QVERIFY(answered.wait(20'000));
        QTest::qWait(50);
        qInfo("busy for %.1f ms at most", longest);
        QVERIFY2(longest < 50, qPrintable(QString::number(longest)));
    }

    // 500 long messages: opened at once, scrolled and written to without a pause. The figures are
    // for tests/bench's sake; the bounds only catch what would hang.
    void opensAndScrollsALongChat()
    {
        WindowBench bench;
        QVERIFY(bench.show({ 1280, 800 }));
        QVERIFY(bench.load());
        const app::ChatId chat = tests::saveLongChat(bench.store, 500);
        QVERIFY(chat != 0);
        QElapsedTimer took;
        took.start();
        bench.book.open(chat);
        QTRY_COMPARE_WITH_TIMEOUT(bench.count(), 500, 10'000);
        const qint64 opened = took.elapsed();
        QQuickItem* list = bench.item("messageList");
        QTRY_VERIFY(list->property("contentHeight").toDouble() > 3 * list->height());
        QTest::qWait(100);
        double longest = 0;
        for (int step = 0; step < 60; ++step) {
            const double before = threadMilliseconds();
            QMetaObject::invokeMethod(bench.item("messages"), "scrollBy", Q_ARG(double, -0.3));
            QTest::qWait(20);
            longest = std::max(longest, threadMilliseconds() - before);
        }
        qInfo("500 messages shown after %lld ms; scrolling keeps the thread %.1f ms at most",
              opened, longest);
        QVERIFY(opened < 5'000);
        QVERIFY(longest < 500);
        QCOMPARE(bench.warnings, QStringList());
    }

    // Dragging over rows selects across them, a double click selects a word, and Ctrl+C copies.
    void selectsWithTheMouse()
    {
        WindowBench bench;
        bench.script->pieces = { "First paragraph here.\n\nSecond paragraph here.\n" };
        QVERIFY(bench.show({ 1280, 800 }));
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Asked"));
        QQuickItem* list = bench.item("messageList");
        QList<QPoint> rows; // the left edge of each paragraph's text
        QTRY_VERIFY(!list->property("moving").toBool());
        visit(list, [&rows](const QQuickItem* item) {
            if (item->inherits("QQuickTextEdit") && item->property("length").toInt() > 20) {
                rows << item->mapToScene(QPointF(2, item->height() / 2)).toPoint();
            }
        });
        QCOMPARE(rows.size(), 2);
        std::sort(rows.begin(), rows.end(),
                  [](const QPoint& left, const QPoint& right) { return left.y() < right.y(); });
        QTest::mousePress(bench.window, Qt::LeftButton, {}, rows.at(0));
        QTest::mouseMove(bench.window, (rows.at(0) + rows.at(1)) / 2);
        QTest::mouseMove(bench.window, rows.at(1) + QPoint(600, 0));
        QTest::mouseRelease(bench.window, Qt::LeftButton, {}, rows.at(1) + QPoint(600, 0));
        bench.key(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QString("First paragraph here.\n\nSecond paragraph here."));
        QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 100);
        QTest::mouseClick(bench.window, Qt::LeftButton, {}, rows.at(1) + QPoint(10, 0));
        QTest::mouseClick(bench.window, Qt::LeftButton, {}, rows.at(1) + QPoint(10, 0));
        bench.key(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("Second"));
        QCOMPARE(bench.warnings, QStringList());
    }

    // Everything that the page can do, by keyboard.
    void shortcutsDoWhatTheySay()
    {
        WindowBench bench;
        QVERIFY(bench.show({ 1280, 800 }));
        QVERIFY(bench.load());
        QVERIFY(bench.answer("First question"));
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        // Up in an empty box edits the last question; Esc leaves it.
        bench.key(Qt::Key_Up);
        QTRY_VERIFY(bench.hasFocus("questionEditor"));
        bench.key(Qt::Key_Escape);
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        bench.key(Qt::Key_Up);
        QTRY_VERIFY(bench.hasFocus("questionEditor"));
        bench.type("!");
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(bench.chat.questionText(0), QString("First question!"));
        QTRY_VERIFY(bench.chat.isIdle());
        // Answer again.
        bench.key(Qt::Key_R, Qt::ControlModifier);
        const auto& rows = *bench.chat.conversation();
        QTRY_COMPARE(
            rows.data(rows.index(rows.rowCount() - 1), ConversationModel::AlternativesRole).toInt(),
            2);
        QTRY_VERIFY(bench.chat.isIdle());
        // Find.
        bench.key(Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("findField")->hasActiveFocus());
        bench.type("world");
        bench.key(Qt::Key_Return);
        QTRY_VERIFY(shownText(bench).contains("1 of 1"));
        bench.key(Qt::Key_Escape);
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        // Switch the chat.
        bench.key(Qt::Key_N, Qt::ControlModifier);
        QVERIFY(bench.answer("Other chat"));
        bench.key(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(bench.item("chatSearch")->hasActiveFocus());
        bench.type("First");
        QTRY_COMPARE(bench.chats.count(), 1);
        bench.key(Qt::Key_Return);
        QTRY_COMPARE(bench.chat.questionText(0), QString("First question!"));
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        // The list and the panel.
        QVERIFY(bench.item("chatList")->isVisible());
        bench.key(Qt::Key_B, Qt::ControlModifier);
        QVERIFY(!bench.item("chatList")->isVisible());
        bench.key(Qt::Key_B, Qt::ControlModifier);
        bench.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(bench.item("systemPrompt")->hasActiveFocus());
        bench.type("Be brief");
        QCOMPARE(bench.steering.systemPrompt(), QString("Be brief"));
        bench.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!bench.item("systemPrompt")->isVisible());
        // Text size.
        bench.key(Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(bench.settings.textSize(), 110);
        bench.key(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(bench.settings.textSize(), 100);
        // All shortcuts.
        bench.key(Qt::Key_Slash, Qt::ControlModifier);
        QTRY_VERIFY(shownText(bench).contains("Keyboard shortcuts"));
        bench.key(Qt::Key_Escape);
        QCOMPARE(bench.warnings, QStringList());
    }

    void showsUntrustedTextAsItIs()
    {
        WindowBench bench;
        bench.script->pieces = { "<b>bold</b> <img src=\"file:///etc/passwd\">" };
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("<h1>Title</h1>");
        QVERIFY(answered.wait(5000));
        QTRY_VERIFY(shownText(bench).contains("<b>bold</b> <img"));
        QVERIFY(shownText(bench).contains("<h1>Title</h1>"));
        visit(bench.window->contentItem(), [](const QQuickItem* item) {
            const QVariant format = item->property("textFormat");
            if (format.isValid() && format.typeId() == QMetaType::Int
                && !item->inherits("QQuickControl")) {
                QCOMPARE(format.toInt(), static_cast<int>(Qt::PlainText));
            }
        });
    }

    void namesEveryControl_data()
    {
        QTest::addColumn<QString>("page");
        QTest::newRow("chat") << "chat";
        QTest::newRow("settings") << "settings";
    }

    void namesEveryControl()
    {
        QFETCH(QString, page);
        WindowBench bench(page);
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("Code?");
        QVERIFY(answered.wait(5000));
        bench.settings.setThreads(3);
        int controls = 0;
        visit(bench.window->contentItem(), [&controls](QQuickItem* item) {
            const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(item);
            if (interface != nullptr && isControl(interface)) {
                ++controls;
                QVERIFY2(!interface->text(QAccessible::Name).isEmpty(),
                         item->metaObject()->className());
            }
        });
        QVERIFY2(controls >= 5, qPrintable(QString::number(controls)));
        QCOMPARE(bench.warnings, QStringList());
    }

    // Tab goes around, never sticks, and comes back.
    void tabReachesEverything()
    {
        WindowBench bench;
        QVERIFY(bench.show());
        QVERIFY(bench.load());
        QTRY_VERIFY(bench.item("messageBox")->hasActiveFocus());
        QList<QQuickItem*> seen;
        do {
            bench.key(Qt::Key_Tab);
            QQuickItem* focused = bench.window->activeFocusItem();
            QVERIFY(focused);
            QVERIFY(focused->isVisible() && focused->isEnabled());
            QVERIFY2(!seen.contains(focused), focused->metaObject()->className());
            seen << focused;
        } while (!bench.item("messageBox")->hasActiveFocus() && seen.size() < 50);
        // Two pages, the model, three samples, the box.
        QVERIFY2(seen.size() >= 7, qPrintable(QString::number(seen.size())));
        bench.key(Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(bench.window->activeFocusItem(), seen.at(seen.size() - 2));
    }

    void fitsSmallAndLargeWindows_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smallest") << QSize(640, 480);
        QTest::newRow("small") << QSize(1024, 640);
        QTest::newRow("4K") << QSize(3840, 2160);
    }

    void fitsSmallAndLargeWindows()
    {
        QFETCH(QSize, size);
        WindowBench bench;
        bench.script->facts.displayName = std::string(200, 'M');
        QVERIFY(bench.show(size));
        QVERIFY(bench.load());
        QTRY_COMPARE(bench.window->size(), size);
        for (const char* name : { "messageBox", "sendButton", "modelChip" }) {
            const QQuickItem* item = bench.item(name);
            const QRectF place = item->mapRectToScene(QRectF(0, 0, item->width(), item->height()));
            QVERIFY2(QRectF(QPointF(), QSizeF(size)).contains(place), name);
        }
        QCOMPARE(bench.warnings, QStringList());
    }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
