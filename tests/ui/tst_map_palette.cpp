// Colours of types and sections: each family its own, in both looks, and seen against the ground.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/map_palette.h"

#include <QQmlComponent>
#include <QQmlEngine>
#include <QTest>

#include <cmath>
#include <memory>
#include <set>

using engine::gguf::Section;

class TestMapPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_engine.addImportPath("qrc:/qt/qml");
        QQmlComponent component(&m_engine);
        component.setData("import QtQml\nimport Vitrine.Inspector\nimport Vitrine.Theme\n"
                          "QtObject { readonly property MapPalette palette: InspectorColors\n"
                          "readonly property QtObject theme: Theme }",
                          {});
        m_holder.reset(component.create());
        QVERIFY2(m_holder, qPrintable(component.errorString()));
        m_palette = m_holder->property("palette").value<MapPalette*>();
        m_theme = m_holder->property("theme").value<QObject*>();
        QVERIFY(m_palette && m_theme);
    }

    void isWhole_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }
    void isWhole()
    {
        QFETCH(QString, mode);
        m_theme->setProperty("mode", mode);
        QCOMPARE(m_palette->surface, m_theme->property("surface").value<QColor>());
        QCOMPARE(m_palette->diverging.size(), 5);
        QVERIFY(m_palette->sequential.size() >= 2);
        for (const auto& type : engine::gguf::tensorTypes()) {
            const QColor color = m_palette->typeColor(static_cast<uint>(type.type));
            QVERIFY2(color.isValid() && contrast(color, m_palette->surface) > 1.8,
                     std::string(type.name).c_str());
        }
        QVERIFY(m_palette->typeColor(999).isValid());
        std::set<QRgb> families;
        for (const uint type : { 0U, 1U, 30U, 10U, 11U, 12U, 13U, 14U, 8U, 19U, 20U, 39U }) {
            families.insert(m_palette->typeColor(type).rgb());
        }
        for (const auto kind : { Section::Kind::Header, Section::Kind::Metadata,
                                 Section::Kind::Directory, Section::Kind::Padding }) {
            families.insert(m_palette->sectionColor({ kind, "", {} }, 0).rgb());
        }
        QCOMPARE(families.size(), 16U);
        QCOMPARE(m_palette->sectionColor({ Section::Kind::Data, "", {} }, 12),
                 m_palette->typeColor(12));
        QVERIFY(m_palette->typeColor(2) != m_palette->typeColor(3)); // Q4_0 and Q4_1
    }

    void growsWithBits()
    {
        QVERIFY(m_palette->bitsColor(1) == m_palette->sequential.front());
        QVERIFY(m_palette->bitsColor(32) == m_palette->sequential.back());
        QVERIFY(m_palette->bitsColor(4.5) != m_palette->bitsColor(8.5));
        QCOMPARE(m_palette->bitsColor(0), m_palette->otherType);
    }

private:
    static double contrast(const QColor& one, const QColor& other)
    {
        const auto luminance = [](const QColor& color) {
            const auto linear = [](double part) {
                return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
                + 0.0722 * linear(color.blueF());
        };
        const double first = luminance(one);
        const double second = luminance(other);
        return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
    }

    QQmlEngine m_engine;
    std::unique_ptr<QObject> m_holder;
    MapPalette* m_palette = nullptr;
    QObject* m_theme = nullptr;
};

QTEST_MAIN(TestMapPalette)
#include "tst_map_palette.moc"
