#include "app/services/token_counter.h"

#include "app/services/mailbox.h"
#include "app/services/task_thread.h"

#include <QHash>

#include <atomic>
#include <exception>

namespace app {

struct TokenCounter::Impl
{
    const InferenceService& service;
    /// The latest request of each key; an older one finds another number there and is not counted.
    QHash<QString, std::shared_ptr<std::atomic<quint64>>> latest;
    Mailbox mailbox;
    TaskThread thread { "vitrine-count", TaskPriority::Normal }; // last: joined first
};

TokenCounter::TokenCounter(const InferenceService& service, QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>(service))
{
    connect(&service, &InferenceService::loaded, this, &TokenCounter::modelChanged);
    connect(&service, &InferenceService::unloaded, this, &TokenCounter::modelChanged);
}

TokenCounter::~TokenCounter() = default;

void TokenCounter::count(const QString& key, const QString& text)
{
    auto& latest = m_impl->latest[key];
    if (!latest) {
        latest = std::make_shared<std::atomic<quint64>>(0);
    }
    const quint64 number = ++*latest;
    const CountTokens& counter = m_impl->service.tokenCounter();
    if (text.isEmpty() || !counter) {
        Q_EMIT counted(key, counter ? 0 : -1);
        return;
    }
    m_impl->thread.post(
        [this, key, text, number, latest, counter, sender = m_impl->mailbox.sender()] {
            if (*latest != number) {
                return; // another text is there already
            }
            qint64 tokens = -1;
            try {
                tokens = static_cast<qint64>(counter(text.toStdString()));
            } catch (const std::exception&) {
                // Memory ran out over a huge text: it is not counted, and nothing else is lost.
            }
            sender.post([this, key, number, latest, tokens] {
                if (*latest == number) {
                    Q_EMIT counted(key, tokens);
                }
            });
        });
}

} // namespace app
