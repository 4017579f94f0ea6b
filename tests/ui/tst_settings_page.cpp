// The settings page in a window of its own: what models run on is chosen with mouse and keyboard.
// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings_view_model.h"

#include <QAccessible>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <memory>

class TestSettingsPage : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;
    QQmlEngine m_engine;
    std::unique_ptr<app::Settings> m_settings;
    std::unique_ptr<SettingsViewModel> m_model;
    std::unique_ptr<QQuickWindow> m_window;
    std::unique_ptr<QQuickItem> m_page;
    QStringList m_warnings;

    /// Radio buttons of devices, from top to bottom.
    [[nodiscard]] QList<QQuickItem*> devices() const
    {
        QList<QQuickItem*> found;
        const std::function<void(QQuickItem*)> look = [&](QQuickItem* item) {
            if (item->property("facts").isValid() && item->property("usable").isValid()) {
                found << item;
            }
            for (QQuickItem* child : item->childItems()) {
                look(child);
            }
        };
        look(m_page.get());
        return found;
    }

private Q_SLOTS:
    void init()
    {
        qputenv("XDG_CACHE_HOME", m_directory.path().toUtf8());
        m_engine.addImportPath("qrc:/qt/qml");
        connect(&m_engine, &QQmlEngine::warnings, this, [this](const QList<QQmlError>& errors) {
            for (const QQmlError& error : errors) {
                m_warnings << error.toString();
            }
        });
        m_settings = std::make_unique<app::Settings>(m_directory.path());
        m_settings->setDevice("auto");
        m_model = std::make_unique<SettingsViewModel>(*m_settings);
        QQmlComponent component(&m_engine, QUrl("qrc:/qt/qml/Vitrine/Settings/SettingsPage.qml"));
        QVERIFY2(component.isReady(), qPrintable(component.errorString()));
        m_page.reset(qobject_cast<QQuickItem*>(component.createWithInitialProperties(
            { { "settings", QVariant::fromValue(m_model.get()) }, { "reloadNeeded", false } })));
        QVERIFY2(m_page, qPrintable(component.errorString()));
        m_window = std::make_unique<QQuickWindow>();
        m_window->resize(1000, 1100);
        m_page->setParentItem(m_window->contentItem());
        m_page->setSize(m_window->size());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup()
    {
        // QQuickItems go before their window and what they show
        if (const QByteArray path = qgetenv("VITRINE_TEST_PICTURE"); !path.isEmpty()) {
            m_window->grabWindow().save(QString::fromLocal8Bit(path));
        }
        m_page.reset();
        m_window.reset();
        m_model.reset();
        m_settings.reset();
        QCOMPARE(m_warnings, QStringList());
    }

    void devicesAreListedAndChosen()
    {
        // at least automatic and the CPU, whatever the machine has
        QTRY_VERIFY(devices().size() >= 2);
        QTest::qWait(500); // the drivers answer meanwhile
        const auto rows = devices();
        for (QQuickItem* row : rows) {
            const auto* read = QAccessible::queryAccessibleInterface(row);
            QVERIFY(read != nullptr);
            QCOMPARE(read->role(), QAccessible::RadioButton);
            QVERIFY(!read->text(QAccessible::Name).isEmpty());
            QVERIFY(!read->text(QAccessible::Description).isEmpty());
            QVERIFY(row->height() > 20 && row->width() > 300);
        }
        QVERIFY(rows[0]->property("checked").toBool());
        const QPoint middle =
            rows[1]->mapToScene(QPointF(rows[1]->width() / 2, rows[1]->height() / 2)).toPoint();
        QTest::mouseClick(m_window.get(), Qt::LeftButton, {}, middle);
        QCOMPARE(m_settings->device(), QString("cpu"));
        QVERIFY(rows[1]->property("checked").toBool());
        QVERIFY(!rows[0]->property("checked").toBool());
        // by keyboard: up, and the choice with the space bar
        rows[1]->forceActiveFocus(Qt::TabFocusReason);
        QTest::keyClick(m_window.get(), Qt::Key_Up);
        QVERIFY(rows[0]->hasActiveFocus());
        QTest::keyClick(m_window.get(), Qt::Key_Space);
        QCOMPARE(m_settings->device(), QString("auto"));
        QTest::keyClick(m_window.get(), Qt::Key_Down);
        QTest::keyClick(m_window.get(), Qt::Key_Return);
        QCOMPARE(m_settings->device(), QString("cpu"));
        QVERIFY(rows[1]->property("checked").toBool());
    }

    /// Rows that are replaced are gone before the page is laid out again.
    void rowsAreReplaced()
    {
        QTRY_VERIFY(devices().size() >= 2);
        QTest::qWait(500); // the drivers answer meanwhile
        DeviceModel* model = m_model->devices();
        connect(model, &DeviceModel::changed, m_page.get(), [this] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            m_page->setWidth(m_page->width() == 1000 ? 600 : 1000);
        });
        for (int i = 0; i < 4; ++i) {
            QSignalSpy changes(model, &DeviceModel::changed);
            model->refresh();
            QVERIFY(changes.wait(5000));
        }
        const auto rows = devices();
        for (qsizetype row = 1; row < rows.size(); ++row) {
            QTRY_VERIFY(rows[row]->y() >= rows[row - 1]->y() + rows[row - 1]->height());
            QTRY_COMPARE(rows[row]->width(), rows[0]->width());
        }
    }

    /// Chosen elsewhere (another window's settings): the page follows.
    void followsTheSetting()
    {
        QTRY_VERIFY(devices().size() >= 2);
        m_settings->setDevice("cpu");
        QVERIFY(devices()[1]->property("checked").toBool());
    }
};

QTEST_MAIN(TestSettingsPage)
#include "tst_settings_page.moc"
