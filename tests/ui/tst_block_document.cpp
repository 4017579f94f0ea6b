// A row of a conversation in the document of a text: formats, colours of code, tables, marks.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"
#include "ui/chat/block_document.h"

#include <QQmlComponent>
#include <QQmlEngine>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

namespace {

struct Bench : tests::ChatBench
{
    QQmlEngine engine;
    std::unique_ptr<QObject> edit;
    TextLook look;
    BlockDocument block;

    Bench()
    {
        QQmlComponent component(&engine);
        component.setData("import QtQuick\nTextEdit { textFormat: TextEdit.RichText }", QUrl());
        edit.reset(component.create());
        look.link = Qt::blue;
        look.match = Qt::yellow;
        look.keyword = Qt::magenta;
        look.string = Qt::green;
        look.comment = Qt::gray;
        look.mono = "Monospace";
    }
    /// One answer with this text; its first row of the kind is shown.
    bool show(const QString& markdown, const char* kind)
    {
        script->pieces = { markdown.toStdString() };
        if (!loadModel() || !answer("Hi")) {
            return false;
        }
        auto& rows = *chat.conversation();
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (rows.data(rows.index(row), ConversationModel::MessageRole).toInt() == 1
                && rows.data(rows.index(row), ConversationModel::KindRole).toString()
                    == QLatin1String(kind)) {
                block.classBegin();
                block.setDocument(edit->property("textDocument").value<QQuickTextDocument*>());
                block.setConversation(&rows);
                block.setLook(&look);
                block.setRow(row);
                block.componentComplete();
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] QTextDocument& document() const
    {
        return *edit->property("textDocument").value<QQuickTextDocument*>()->textDocument();
    }
    /// The format of the first place where this text stands.
    [[nodiscard]] QTextCharFormat formatAt(const QString& text) const
    {
        return document().find(text).charFormat();
    }
};

} // namespace

class TestBlockDocument : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void formatsOfWords()
    {
        Bench bench;
        QVERIFY(bench.show("plain **strong** *slanted* ~~gone~~ `code` [site](https://a.b/c)",
                           "paragraph"));
        QCOMPARE(bench.document().toPlainText(), QString("plain strong slanted gone code site"));
        QVERIFY(bench.formatAt("strong").fontWeight() > QFont::Normal);
        QVERIFY(bench.formatAt("slanted").fontItalic());
        QVERIFY(bench.formatAt("gone").fontStrikeOut());
        QCOMPARE(bench.formatAt("code").fontFamilies().toStringList(), QStringList { "Monospace" });
        QCOMPARE(bench.formatAt("site").anchorHref(), QString("https://a.b/c"));
        QCOMPARE(bench.formatAt("site").foreground().color(), QColor(Qt::blue));
        QVERIFY(!bench.formatAt("plain").fontItalic());
        QCOMPARE(bench.block.shift(), 0);
    }

    void coloursOfCode()
    {
        Bench bench;
        QVERIFY(bench.show("```python\ndef f():\n    return \"text\"  # why\n```", "code"));
        QCOMPARE(bench.document().toPlainText(), QString("def f():\n    return \"text\"  # why"));
        QCOMPARE(bench.formatAt("def").foreground().color(), QColor(Qt::magenta));
        QCOMPARE(bench.formatAt("\"text\"").foreground().color(), QColor(Qt::green));
        QCOMPARE(bench.formatAt("# why").foreground().color(), QColor(Qt::gray));
        // Folded: the first lines only.
        bench.block.setLineLimit(1);
        QCOMPARE(bench.document().toPlainText(), QString("def f():"));
        bench.block.setLineLimit(0);
        QCOMPARE(bench.document().blockCount(), 2);
    }

    void tables()
    {
        Bench bench;
        bench.block.setRoom(600);
        QVERIFY(bench.show("| name | size |\n|---|---:|\n| a | 10 |\n| b | 200 |\n", "table"));
        const auto* table =
            qobject_cast<QTextTable*>(bench.document().rootFrame()->childFrames().value(0));
        QVERIFY(table != nullptr);
        QCOMPARE(table->rows(), 3);
        QCOMPARE(table->columns(), 2);
        QCOMPARE(table->cellAt(2, 1).firstCursorPosition().block().text(), QString("200"));
        QVERIFY(table->cellAt(2, 1).firstCursorPosition().blockFormat().alignment()
                & Qt::AlignRight);
        QVERIFY(bench.formatAt("name").fontWeight() > QFont::Normal);
        QVERIFY(bench.formatAt("200").fontWeight() <= QFont::Normal);
        // It takes the room there is, with a line above each row, and its text begins behind its
        // own character.
        QVERIFY(bench.block.tableWidth() > 590 && bench.block.tableWidth() <= 600);
        const QList<qreal> lines = bench.block.rowLines();
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines.at(0) < lines.at(1) && lines.at(1) < lines.at(2));
        QCOMPARE(bench.block.shift(), table->cellAt(0, 0).firstPosition());
    }

    void marksWhatWasFound()
    {
        Bench bench;
        QVERIFY(bench.show("One **one** two", "paragraph"));
        bench.block.setFind("one");
        QCOMPARE(bench.document().toPlainText(), QString("One one two"));
        for (const int at : { 1, 5 }) { // a cursor has the format before it
            QTextCursor cursor(&bench.document());
            cursor.setPosition(at);
            QCOMPARE(cursor.charFormat().background().color(), QColor(Qt::yellow));
        }
        QVERIFY(bench.formatAt("two").background().style() == Qt::NoBrush);
        bench.block.setFind({});
        QVERIFY(bench.formatAt("one").background().style() == Qt::NoBrush);
    }

    // A new theme changes many values; the text is made once.
    void followsTheLookOnce()
    {
        Bench bench;
        QVERIFY(bench.show("a [site](https://a.b)", "paragraph"));
        QSignalSpy filled(&bench.block, &BlockDocument::filled);
        bench.look.setProperty("link", QColor(Qt::red));
        QTRY_COMPARE(bench.formatAt("site").foreground().color(), QColor(Qt::red));
        QCOMPARE(filled.size(), 1);
        // Moved by rows above it: nothing is made anew.
        bench.block.setRow(bench.block.property("row").toInt() + 1);
        QCOMPARE(filled.size(), 1);
    }
};

QTEST_MAIN(TestBlockDocument)
#include "tst_block_document.moc"
