// What the desktop says of its look: the portal's side of it, on a thread of its own.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/desktop_look.h"

#include "app/services/mailbox.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QDBusVariant>
#include <QFileInfo>
#include <QThread>
#include <QVariantMap>

#include <atomic>
#include <functional>

namespace app {

namespace {

const auto kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const auto kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const auto kInterface = QStringLiteral("org.freedesktop.portal.Settings");

const auto kAppearance = QStringLiteral("org.freedesktop.appearance");
const auto kColorScheme = QStringLiteral("color-scheme");
const auto kReducedMotion = QStringLiteral("reduced-motion");
const auto kGnomeInterface = QStringLiteral("org.gnome.desktop.interface");
const auto kEnableAnimations = QStringLiteral("enable-animations");

constexpr int kAnswerTimeout = 10'000; // ms: the portal may have to be started first
// At the end of the program. A bus that does not answer holds the thread longer than that; then it
// is left to itself.
constexpr int kLongestWait = 300; // ms

/// Without one Qt would start a bus of its own.
bool hasSessionBus()
{
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")
        || QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

/// Portals wrap values once or twice.
QVariant unwrapped(QVariant value)
{
    for (int depth = 0; depth < 4 && value.userType() == qMetaTypeId<QDBusVariant>(); ++depth) {
        value = value.value<QDBusVariant>().variant();
    }
    return value;
}

/// An unsigned number, as the specification wants it; empty for anything else.
std::optional<uint> numberIn(const QVariant& value)
{
    const bool isNumber = value.typeId() == QMetaType::UInt || value.typeId() == QMetaType::Int;
    return isNumber ? std::optional(value.toUInt()) : std::nullopt;
}

/// The portal's answers and what they come to.
class Answers
{
public:
    void take(const QString& space, const QString& key, const QVariant& value)
    {
        if (space == kAppearance && key == kColorScheme) {
            m_scheme = numberIn(value);
        } else if (space == kAppearance && key == kReducedMotion) {
            m_reducedMotion = numberIn(value);
        } else if (space == kGnomeInterface && key == kEnableAnimations) {
            m_animations =
                value.typeId() == QMetaType::Bool ? std::optional(value.toBool()) : std::nullopt;
        }
    }

    [[nodiscard]] DesktopLook::Wishes wishes() const
    {
        DesktopLook::Wishes wishes;
        if (m_scheme == 1U) {
            wishes.scheme = DesktopLook::Scheme::Dark;
        } else if (m_scheme == 2U) {
            wishes.scheme = DesktopLook::Scheme::Light;
        }
        if (m_reducedMotion || m_animations) {
            wishes.reducedMotion = m_reducedMotion == 1U || m_animations == false;
        }
        return wishes;
    }

private:
    std::optional<uint> m_scheme;
    std::optional<uint> m_reducedMotion;
    std::optional<bool> m_animations;
};

/// Talks to the portal. Lives on the thread that may wait.
class PortalReader : public QObject
{
    Q_OBJECT

public:
    PortalReader(QString address, QString service,
                 std::function<void(const DesktopLook::Wishes&)> report)
        : m_address(std::move(address))
        , m_service(std::move(service))
        , m_report(std::move(report))
    {
        static std::atomic<int> count { 0 };
        m_name = QStringLiteral("vitrine-desktop-look-%1").arg(++count);
    }

    ~PortalReader() override { QDBusConnection::disconnectFromBus(m_name); }

    void start()
    {
        QDBusConnection bus = m_address.isEmpty()
            ? QDBusConnection::connectToBus(QDBusConnection::SessionBus, m_name)
            : QDBusConnection::connectToBus(m_address, m_name);
        if (!bus.isConnected()) {
            return;
        }
        qRegisterMetaType<QDBusVariant>(); // the slot is looked up by the names of its types
        bus.connect(m_service, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                    SLOT(takeChange(QString, QString, QDBusVariant)));
        auto* watcher = new QDBusServiceWatcher(m_service, bus,
                                                QDBusServiceWatcher::WatchForRegistration, this);
        connect(watcher, &QDBusServiceWatcher::serviceRegistered, this, &PortalReader::readAll);
        readAll();
    }

private Q_SLOTS:
    void takeChange(const QString& space, const QString& key, const QDBusVariant& value)
    {
        m_answers.take(space, key, unwrapped(value.variant()));
        m_report(m_answers.wishes());
    }

private:
    void readAll()
    {
        QDBusMessage call =
            QDBusMessage::createMethodCall(m_service, kPath, kInterface, QStringLiteral("ReadAll"));
        call << QStringList { kAppearance, kGnomeInterface };
        auto* watcher = new QDBusPendingCallWatcher(
            QDBusConnection(m_name).asyncCall(call, kAnswerTimeout), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
            watcher->deleteLater();
            takeAll(watcher->reply());
        });
    }

    void takeAll(const QDBusMessage& answer)
    {
        if (answer.type() != QDBusMessage::ReplyMessage
            || answer.signature() != QLatin1String("a{sa{sv}}")) {
            return; // no portal, or one that speaks otherwise
        }
        QMap<QString, QVariantMap> spaces;
        answer.arguments().constFirst().value<QDBusArgument>() >> spaces;
        m_answers = {};
        for (auto space = spaces.cbegin(); space != spaces.cend(); ++space) {
            for (auto entry = space->cbegin(); entry != space->cend(); ++entry) {
                m_answers.take(space.key(), entry.key(), unwrapped(entry.value()));
            }
        }
        m_report(m_answers.wishes());
    }

    const QString m_address;
    const QString m_service;
    const std::function<void(const DesktopLook::Wishes&)> m_report;
    QString m_name; // of the connection
    Answers m_answers;
};

} // namespace

DesktopLook::DesktopLook(QObject* parent)
    : DesktopLook(QString(), kPortal, parent)
{
}

DesktopLook::DesktopLook(const QString& busAddress, const QString& service, QObject* parent)
    : QObject(parent)
{
    if (busAddress.isEmpty() && !hasSessionBus()) {
        return;
    }
    m_mailbox = new Mailbox(this);
    const auto report = [this, sender = m_mailbox->sender()](const Wishes& wishes) {
        sender.post([this, wishes] { take(wishes); });
    };
    m_thread = new QThread;
    m_thread->setObjectName(QStringLiteral("desktop-look"));
    auto* reader = new PortalReader(busAddress, service, report);
    reader->moveToThread(m_thread);
    connect(m_thread, &QThread::started, reader, &PortalReader::start);
    connect(m_thread, &QThread::finished, reader, &QObject::deleteLater);
    m_thread->start(QThread::LowPriority);
}

DesktopLook::~DesktopLook()
{
    delete m_mailbox; // what is on its way is dropped
    if (m_thread == nullptr) {
        return;
    }
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->quit();
    if (m_thread->wait(kLongestWait)) {
        delete m_thread;
    }
}

void DesktopLook::take(const Wishes& wishes)
{
    if (wishes != m_wishes) {
        m_wishes = wishes;
        Q_EMIT changed();
    }
}

} // namespace app

#include "desktop_look.moc"
