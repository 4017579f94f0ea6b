// Reads text files that go with a question.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"
#include "app/services/error_message.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace app {

/// Lives on the GUI thread; reads on a thread of its own. Text is UTF-8, or UTF-16 with a byte
/// order mark.
class AttachmentReader : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 kLargestFile = 20'000'000; ///< bytes

    explicit AttachmentReader(QObject* parent = nullptr);
    /// Waits for a file that is being read.
    ~AttachmentReader() override;

    /// Every file ends with `ready` or `refused`, in this order.
    void read(const QStringList& paths);

Q_SIGNALS:
    void ready(const app::Attachment& attachment);
    void refused(const app::ErrorMessage& error);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace app
