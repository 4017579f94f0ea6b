// Reads text files that go with a question.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/attachment_reader.h"

#include "app/services/mailbox.h"
#include "app/services/task_thread.h"

#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStringDecoder>

#include <sys/stat.h>

#include <variant>

namespace app {

namespace {

using Read = std::variant<Attachment, ErrorMessage>;

ErrorMessage refusal(const QString& path, const char* code, const QString& what,
                     const QString& remedy)
{
    ErrorMessage message;
    message.code = QLatin1String(code);
    message.what = what;
    message.where = path;
    message.remedy = remedy;
    message.file = path;
    return message;
}

Read readText(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    // A pipe or a device may never end.
    struct stat status
    {
    };
    if (::stat(QFile::encodeName(path).constData(), &status) == 0 && !S_ISREG(status.st_mode)) {
        return refusal(path, "attachment-no-file", AttachmentReader::tr("%1 is no file.").arg(name),
                       AttachmentReader::tr("Choose a text file."));
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return refusal(
            path, "attachment-unreadable",
            AttachmentReader::tr("%1 cannot be read (%2).").arg(name, file.errorString()),
            AttachmentReader::tr("Check its name and permissions."));
    }
    const QByteArray bytes = file.read(AttachmentReader::kLargestFile + 1);
    if (bytes.size() > AttachmentReader::kLargestFile) {
        return refusal(path, "attachment-too-large",
                       AttachmentReader::tr("%1 is larger than %2.")
                           .arg(name,
                                QLocale().formattedDataSize(AttachmentReader::kLargestFile, 0,
                                                            QLocale::DataSizeSIFormat)),
                       AttachmentReader::tr("Attach the part of it that matters."));
    }
    const auto marked = QStringDecoder::encodingForData(bytes);
    // Stateless: half a character at the end is an error, not the beginning of more.
    QStringDecoder decoder(marked.value_or(QStringConverter::Utf8),
                           QStringConverter::Flag::Stateless);
    QString text = decoder.decode(bytes);
    // Of UTF-16 the decoder takes anything: odd bytes and lone halves of a pair.
    const bool odd = marked && marked != QStringConverter::Utf8 && bytes.size() % 2 != 0;
    if (decoder.hasError() || odd || !text.isValidUtf16() || text.contains(QChar(u'\0'))) {
        return refusal(path, "attachment-no-text",
                       AttachmentReader::tr("%1 is not a text file.").arg(name),
                       AttachmentReader::tr("Only text in UTF-8 or UTF-16 can be attached."));
    }
    if (text.trimmed().isEmpty()) {
        return refusal(path, "attachment-empty", AttachmentReader::tr("%1 is empty.").arg(name),
                       AttachmentReader::tr("Choose a file with text in it."));
    }
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    return Attachment { name, text, -1 };
}

} // namespace

struct AttachmentReader::Impl
{
    Mailbox mailbox;
    TaskThread thread { "vitrine-attach", TaskPriority::Normal }; // last: joined first
};

AttachmentReader::AttachmentReader(QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>())
{
}

AttachmentReader::~AttachmentReader() = default;

void AttachmentReader::read(const QStringList& paths)
{
    for (const QString& path : paths) {
        m_impl->thread.post([this, path, sender = m_impl->mailbox.sender()] {
            sender.post([this, result = readText(path)] {
                if (const auto* attachment = std::get_if<Attachment>(&result)) {
                    Q_EMIT ready(*attachment);
                } else {
                    Q_EMIT refused(std::get<ErrorMessage>(result));
                }
            });
        });
    }
}

} // namespace app
