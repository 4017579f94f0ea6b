// A bus of the tests' own, and on it a portal that says of the desktop's look what a test wants.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDBusVariant>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QVariantMap>

namespace tests {

using PortalValues = QMap<QString, QVariantMap>;

/// A dbus-daemon, as long as the object lives.
class PrivateBus
{
public:
    PrivateBus() = default;
    Q_DISABLE_COPY_MOVE(PrivateBus)
    ~PrivateBus();

    /// False where there is no dbus-daemon.
    bool start();
    void stop();
    [[nodiscard]] QString address() const { return m_address; }

private:
    int m_daemon = 0; // its process; 0: none
    QString m_address;
};

/// org.freedesktop.portal.Settings on that bus, under any name.
class FakePortal : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    FakePortal(const QString& busAddress, const QString& service);
    ~FakePortal() override;

    [[nodiscard]] bool isThere() const { return m_isThere; }
    /// What ReadAll says from now on; nobody is told.
    void set(const QString& space, const QString& key, const QVariant& value);
    /// The same, and everybody is told.
    void change(const QString& space, const QString& key, const QVariant& value);
    [[nodiscard]] int readCount() const { return m_readCount; }

public Q_SLOTS:
    tests::PortalValues ReadAll(const QStringList& spaces);

Q_SIGNALS:
    void SettingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    QString m_service;
    QString m_name; // of the connection
    PortalValues m_values;
    int m_readCount = 0;
    bool m_isThere = false;
};

} // namespace tests

Q_DECLARE_METATYPE(tests::PortalValues)
