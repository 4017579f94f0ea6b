// The theme: contrast of text in both looks, and that every token has a value.
// SPDX-License-Identifier: Apache-2.0
#include <QColor>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

double luminance(const QColor& color)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& one, const QColor& other)
{
    const double first = luminance(one);
    const double second = luminance(other);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_engine.addImportPath("qrc:/qt/qml");
        QQmlComponent component(&m_engine);
        component.setData("import QtQml\nimport Vitrine.Theme\nQtObject { readonly property "
                          "QtObject theme: Theme }",
                          {});
        m_holder.reset(component.create());
        QVERIFY2(m_holder, qPrintable(component.errorString()));
        m_theme = m_holder->property("theme").value<QObject*>();
        QVERIFY(m_theme);
    }

    void hasContrast_data()
    {
        QTest::addColumn<QString>("ink");
        QTest::addColumn<QString>("ground");
        QTest::addColumn<double>("least");
        const auto row = [](const char* ink, const char* ground, double least) {
            QTest::addRow("%s on %s", ink, ground) << QString(ink) << QString(ground) << least;
        };
        for (const char* ground : { "background", "surface", "sunken", "hover", "accentSoft",
                                    "errorSoft", "warningSoft", "selection" }) {
            row("text", ground, 4.5);
        }
        for (const char* ground :
             { "background", "surface", "sunken", "hover", "errorSoft", "warningSoft" }) {
            row("dim", ground, 4.5);
        }
        row("accent", "background", 4.5);
        row("accent", "surface", 4.5);
        row("accent", "accentSoft", 4.5);
        row("accentText", "accent", 4.5);
        row("accentText", "accentHover", 4.5);
        row("accentText", "accentPressed", 4.5);
        row("warning", "background", 4.5);
        row("error", "background", 4.5);
        row("background", "text", 4.5);
        row("error", "errorSoft", 3);
        row("warning", "warningSoft", 3);
    }

    void hasContrast()
    {
        QFETCH(QString, ink);
        QFETCH(QString, ground);
        QFETCH(double, least);
        for (const char* mode : { "light", "dark" }) {
            m_theme->setProperty("mode", mode);
            const auto color = [this](const QString& name) {
                return m_theme->property(qPrintable(name)).value<QColor>();
            };
            const double found = contrast(color(ink), color(ground));
            QVERIFY2(found >= least, qPrintable(QString("%1: %2").arg(mode).arg(found)));
        }
    }

    void followsTheMode()
    {
        m_theme->setProperty("mode", "dark");
        QVERIFY(m_theme->property("dark").toBool());
        m_theme->setProperty("mode", "light");
        QVERIFY(!m_theme->property("dark").toBool());
        QVERIFY(!m_theme->property("sans").toString().isEmpty());
        QVERIFY(!m_theme->property("mono").toString().isEmpty());
    }

private:
    QQmlEngine m_engine;
    std::unique_ptr<QObject> m_holder;
    QObject* m_theme = nullptr;
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
