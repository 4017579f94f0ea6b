// Gets the demo model: for those who have no model file yet.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"

#include <QObject>
#include <QString>

class QTimer;

namespace app {

class DemoFetch;

/// Fetches a small model into the user's models folder, through packaging/demo_model.sh (which uses
/// Python's package manager). Lives on the GUI thread, and never waits there.
class DemoModel : public QObject
{
    Q_OBJECT
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(double fraction READ fraction NOTIFY changed)
    Q_PROPERTY(quint64 received READ received NOTIFY changed)
    Q_PROPERTY(quint64 total READ total CONSTANT)

public:
    enum class State {
        Idle, ///< not asked for yet, or cancelled
        Fetching,
        Failed, ///< `failed` said why; fetch() tries again
        Done ///< it lies at path(), whole
    };
    Q_ENUM(State)

    /// `scriptFolder`: where demo_model.sh is, for tests; empty: as installed, else in the sources.
    /// The destructor ends a fetch that goes on.
    explicit DemoModel(const QString& scriptFolder = {}, QObject* parent = nullptr);

    /// Where it lies or will lie.
    [[nodiscard]] static QString path();
    /// A file is there; whether it is whole only fetch() says.
    [[nodiscard]] static bool isThere();

    [[nodiscard]] State state() const { return m_state; }
    /// From 0 to 1; -1 while nothing arrived yet (a file that is there is only checked).
    [[nodiscard]] double fraction() const;
    /// Bytes so far, at most total().
    [[nodiscard]] quint64 received() const { return m_received; }
    /// Bytes to load in all.
    [[nodiscard]] static quint64 total();

    /// Begins; nothing happens where one goes on already.
    void fetch();
    /// Ends it and removes what came of it so far; nothing is emitted but `changed`.
    void cancel();

Q_SIGNALS:
    /// The state or the progress.
    void changed();
    void fetched(const QString& path);
    void failed(const app::ErrorMessage& problem);

private:
    void poll();
    void finish(int status);
    /// Why a fetch failed, from the script's status and its last line.
    [[nodiscard]] static ErrorMessage problem(int status, const QString& words);
    void setState(State state);

    QString m_scriptFolder;
    State m_state = State::Idle;
    quint64 m_received = 0;
    QTimer* m_poll;
    DemoFetch* m_fetch =
        nullptr; // the one that goes on; a child, as are those that end by themselves
};

} // namespace app
