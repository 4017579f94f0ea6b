// The question before a load, in a window of its own: context and layers by keyboard, read aloud
// with their units. SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/support/fake_card.h"
#include "ui/chat/load_plan_view_model.h"

#include <QAccessible>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace {

const auto kLongName =
    QStringLiteral("A graphics device with the longest of names (ACM-G10, rev 8, 0x56a0, driver of "
                   "a vendor who tells all there is to tell about it)");

QString readAloud(QQuickItem* item, QAccessible::Text what)
{
    const auto* read = QAccessible::queryAccessibleInterface(item);
    return read != nullptr ? read->text(what) : QString();
}

} // namespace

class TestLoadPlanBar : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;
    QQmlEngine m_engine;
    tests::DeviceScript m_script;
    std::unique_ptr<app::Settings> m_settings;
    std::unique_ptr<LoadPlanViewModel> m_plan;
    std::unique_ptr<QQuickWindow> m_window;
    std::unique_ptr<QQuickItem> m_bar;
    QString m_path;
    QStringList m_warnings;

    [[nodiscard]] QQuickItem* item(const char* name) const
    {
        return m_bar->findChild<QQuickItem*>(QLatin1String(name));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const
    {
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    bool ask(const QString& device)
    {
        m_settings->setDevice(device);
        m_plan->ask(m_path);
        return QTest::qWaitFor([this] { return m_plan->isAsking(); }, 5000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto models = tests::conformanceDir("architectures");
        if (!models) {
            QSKIP(tests::missing("architectures").c_str());
        }
        m_path = QString::fromStdString((*models / "llama-mha/model.gguf").string());
        m_engine.addImportPath("qrc:/qt/qml");
        connect(&m_engine, &QQmlEngine::warnings, this, [this](const QList<QQmlError>& errors) {
            for (const QQmlError& error : errors) {
                m_warnings << error.toString();
            }
        });
    }

    void init()
    {
        m_script = {};
        m_settings = std::make_unique<app::Settings>(m_directory.path());
        m_settings->setDeviceLayersOf(m_path, {});
        m_plan = std::make_unique<LoadPlanViewModel>(
            *m_settings, tests::fakeCard(m_script, kLongName.toStdString()));
        QQmlComponent component(&m_engine, QUrl("qrc:/qt/qml/Vitrine/Chat/LoadPlanBar.qml"));
        QVERIFY2(component.isReady(), qPrintable(component.errorString()));
        m_bar.reset(qobject_cast<QQuickItem*>(component.createWithInitialProperties(
            { { "plan", QVariant::fromValue(m_plan.get()) } })));
        QVERIFY2(m_bar, qPrintable(component.errorString()));
        m_window = std::make_unique<QQuickWindow>();
        m_window->resize(760, 400);
        m_bar->setParentItem(m_window->contentItem());
        m_bar->setWidth(m_window->width());
        m_window->show();
        m_window->requestActivate();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void cleanup()
    {
        m_bar.reset();
        m_window.reset();
        m_plan.reset();
        m_settings.reset();
        QCOMPARE(m_warnings, QStringList());
    }

    void nothingNewOnTheCpu()
    {
        QVERIFY(ask("cpu"));
        QTRY_VERIFY(item("contextSlider")->hasActiveFocus());
        QVERIFY(!item("layerSlider")->isVisible());
        QVERIFY(!item("deviceText")->isVisible());
        QVERIFY(!item("fitLayers")->isVisible());
        key(Qt::Key_Escape);
        QVERIFY(!m_plan->isAsking());
    }

    void layersByKeyboard()
    {
        QVERIFY(ask(kLongName));
        QTRY_VERIFY(item("contextSlider")->hasActiveFocus());
        QVERIFY(item("deviceText")->isVisible());
        QVERIFY(!item("fitLayers")->isVisible());
        key(Qt::Key_Tab);
        auto* slider = item("layerSlider");
        QVERIFY(slider->hasActiveFocus());
        const int all = m_plan->allLayers();
        QCOMPARE(slider->property("value").toInt(), all);
        key(Qt::Key_Left);
        QCOMPARE(m_plan->layers(), all - 1);
        QVERIFY(readAloud(slider, QAccessible::Name).contains(kLongName));
        QVERIFY(readAloud(slider, QAccessible::Name)
                    .endsWith(QStringLiteral("%1 of %2 layers").arg(all - 1).arg(all)));
        QCOMPARE(readAloud(slider, QAccessible::Description), m_plan->deviceText());
        key(Qt::Key_Home);
        QCOMPARE(m_plan->layers(), 0);
        key(Qt::Key_End);
        QCOMPARE(m_plan->layers(), all);
        QVERIFY(m_plan->isLayersFit());
        key(Qt::Key_Home);
        QTRY_VERIFY(item("fitLayers")->isVisible());
        if (const QByteArray path = qgetenv("VITRINE_TEST_PICTURE"); !path.isEmpty()) {
            m_window->grabWindow().save(QString::fromLocal8Bit(path));
        }
        QTRY_VERIFY(item("deviceText")->height() > 2 * item("fitLayers")->height() / 3); // in lines
        key(Qt::Key_Tab);
        QVERIFY(item("fitLayers")->hasActiveFocus());
        key(Qt::Key_Space);
        QCOMPARE(m_plan->layers(), all);
        QCOMPARE(slider->property("value").toInt(), all); // it follows still
        key(Qt::Key_Escape);
        QVERIFY(!m_plan->isAsking());
        QVERIFY(!m_settings->deviceLayersOf(m_path));
    }

    /// The other slider follows.
    void bothActOnOneBudget()
    {
        QVERIFY(ask(kLongName));
        const auto longest = m_plan->length();
        app::LoadPlanner planner(tests::fakeCard(m_script, kLongName.toStdString()));
        QSignalSpy planned(&planner, &app::LoadPlanner::planned);
        planner.plan(m_path, m_settings->loadRequest(m_path));
        QVERIFY(planned.wait());
        const auto plan = planned.first().first().value<app::LoadPlan>().device->plan;
        m_script.memory = plan.deviceBytes(plan.blocks(), longest) - 1;
        QVERIFY(ask(kLongName));
        QTRY_VERIFY(item("contextSlider")->hasActiveFocus());
        key(Qt::Key_End);
        const int fewer = item("layerSlider")->property("value").toInt();
        QCOMPARE(fewer, m_plan->allLayers() - 1);
        if (m_plan->choices() > 1) {
            key(Qt::Key_Home);
            QCOMPARE(item("layerSlider")->property("value").toInt(), m_plan->allLayers());
            key(Qt::Key_End);
        }
        key(Qt::Key_Tab);
        key(Qt::Key_End);
        QVERIFY(m_plan->isDeviceDoubtful());
        QSignalSpy decided(m_plan.get(), &LoadPlanViewModel::decided);
        key(Qt::Key_Return);
        QCOMPARE(decided.size(), 1);
        QCOMPARE(m_settings->deviceLayersOf(m_path), std::optional(m_plan->allLayers()));
    }
};

QTEST_MAIN(TestLoadPlanBar)
#include "tst_load_plan_bar.moc"
