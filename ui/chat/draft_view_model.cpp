// What is written and not sent yet.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/draft_view_model.h"

#include "ui/chat/answer_figures.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <limits>

namespace {

const auto kTextKey = QStringLiteral("draft");
const auto kAttachmentKey = QStringLiteral("attachment ");

} // namespace

DraftViewModel::DraftViewModel(app::ChatBook& book, app::TokenCounter& counter, QObject* parent)
    : QObject(parent)
    , m_book(book)
    , m_counter(counter)
{
    connect(&counter, &app::TokenCounter::counted, this, &DraftViewModel::onCounted);
    connect(&counter, &app::TokenCounter::modelChanged, this, &DraftViewModel::count);
    connect(&m_reader, &app::AttachmentReader::ready, this, &DraftViewModel::attach);
    connect(&m_reader, &app::AttachmentReader::refused, this,
            [this](const app::ErrorMessage& error) { setNotice(Notice(error)); });
}

bool DraftViewModel::isEmpty() const
{
    return draft().attachments.isEmpty() && text().trimmed().isEmpty();
}

void DraftViewModel::set(const app::Draft& next)
{
    const app::Draft before = draft();
    const bool wasEmpty = isEmpty();
    m_book.current().setDraft(next);
    if (before.text != next.text) {
        m_counter.count(kTextKey, next.text);
        Q_EMIT textChanged();
    }
    if (before.attachments != next.attachments) {
        Q_EMIT attachmentsChanged();
        Q_EMIT tokensChanged();
    }
    if (wasEmpty != isEmpty()) {
        Q_EMIT emptyChanged();
    }
}

void DraftViewModel::setText(const QString& text)
{
    if (text != draft().text) {
        app::Draft next = draft();
        next.text = text;
        set(next);
    }
}

QStringList DraftViewModel::attachments() const
{
    QStringList said;
    for (const app::Attachment& attachment : draft().attachments) {
        said << attachmentText(attachment);
    }
    return said;
}

int DraftViewModel::tokens() const
{
    qint64 sum = m_textTokens;
    for (const app::Attachment& attachment : draft().attachments) {
        if (attachment.tokens < 0 || sum < 0) {
            return -1;
        }
        sum += attachment.tokens;
    }
    return static_cast<int>(std::min<qint64>(sum, std::numeric_limits<int>::max()));
}

void DraftViewModel::attachFiles(const QList<QUrl>& files)
{
    QStringList paths;
    for (const QUrl& file : files) {
        paths << (file.isLocalFile() ? file.toLocalFile() : file.toString());
    }
    setNotice({});
    m_reader.read(paths);
}

void DraftViewModel::attachText(const QString& name, const QString& text)
{
    attach({ name, text, -1 });
}

void DraftViewModel::attach(const app::Attachment& attachment)
{
    app::Draft next = draft();
    next.attachments.append(attachment);
    set(next);
    m_counter.count(kAttachmentKey + QString::number(next.attachments.size() - 1), attachment.text);
}

void DraftViewModel::removeAttachment(int index)
{
    app::Draft next = draft();
    if (index >= 0 && index < next.attachments.size()) {
        next.attachments.removeAt(index);
        set(next);
        count(); // places have moved: counts on their way may be for another one
    }
}

bool DraftViewModel::pasteLongText()
{
    const QString text = QGuiApplication::clipboard()->text();
    if (text.size() <= kLongestPaste) {
        return false;
    }
    attachText(tr("Pasted text"), text);
    return true;
}

void DraftViewModel::reload()
{
    m_textTokens = draft().text.isEmpty() ? 0 : -1;
    setNotice({});
    Q_EMIT textChanged();
    Q_EMIT attachmentsChanged();
    Q_EMIT emptyChanged();
    Q_EMIT tokensChanged();
    count();
}

void DraftViewModel::count()
{
    m_counter.count(kTextKey, draft().text);
    for (qsizetype at = 0; at < draft().attachments.size(); ++at) {
        m_counter.count(kAttachmentKey + QString::number(at), draft().attachments.at(at).text);
    }
}

void DraftViewModel::onCounted(const QString& key, qint64 tokens)
{
    if (key == kTextKey) {
        if (m_textTokens != tokens) {
            m_textTokens = tokens;
            Q_EMIT tokensChanged();
        }
        return;
    }
    const int at = key.startsWith(kAttachmentKey) ? key.mid(kAttachmentKey.size()).toInt() : -1;
    if (at >= 0 && at < draft().attachments.size() && draft().attachments.at(at).tokens != tokens) {
        app::Draft next = draft();
        next.attachments[at].tokens = tokens;
        set(next);
    }
}

void DraftViewModel::setNotice(const Notice& notice)
{
    if (notice != m_notice) {
        m_notice = notice;
        Q_EMIT noticeChanged();
    }
}
