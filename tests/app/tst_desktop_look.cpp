// What the desktop says of its look: read from a portal, followed, and unknown without one.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/desktop_look.h"
#include "tests/app/fake_portal.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <memory>

using app::DesktopLook;
using Scheme = DesktopLook::Scheme;

namespace {

const auto kService = QStringLiteral("org.vitrine.test.Portal");
const auto kAppearance = QStringLiteral("org.freedesktop.appearance");
const auto kGnome = QStringLiteral("org.gnome.desktop.interface");
const auto kScheme = QStringLiteral("color-scheme");
const auto kMotion = QStringLiteral("reduced-motion");
const auto kAnimations = QStringLiteral("enable-animations");

enum class Motion { Unknown, Full, Reduced };

Motion motionOf(const DesktopLook& look)
{
    if (!look.reducedMotion()) {
        return Motion::Unknown;
    }
    return *look.reducedMotion() ? Motion::Reduced : Motion::Full;
}

/// A socket that takes connections and never says a word.
class SilentServer
{
public:
    explicit SilentServer(const QByteArray& path)
        : m_socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address {};
        address.sun_family = AF_UNIX;
        qstrncpy(address.sun_path, path.constData(), sizeof address.sun_path);
        m_isListening =
            ::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
            && ::listen(m_socket, 4) == 0;
    }
    ~SilentServer() { ::close(m_socket); }
    Q_DISABLE_COPY_MOVE(SilentServer)

    [[nodiscard]] bool isListening() const { return m_isListening; }

private:
    int m_socket;
    bool m_isListening = false;
};

} // namespace

