#include "app/services/mailbox.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPointer>

#include <deque>
#include <mutex>
#include <utility>

namespace app {

namespace {

QEvent::Type wakeUpType()
{
    static const auto kType = static_cast<QEvent::Type>(QEvent::registerEventType());
    return kType;
}

} // namespace

struct Mailbox::Shared
{
    std::mutex mutex;
    std::deque<std::function<void()>> functions;
    QObject* receiver = nullptr; ///< null once the mailbox is gone
    bool woken = false;
};

Mailbox::Sender::Sender(std::shared_ptr<Shared> shared)
    : m_shared(std::move(shared))
{
}

void Mailbox::Sender::post(std::function<void()> function) const
{
    const std::lock_guard lock(m_shared->mutex);
    if (m_shared->receiver == nullptr) {
        return;
    }
    m_shared->functions.push_back(std::move(function));
    if (!std::exchange(m_shared->woken, true)) {
        // Under the lock: the receiver can't go away meanwhile.
        QCoreApplication::postEvent(m_shared->receiver, new QEvent(wakeUpType()));
    }
}

Mailbox::Mailbox(QObject* parent)
    : QObject(parent)
    , m_shared(std::make_shared<Shared>())
{
    m_shared->receiver = this;
}

Mailbox::~Mailbox()
{
    std::deque<std::function<void()>> dropped;
    const std::lock_guard lock(m_shared->mutex);
    m_shared->receiver = nullptr;
    dropped.swap(m_shared->functions);
}

Mailbox::Sender Mailbox::sender() const
{
    return Sender(m_shared);
}

void Mailbox::customEvent(QEvent* /*wakeUp*/)
{
    std::deque<std::function<void()>> functions;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->woken = false;
        functions.swap(m_shared->functions);
    }
    const QPointer<Mailbox> alive(this);
    while (!functions.empty() && alive) { // a function may destroy the mailbox
        const auto function = std::move(functions.front());
        functions.pop_front();
        function();
    }
}

} // namespace app
