#include "app/services/token_counter.h"

#include "app/services/mailbox.h"
#include "app/services/task_thread.h"

#include <QHash>

#include <atomic>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace app {

namespace {

// A longer text is counted in pieces, so that a short one that comes later doesn't wait for it.
constexpr std::size_t kPiece = 256 * 1024;
// How far before the end of a piece a good place for a cut is looked for.
constexpr std::size_t kCutSearch = 4096;

bool isSpace(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

// Where the piece that begins `text` ends: before a word at the begin of a line, else before a
// space; tokens hardly ever reach over those.
std::size_t pieceLength(std::string_view text)
{
    if (text.size() <= kPiece) {
        return text.size();
    }
    std::size_t space = 0;
    for (std::size_t at = kPiece; at > kPiece - kCutSearch; --at) {
        if (text[at - 1] == '\n' && !isSpace(text[at])) {
            return at;
        }
        if (space == 0 && isSpace(text[at]) && !isSpace(text[at - 1])) {
            space = at;
        }
    }
    std::size_t end = space > 0 ? space : kPiece;
    while (end > 1 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end; // not inside a character
    }
    return end;
}

} // namespace

struct TokenCounter::Impl
{
    /// One text on its way through the thread.
    struct Count
    {
        QString key;
        QString text;
        quint64 number;
        std::shared_ptr<std::atomic<quint64>> latest;
        CountTokens counter;
        std::string bytes {};
        std::size_t done = 0; ///< bytes
        qint64 tokens = 0;

        [[nodiscard]] bool outdated() const { return *latest != number; }
    };

    Impl(TokenCounter* counter, const InferenceService& inference)
        : owner(counter)
        , service(inference)
    {
    }

    TokenCounter* owner;
    const InferenceService& service;
    /// The latest request of each key; an older one finds another number there and is not counted.
    QHash<QString, std::shared_ptr<std::atomic<quint64>>> latest;
    Mailbox mailbox;
    TaskThread thread { "vitrine-count", TaskPriority::Normal }; // last: joined first

    void post(std::shared_ptr<Count> count)
    {
        thread.post(
            [this, count = std::move(count), sender = mailbox.sender()] { step(count, sender); });
    }

    /// On the thread: counts one piece; the rest queues up behind what came meanwhile.
    void step(const std::shared_ptr<Count>& count, const Mailbox::Sender& sender)
    {
        if (count->outdated()) {
            return; // another text is there already
        }
        try {
            if (count->done == 0) {
                count->bytes = count->text.toStdString();
            }
            const std::string_view rest = std::string_view(count->bytes).substr(count->done);
            const std::size_t length = pieceLength(rest);
            count->tokens += static_cast<qint64>(count->counter(rest.substr(0, length)));
            count->done += length;
        } catch (const std::exception&) {
            // Memory ran out over a huge text: it is not counted, and nothing else is lost.
            count->tokens = -1;
            count->done = count->bytes.size();
        }
        if (count->done < count->bytes.size()) {
            post(count);
            return;
        }
        sender.post([owner = owner, key = count->key, tokens = count->tokens,
                     number = count->number, latest = count->latest] {
            if (*latest == number) {
                Q_EMIT owner->counted(key, tokens);
            }
        });
    }
};

TokenCounter::TokenCounter(const InferenceService& service, QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>(this, service))
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
    m_impl->post(std::make_shared<Impl::Count>(Impl::Count { key, text, number, latest, counter }));
}

} // namespace app