class TestDesktopLook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_bus.start()) {
            QSKIP("There is no dbus-daemon: install the package dbus-daemon to run this test.");
        }
    }

    void reads_data()
    {
        QTest::addColumn<QVariant>("scheme");
        QTest::addColumn<QVariant>("motion");
        QTest::addColumn<QVariant>("animations");
        QTest::addColumn<Scheme>("expectedScheme");
        QTest::addColumn<int>("expectedMotion");
        const auto row = [](const char* name, const QVariant& scheme, const QVariant& motion,
                            const QVariant& animations, Scheme expectedScheme,
                            Motion expectedMotion) {
            QTest::newRow(name) << scheme << motion << animations << expectedScheme
                                << int(expectedMotion);
        };
        const QVariant none;
        row("dark", 1U, none, none, Scheme::Dark, Motion::Unknown);
        row("light", 2U, none, true, Scheme::Light, Motion::Full);
        row("no preference", 0U, none, false, Scheme::Unknown, Motion::Reduced);
        row("reduced motion", 1U, 1U, true, Scheme::Dark, Motion::Reduced);
        row("no preference in motion", 1U, 0U, true, Scheme::Dark, Motion::Full);
        row("no preference, but no animations", 1U, 0U, false, Scheme::Dark, Motion::Reduced);
        row("unheard of", 77U, 9U, none, Scheme::Unknown, Motion::Full);
        row("other types", QStringLiteral("1"), QVariantList { 1U }, false, Scheme::Unknown,
            Motion::Reduced);
        row("animations as a number", 1U, none, 0U, Scheme::Dark, Motion::Unknown);
        row("wrapped once more", QVariant::fromValue(QDBusVariant(1U)), none, none, Scheme::Dark,
            Motion::Unknown);
    }

    void reads()
    {
        QFETCH(QVariant, scheme);
        QFETCH(QVariant, motion);
        QFETCH(QVariant, animations);
        QFETCH(Scheme, expectedScheme);
        QFETCH(int, expectedMotion);
        tests::FakePortal portal(m_bus.address(), kService);
        QVERIFY(portal.isThere());
        const auto set = [&portal](const QString& space, const QString& key,
                                   const QVariant& value) {
            if (value.isValid()) {
                portal.set(space, key, value);
            }
        };
        set(kAppearance, kScheme, scheme);
        set(kAppearance, kMotion, motion);
        set(kGnome, kAnimations, animations);
        portal.set(kAppearance, QStringLiteral("contrast"), 1U); // nothing to us
        DesktopLook look(m_bus.address(), kService);
        QSignalSpy changed(&look, &DesktopLook::changed);
        QCOMPARE(look.scheme(), Scheme::Unknown); // nothing waits
        QVERIFY(!look.reducedMotion());
        QTRY_COMPARE(changed.size(), 1);
        QCOMPARE(look.scheme(), expectedScheme);
        QCOMPARE(int(motionOf(look)), expectedMotion);
    }

    void follows()
    {
        tests::FakePortal portal(m_bus.address(), kService);
        portal.set(kAppearance, kScheme, 2U);
        DesktopLook look(m_bus.address(), kService);
        QSignalSpy changed(&look, &DesktopLook::changed);
        QTRY_COMPARE(look.scheme(), Scheme::Light);
        portal.change(kAppearance, kScheme, 1U);
        QTRY_COMPARE(look.scheme(), Scheme::Dark);
        portal.change(kGnome, kAnimations, false);
        QTRY_COMPARE(motionOf(look), Motion::Reduced);
        QCOMPARE(look.scheme(), Scheme::Dark);
        portal.change(kGnome, kAnimations, true);
        QTRY_COMPARE(motionOf(look), Motion::Full);
        QCOMPARE(changed.size(), 4);
        // What is not ours, or no news, or no sense, changes nothing.
        portal.change(kGnome, QStringLiteral("font-name"), QStringLiteral("Sans"));
        portal.change(kAppearance, kScheme, 1U);
        portal.change(kAppearance, kScheme, QVariant::fromValue(QDBusVariant(2U)));
        QTRY_COMPARE(look.scheme(), Scheme::Light);
        QCOMPARE(changed.size(), 5);
        portal.change(kAppearance, kScheme, QStringLiteral("dark"));
        QTRY_COMPARE(look.scheme(), Scheme::Unknown);
    }

    void withoutPortal()
    {
        DesktopLook look(m_bus.address(), QStringLiteral("org.vitrine.test.Nobody"));
        QSignalSpy changed(&look, &DesktopLook::changed);
        QTest::qWait(200);
        QCOMPARE(changed.size(), 0);
        QCOMPARE(look.scheme(), Scheme::Unknown);
        QCOMPARE(motionOf(look), Motion::Unknown);
    }

    // One that comes late, goes (what it said stays), and comes again with other settings.
    void portalComesAndGoes()
    {
        const auto service = QStringLiteral("org.vitrine.test.Late");
        DesktopLook look(m_bus.address(), service);
        QTest::qWait(50);
        auto portal = std::make_unique<tests::FakePortal>(m_bus.address(), service);
        QVERIFY(portal->isThere());
        portal->change(kAppearance, kScheme, 1U);
        QTRY_COMPARE(look.scheme(), Scheme::Dark);
        portal.reset();
        QTest::qWait(50);
        QCOMPARE(look.scheme(), Scheme::Dark);
        portal = std::make_unique<tests::FakePortal>(m_bus.address(), service);
        portal->set(kAppearance, kScheme, 2U);
        QTRY_COMPARE(look.scheme(), Scheme::Light);
        QVERIFY(portal->readCount() > 0);
    }

    void busGoesAway()
    {
        tests::PrivateBus bus;
        QVERIFY(bus.start());
        tests::FakePortal portal(bus.address(), kService);
        portal.set(kAppearance, kScheme, 1U);
        DesktopLook look(bus.address(), kService);
        QTRY_COMPARE(look.scheme(), Scheme::Dark);
        bus.stop();
        QTest::qWait(50);
        QCOMPARE(look.scheme(), Scheme::Dark);
    }

    void withoutBus()
    {
        DesktopLook nowhere(QStringLiteral("unix:path=/nowhere/at/all"), kService);
        DesktopLook nonsense(QStringLiteral("no address"), kService);
        const QByteArray address = qgetenv("DBUS_SESSION_BUS_ADDRESS");
        const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qputenv("XDG_RUNTIME_DIR", "/nowhere");
        DesktopLook none;
        address.isNull() ? qunsetenv("DBUS_SESSION_BUS_ADDRESS")
                         : qputenv("DBUS_SESSION_BUS_ADDRESS", address);
        runtime.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", runtime);
        QTest::qWait(100);
        QCOMPARE(nowhere.scheme(), Scheme::Unknown);
        QCOMPARE(nonsense.scheme(), Scheme::Unknown);
        QCOMPARE(none.scheme(), Scheme::Unknown);
    }

    // Neither making nor destroying one waits for a bus that does not answer.
    void silentBus()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bus"));
        QElapsedTimer clock;
        clock.start();
        {
            const SilentServer server(path.toLocal8Bit());
            QVERIFY(server.isListening());
            DesktopLook look(QStringLiteral("unix:path=") + path, kService);
            QTest::qWait(50);
            QCOMPARE(look.scheme(), Scheme::Unknown);
        }
        QVERIFY(clock.elapsed() < 5000);
        QTest::qWait(100); // the thread that was left to itself ends: the server is gone
    }

    void destroyedAtOnce()
    {
        tests::FakePortal portal(m_bus.address(), kService);
        portal.set(kAppearance, kScheme, 1U);
        for (int turn = 0; turn < 20; ++turn) {
            DesktopLook look(m_bus.address(), kService);
            QTest::qWait(turn % 4);
        }
        DesktopLook look(m_bus.address(), kService);
        QTRY_COMPARE(look.scheme(), Scheme::Dark);
    }

private:
    tests::PrivateBus m_bus;
};

QTEST_GUILESS_MAIN(TestDesktopLook)
#include "tst_desktop_look.moc"
