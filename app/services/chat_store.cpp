// Keeps conversations on disk as they happen: the side of the GUI thread.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_store.h"

#include "app/services/chat_keeper.h"
#include "app/services/mailbox.h"
#include "app/services/task_thread.h"

#include <QStandardPaths>
#include <QTimer>

#include <chrono>
#include <future>
#include <utility>

namespace app {

namespace {

constexpr int kEndTimeoutMs = 5000;

QString usualDirectory()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/vitrine");
}

} // namespace

struct ChatStore::Impl
{
    Impl(ChatStore& owner, const QString& directory, int retryIntervalMs)
        : store(owner)
        , path(ChatKeeper::usualPath(directory))
        , keeper(directory, reports())
    {
        writeSoon.setSingleShot(true);
        writeSoon.setInterval(kWriteIntervalMs);
        QObject::connect(&writeSoon, &QTimer::timeout, &store,
                         [this] { thread.post([this] { keeper.writeDue(); }); });
        retryLater.setSingleShot(true);
        retryLater.setInterval(retryIntervalMs);
        QObject::connect(&retryLater, &QTimer::timeout, &store,
                         [this] { thread.post([this] { keeper.retry(); }); });
    }

    ChatStore& store;
    QString path;
    std::optional<ErrorMessage> replaced; ///< another file is in use
    std::optional<ErrorMessage> unwritten;
    bool replacedIsLatest = false;
    quint64 searches = 0;
    QTimer writeSoon;
    QTimer retryLater;
    Mailbox mailbox;
    ChatKeeper keeper;
    TaskThread thread { "vitrine-chats", TaskPriority::Normal }; // last: joined first

    /// Makes what the keeper calls on its thread happen on this one.
    template <typename... Arguments>
    auto here(void (Impl::*report)(const Arguments&...))
    {
        return [this, report, sender = mailbox.sender()](const Arguments&... arguments) {
            sender.post([this, report, arguments...] { (this->*report)(arguments...); });
        };
    }

    ChatReports reports()
    {
        return { here(&Impl::onOpened), here(&Impl::onLoaded),   here(&Impl::onMissing),
                 here(&Impl::onFound),  here(&Impl::onReplaced), here(&Impl::onUnwritten),
                 here(&Impl::onSolved), here(&Impl::onUnsettled) };
    }

    void onOpened(const QString& file, const QList<ChatSummary>& chats)
    {
        path = file;
        Q_EMIT store.opened(chats);
    }

    void onLoaded(const ChatRecord& chat, const QList<MessageRecord>& messages)
    {
        Q_EMIT store.chatLoaded(chat, messages);
    }

    void onMissing(const ChatId& id) { Q_EMIT store.chatMissing(id); }

    void onFound(const quint64& number, const QString& text, const QList<ChatHit>& hits)
    {
        if (number == searches) {
            Q_EMIT store.found(text, hits);
        }
    }

    void onReplaced(const ErrorMessage& problem)
    {
        replaced = problem;
        replacedIsLatest = true;
        Q_EMIT store.problemFound(problem);
    }

    void onUnwritten(const ErrorMessage& problem)
    {
        unwritten = problem;
        replacedIsLatest = false;
        Q_EMIT store.problemFound(problem);
    }

    void onSolved()
    {
        unwritten.reset();
        Q_EMIT store.problemSolved();
    }

    void onUnsettled()
    {
        if (!retryLater.isActive()) {
            retryLater.start();
        }
    }

    template <typename Change>
    void put(Change change)
    {
        keeper.put(std::move(change));
        if (!writeSoon.isActive()) {
            writeSoon.start();
        }
    }

    /// Runs it behind all that was asked before; false where that takes too long.
    bool wait(std::function<bool()> task, int timeoutMs)
    {
        writeSoon.stop();
        auto promise = std::make_shared<std::promise<bool>>();
        auto done = promise->get_future();
        thread.post([promise, task = std::move(task)] { promise->set_value(task()); });
        return done.wait_for(std::chrono::milliseconds(timeoutMs)) == std::future_status::ready
            && done.get();
    }
};

ChatStore::ChatStore(const QString& directory, QObject* parent, int retryIntervalMs)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>(*this, directory.isEmpty() ? usualDirectory() : directory,
                                    retryIntervalMs))
{
    m_impl->thread.post([impl = m_impl.get()] { impl->keeper.start(); });
}

ChatStore::~ChatStore()
{
    // The connection belongs to the thread: it is closed there.
    m_impl->wait(
        [impl = m_impl.get()] {
            const bool all = impl->keeper.writeNow();
            impl->keeper.close();
            return all;
        },
        kEndTimeoutMs);
}

QString ChatStore::filePath() const
{
    return m_impl->path;
}

void ChatStore::loadChat(ChatId id)
{
    m_impl->thread.post([impl = m_impl.get(), id] { impl->keeper.load(id); });
}

void ChatStore::search(const QString& text)
{
    const quint64 number = ++m_impl->searches;
    m_impl->keeper.setLatestSearch(number);
    m_impl->thread.post([impl = m_impl.get(), number, text] { impl->keeper.search(number, text); });
}

void ChatStore::saveChat(const ChatRecord& chat)
{
    m_impl->put([&chat](ChatWrites& writes) { writes.saveChat(chat); });
}

void ChatStore::saveMessage(const MessageRecord& message)
{
    m_impl->put([&message](ChatWrites& writes) { writes.saveMessage(message); });
}

void ChatStore::setChatTitle(ChatId id, const QString& title)
{
    m_impl->put([id, &title](ChatWrites& writes) { writes.setChatTitle(id, title); });
}

void ChatStore::setChatDeleted(ChatId id, bool deleted)
{
    m_impl->put([id, deleted](ChatWrites& writes) { writes.setChatDeleted(id, deleted); });
}

void ChatStore::setMessagesDeleted(const QList<MessageId>& ids, bool deleted)
{
    m_impl->put([&ids, deleted](ChatWrites& writes) {
        for (const MessageId id : ids) {
            writes.setMessageDeleted(id, deleted);
        }
    });
}

bool ChatStore::flush(int timeoutMs)
{
    return m_impl->wait([impl = m_impl.get()] { return impl->keeper.writeNow(); }, timeoutMs);
}

const std::optional<ErrorMessage>& ChatStore::problem() const
{
    const bool showReplaced = m_impl->replacedIsLatest || !m_impl->unwritten;
    return showReplaced && m_impl->replaced ? m_impl->replaced : m_impl->unwritten;
}

} // namespace app
