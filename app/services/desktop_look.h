// What the desktop says of its look: light or dark, and whether things may move.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

#include <optional>

class QThread;

namespace app {

class Mailbox;

/// Asks the desktop's portal (org.freedesktop.portal.Settings) and follows what it says. Lives on
/// the GUI thread and never waits: a thread of its own talks to the bus, and everything is unknown
/// until it got an answer, for good where there is no bus or no portal.
class DesktopLook : public QObject
{
    Q_OBJECT

public:
    enum class Scheme { Unknown, Light, Dark };
    Q_ENUM(Scheme)

    /// Begins to ask at once, on the session's bus.
    explicit DesktopLook(QObject* parent = nullptr);
    /// The same for another portal, for tests. An empty address: the session's bus.
    DesktopLook(const QString& busAddress, const QString& service, QObject* parent = nullptr);
    ~DesktopLook() override;

    [[nodiscard]] Scheme scheme() const { return m_wishes.scheme; }
    /// True: the user wants no animations. Empty: the desktop does not say.
    [[nodiscard]] std::optional<bool> reducedMotion() const { return m_wishes.reducedMotion; }

    /// What the user wishes, in one piece.
    struct Wishes
    {
        Scheme scheme = Scheme::Unknown;
        std::optional<bool> reducedMotion;

        friend bool operator==(const Wishes&, const Wishes&) = default;
    };

Q_SIGNALS:
    /// At least one of the two changed.
    void changed();

private:
    void take(const Wishes& wishes);

    Wishes m_wishes;
    Mailbox* m_mailbox = nullptr;
    QThread* m_thread = nullptr; // null where there is no bus
};

} // namespace app
