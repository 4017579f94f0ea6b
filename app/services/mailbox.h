// Functions from other threads, run in order on the thread that owns the mailbox.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>
#include <memory>

namespace app {

/// Lives on the thread that runs the functions (the GUI thread). What it gets passes under one lock
/// of its own, so the functions may carry any data.
class Mailbox : public QObject
{
    Q_OBJECT

    struct Shared;

public:
    /// The posting end: copyable, usable from every thread, may outlive the mailbox (functions are
    /// dropped then).
    class Sender
    {
    public:
        /// Never waits for the other thread.
        void post(std::function<void()> function) const;

    private:
        friend class Mailbox;
        explicit Sender(std::shared_ptr<Shared> shared);
        std::shared_ptr<Shared> m_shared;
    };

    explicit Mailbox(QObject* parent = nullptr);
    /// Functions that did not run yet never will.
    ~Mailbox() override;

    [[nodiscard]] Sender sender() const;

private:
    void customEvent(QEvent* wakeUp) override;

    std::shared_ptr<Shared> m_shared;
};

} // namespace app
