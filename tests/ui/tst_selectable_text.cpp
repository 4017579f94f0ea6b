// Text that grows while someone reads it.
// SPDX-License-Identifier: Apache-2.0
#include <QGuiApplication>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickTextDocument>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

#include <cmath>
#include <memory>

class TestSelectableText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_engine = std::make_unique<QQmlEngine>();
        m_engine->addImportPath("qrc:/qt/qml");
        QQmlComponent component(m_engine.get());
        component.setData("import Vitrine.Components\nSelectableText { width: 300 }", {});
        m_item.reset(component.create());
        QVERIFY2(m_item, qPrintable(component.errorString()));
    }

    void showsWhatItIsGiven()
    {
        for (const char* content : { "One", "One and two", "One and two\nthree\n\nfour",
                                     "Something else", "", "a\u00a0b 🙂", "a\u00a0b 🙂 c" }) {
            m_item->setProperty("content", content);
            QCOMPARE(document()->toRawText().replace(QChar(0x2029), '\n'), QString(content));
        }
    }

    // What grows keeps its selection and its line height.
    void keepsTheSelectionWhileItGrows()
    {
        m_item->setProperty("content", "Select me");
        QMetaObject::invokeMethod(m_item.get(), "select", Q_ARG(int, 0), Q_ARG(int, 6));
        QCOMPARE(m_item->property("selectedText").toString(), QString("Select"));
        m_item->setProperty("content", "Select me, please\nand more");
        QCOMPARE(m_item->property("selectedText").toString(), QString("Select"));
        m_item->setProperty("content", "Other");
        QCOMPARE(m_item->property("selectedText").toString(), QString());
    }

    void setsTheLineHeight()
    {
        m_item->setProperty("content", "One\ntwo");
        m_item->setProperty("content", "One\ntwo\nthree");
        m_item->setProperty("lineHeight", 2.0);
        m_item->setProperty("content", "One\ntwo\nthree\nfour");
        double height = 0;
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
            QCOMPARE(block.blockFormat().lineHeightType(),
                     static_cast<int>(QTextBlockFormat::ProportionalHeight));
            QVERIFY(block.blockFormat().lineHeight() > 110);
            QVERIFY(height == 0 || qFuzzyCompare(height, block.blockFormat().lineHeight()));
            height = block.blockFormat().lineHeight();
        }
        // Four lines at twice the font size of 15.
        const double lines = m_item->property("contentHeight").toDouble() / (2 * 15);
        QVERIFY2(std::abs(lines - 4) < 0.2, qPrintable(QString::number(lines)));
    }

private:
    [[nodiscard]] QTextDocument* document() const
    {
        return m_item->property("textDocument").value<QQuickTextDocument*>()->textDocument();
    }

    std::unique_ptr<QQmlEngine> m_engine;
    std::unique_ptr<QObject> m_item;
};

QTEST_MAIN(TestSelectableText)
#include "tst_selectable_text.moc"
