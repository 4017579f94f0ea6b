// Keeps the database of chats on a thread of its own: what is unwritten, what is tried again, what
// is replaced. SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_keeper.h"

#include "app/services/chat_problems.h"

#include <QFileInfo>

#include <array>
#include <utility>

namespace app {

namespace {

using Kind = ChatFailure::Kind;

// A disk that damages everything is not filled with copies.
constexpr int kMaxReplacements = 3;
constexpr int kMaxAttempts = 3;

// The second one while the first is not ours: of a later version, of another program, no file.
constexpr std::array kNames { "/chats.db", "/chats-v1.db" };

bool isNotOurs(Kind kind)
{
    return kind == Kind::Newer || kind == Kind::Foreign || kind == Kind::NotAFile;
}

/// What a link leads to, so that its companions are found and a new file is begun there.
QString resolved(const QString& path)
{
    const QString target = QFileInfo(path).canonicalFilePath();
    return target.isEmpty() ? path : target;
}

} // namespace

ChatKeeper::ChatKeeper(const QString& directory, ChatReports reports)
    : m_directory(directory)
    , m_reports(std::move(reports))
    , m_path(usualPath(directory))
{
}

QString ChatKeeper::usualPath(const QString& directory)
{
    return directory + QLatin1String(kNames.front());
}

/// Calls again after whatever could be mended.
template <typename Call>
auto ChatKeeper::attempt(Call call) -> decltype(call())
{
    auto result = call();
    for (int i = 1; i < kMaxAttempts && !result && mend(result.error()); ++i) {
        result = call();
    }
    return result;
}

bool ChatKeeper::mend(const ChatFailure& failure)
{
    if (failure.kind == Kind::DamagedSearch && !m_searchRepaired) {
        const auto repaired = m_database.repairSearch();
        m_searchRepaired = repaired || repaired.error().kind == Kind::Damaged
            || repaired.error().kind == Kind::DamagedSearch;
        if (!m_searchRepaired) {
            fail(repaired.error()); // full or locked, not worse
            return false;
        }
        if (repaired) {
            return true;
        }
    }
    if (failure.kind != Kind::Damaged && failure.kind != Kind::DamagedSearch) {
        return false;
    }
    // Moved while it is open, so that closing it leaves its log as it is. Where another copy was
    // faster, what lies there now is not what is damaged.
    if (m_database.isInPlace() && !moveAside(m_path)) {
        return false;
    }
    m_database.close();
    return open();
}

bool ChatKeeper::moveAside(const QString& path)
{
    if (m_replacements >= kMaxReplacements) {
        return false;
    }
    const auto aside = moveDamagedAside(path);
    if (!aside) {
        fail(aside.error());
        return false;
    }
    ++m_replacements;
    m_reports.replaced(damagedProblem(path, *aside));
    return true;
}

ChatResult<QList<ChatSummary>> ChatKeeper::openAt(const QString& path)
{
    ChatResult<QList<ChatSummary>> chats = tl::unexpected(ChatFailure {});
    for (int i = 0; i < 2; ++i) {
        const auto opened = m_database.open(path);
        chats = opened ? m_database.list() : tl::unexpected(opened.error());
        if (chats || chats.error().kind != Kind::Damaged || !moveAside(path)) {
            break;
        }
        m_database.close();
    }
    return chats;
}

bool ChatKeeper::open()
{
    ChatFailure last;
    for (const char* name : kNames) {
        const QString path = m_directory + QLatin1String(name);
        m_path = resolved(path);
        auto chats = openAt(m_path);
        if (chats) {
            m_wasOpen = true;
            reportOpened(std::move(*chats));
            purgeWhenAlone();
            return m_database.isOpen();
        }
        last = chats.error();
        if (!isNotOurs(last.kind)) {
            break;
        }
        if (!m_said.contains(path)) {
            m_said.insert(path);
            m_reports.replaced(
                insteadProblem(last, path, m_directory + QLatin1String(kNames.back())));
        }
    }
    if (last.kind == Kind::NotWritable) {
        readOnly();
    }
    fail(last);
    if (!m_reportedOpen) {
        reportOpened({});
    }
    return false;
}

/// What is there can be read even so.
void ChatKeeper::readOnly()
{
    if (m_database.isOpen() || !QFileInfo(m_path).isReadable()
        || !m_database.openForReading(m_path)) {
        return;
    }
    if (auto chats = m_database.list()) {
        m_wasOpen = true;
        reportOpened(std::move(*chats));
    }
}

bool ChatKeeper::ensureOpen()
{
    if (m_database.isWritable()) {
        if (m_database.isInPlace()) {
            return true;
        }
        m_database.close(); // moved or deleted under us: what is written there is lost
    }
    return open();
}

void ChatKeeper::reportOpened(QList<ChatSummary> chats)
{
    m_reportedOpen = true;
    m_pending.applyTo(chats);
    m_reports.opened(m_path, chats);
}

void ChatKeeper::purgeWhenAlone()
{
    if (m_presence.enterAlone(m_directory)) {
        // Whatever hinders it: the next start comes. Damage is found again by what needs the rows.
        (void)m_database.purge();
        m_presence.stay();
    }
}

void ChatKeeper::absorb()
{
    ChatWrites arrived;
    {
        const std::lock_guard lock(m_inboxMutex);
        std::swap(arrived, m_inbox);
    }
    if (arrived.isEmpty()) {
        return;
    }
    for (const MessageRecord& message : arrived.messages()) {
        if (message.whole) {
            m_streaming.remove(message.id);
        } else {
            m_streaming.insert(message.id);
        }
    }
    m_pending.add(arrived);
}

bool ChatKeeper::write()
{
    absorb();
    if (m_pending.isEmpty() && m_database.isWritable()) {
        return true;
    }
    if (!ensureOpen()) {
        return m_pending.isEmpty();
    }
    if (m_pending.isEmpty()) {
        return true;
    }
    const auto written = attempt([this] { return m_database.write(m_pending); });
    if (!written) {
        fail(written.error());
        return false;
    }
    m_pending = {};
    return true;
}

void ChatKeeper::start()
{
    absorb();
    open();
    settle();
}

void ChatKeeper::writeDue()
{
    if (m_problem.isEmpty()) {
        write();
    } else {
        absorb();
    }
    settle();
}

bool ChatKeeper::writeNow()
{
    const bool all = write();
    settle();
    return all;
}

void ChatKeeper::retry()
{
    if (write()) {
        const auto waiting = std::exchange(m_waiting, {});
        for (const ChatId id : waiting) {
            if (!tryLoad(id)) {
                m_waiting.append(id);
            }
        }
    }
    settle();
}

void ChatKeeper::load(ChatId id)
{
    writeDue();
    if (!tryLoad(id) && !m_waiting.contains(id)) {
        m_waiting.append(id);
    }
    settle();
}

/// False where it has to wait.
bool ChatKeeper::tryLoad(ChatId id)
{
    StoredChat stored;
    stored.chat.id = id;
    bool known = m_pending.chats().contains(id);
    if (m_database.isOpen()) {
        auto read = attempt([this, id] { return m_database.load(id); });
        if (!read) {
            fail(read.error());
            return false;
        }
        if (*read) {
            stored = std::move(**read);
            known = true;
        }
    } else if (m_wasOpen || !known) {
        return false; // its other part may be on the disk
    }
    m_pending.applyTo(stored.chat, stored.messages);
    if (!known || stored.chat.deleted) {
        m_reports.missing(id);
        return true;
    }
    leaveOutDeleted(stored.chat, stored.messages);
    endCutShort(stored.messages);
    m_reports.loaded(stored.chat, stored.messages);
    return true;
}

void ChatKeeper::endCutShort(QList<MessageRecord>& messages) const
{
    for (MessageRecord& message : messages) {
        if (message.whole || m_streaming.contains(message.id)) {
            continue;
        }
        message.whole = true;
        if (!message.outcome) {
            message.outcome.emplace().finish = Outcome::Finish::Cancelled;
        }
    }
}

void ChatKeeper::search(quint64 number, const QString& text)
{
    writeDue();
    const auto isStale = [this, number] { return m_latestSearch != number; };
    if (isStale()) {
        return;
    }
    const auto hits = attempt([&] { return m_database.search(text, m_pending, isStale); });
    if (!hits) {
        fail(hits.error());
        m_reports.found(number, text, {});
    } else if (*hits) {
        m_reports.found(number, text, **hits);
    }
    settle();
}

void ChatKeeper::close()
{
    m_database.close();
}

void ChatKeeper::fail(const ChatFailure& failure)
{
    // As long as damaged files are replaced, what hindered that has been told.
    const bool damaged = failure.kind == Kind::Damaged || failure.kind == Kind::DamagedSearch;
    if (damaged && m_replacements < kMaxReplacements) {
        return;
    }
    const ErrorMessage problem = unwrittenProblem(failure, m_path);
    if (m_problem != problem.code) {
        m_problem = problem.code;
        m_reports.unwritten(problem);
    }
}

void ChatKeeper::settle()
{
    if (!m_database.isWritable() || !m_pending.isEmpty() || !m_waiting.isEmpty()) {
        m_reports.unsettled();
    } else if (!m_problem.isEmpty()) {
        m_problem.clear();
        m_reports.solved();
    }
}

} // namespace app
