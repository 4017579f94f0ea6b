// What the window follows: the desktop's portal where it says something, else palette and
// environment. SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_portal.h"
#include "ui/theme/system_look.h"

#include <QGuiApplication>
#include <QPalette>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace {

const auto kAppearance = QStringLiteral("org.freedesktop.appearance");
const auto kScheme = QStringLiteral("color-scheme");
const auto kMotion = QStringLiteral("reduced-motion");

void setPalette(const QColor& window, const QColor& text)
{
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    QGuiApplication::setPalette(palette);
}

} // namespace

class TestSystemLook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_bus.start()) {
            QSKIP("There is no dbus-daemon: install the package dbus-daemon to run this test.");
        }
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.address().toLatin1());
        m_portal =
            std::make_unique<tests::FakePortal>(m_bus.address(), "org.freedesktop.portal.Desktop");
        QVERIFY(m_portal->isThere());
    }

    void init()
    {
        qunsetenv("VITRINE_REDUCED_MOTION");
        setPalette(Qt::white, Qt::black);
    }

    void darkness()
    {
        m_portal->set(kAppearance, kScheme, 1U);
        SystemLook look;
        QSignalSpy changed(&look, &SystemLook::darkChanged);
        QVERIFY(!look.isDark()); // the palette, at first
        QTRY_VERIFY(look.isDark());
        m_portal->change(kAppearance, kScheme, 2U);
        QTRY_VERIFY(!look.isDark());
        setPalette(Qt::black, Qt::white); // the portal knows better
        QTest::qWait(20);
        QVERIFY(!look.isDark());
        m_portal->change(kAppearance, kScheme, 0U);
        QTRY_VERIFY(look.isDark()); // no preference: the palette again
        setPalette(Qt::white, Qt::black);
        QTRY_VERIFY(!look.isDark());
        QCOMPARE(changed.size(), 4);
    }

    void motion()
    {
        m_portal->set(kAppearance, kMotion, 1U);
        SystemLook look;
        QSignalSpy changed(&look, &SystemLook::reducedMotionChanged);
        QVERIFY(!look.isMotionReduced());
        QTRY_VERIFY(look.isMotionReduced());
        m_portal->change(kAppearance, kMotion, 0U);
        QTRY_VERIFY(!look.isMotionReduced());
        QCOMPARE(changed.size(), 2);
    }

    void motionByEnvironment_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("reduced");
        QTest::newRow("reduced") << QByteArray("1") << true;
        QTest::newRow("not reduced") << QByteArray("0") << false;
    }

    void motionByEnvironment()
    {
        QFETCH(QByteArray, value);
        QFETCH(bool, reduced);
        qputenv("VITRINE_REDUCED_MOTION", value);
        m_portal->set(kAppearance, kMotion, reduced ? 0U : 1U);
        m_portal->set(kAppearance, kScheme, 1U);
        SystemLook look;
        QCOMPARE(look.isMotionReduced(), reduced);
        QTRY_VERIFY(look.isDark()); // the portal has answered
        QCOMPARE(look.isMotionReduced(), reduced);
    }

private:
    tests::PrivateBus m_bus;
    std::unique_ptr<tests::FakePortal> m_portal;
};

QTEST_MAIN(TestSystemLook)
#include "tst_system_look.moc"
