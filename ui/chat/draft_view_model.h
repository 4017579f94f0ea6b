// What is written and not sent yet: the text, what goes with it, and how many tokens that is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/attachment_reader.h"
#include "app/services/chat_book.h"
#include "app/services/token_counter.h"
#include "ui/components/notice.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QStringList>
#include <QtCore/QUrl>
#include <QtQml/qqmlregistration.h>

/// The draft of the chat that is shown. Lives on the GUI thread; book and counter outlive it.
class DraftViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Owned by ChatViewModel")
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY textChanged)
    /// Name, size and tokens of each text that goes with it.
    Q_PROPERTY(QStringList attachments READ attachments NOTIFY attachmentsChanged)
    Q_PROPERTY(bool empty READ isEmpty NOTIFY emptyChanged)
    /// Of text and attachments; -1 while they are not counted.
    Q_PROPERTY(int tokens READ tokens NOTIFY tokensChanged)
    /// Why a file could not be attached.
    Q_PROPERTY(Notice notice READ notice NOTIFY noticeChanged)

public:
    /// A text pasted that is longer becomes an attachment: the message box stays quick, and the
    /// text foldable.
    static constexpr qsizetype kLongestPaste = 8'000;

    DraftViewModel(app::ChatBook& book, app::TokenCounter& counter, QObject* parent = nullptr);

    [[nodiscard]] const QString& text() const { return draft().text; }
    void setText(const QString& text);
    [[nodiscard]] QStringList attachments() const;
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] int tokens() const;
    [[nodiscard]] const Notice& notice() const { return m_notice; }

    Q_INVOKABLE void attachFiles(const QList<QUrl>& files);
    Q_INVOKABLE void attachText(const QString& name, const QString& text);
    Q_INVOKABLE void removeAttachment(int index);
    /// Attaches the clipboard's text when it is long; false when it is not.
    Q_INVOKABLE bool pasteLongText();
    Q_INVOKABLE void dismissNotice() { setNotice({}); }

    /// The draft is another one: chat changed, sent, or came back.
    void reload();

Q_SIGNALS:
    void textChanged();
    void attachmentsChanged();
    void emptyChanged();
    void tokensChanged();
    void noticeChanged();

private:
    [[nodiscard]] const app::Draft& draft() const { return m_book.current().record().draft; }
    void set(const app::Draft& draft);
    void attach(const app::Attachment& attachment);
    void count();
    void onCounted(const QString& key, qint64 tokens);
    void setNotice(const Notice& notice);

    app::ChatBook& m_book;
    app::TokenCounter& m_counter;
    app::AttachmentReader m_reader;
    qint64 m_textTokens = 0;
    Notice m_notice;
};
