// Counts the tokens of texts that may become part of a prompt, off the GUI thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inference_service.h"

#include <QObject>
#include <QString>

#include <memory>

namespace app {

/// Lives on the GUI thread; the service outlives it. Counts on a thread of its own, also while an
/// answer streams, and never waits. A text of more than 256 KiB is counted in pieces: its count may
/// be a token or two off for each.
class TokenCounter : public QObject
{
    Q_OBJECT

public:
    explicit TokenCounter(const InferenceService& service, QObject* parent = nullptr);
    /// Waits for a count that runs.
    ~TokenCounter() override;

    /// Counts with the loaded model; ends with `counted`, unless another text is given for the same
    /// key meanwhile.
    void count(const QString& key, const QString& text);

Q_SIGNALS:
    /// -1: there is no model to count with.
    void counted(const QString& key, qint64 tokens);
    /// Another model is there, or none: counts mean something else now.
    void modelChanged();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace app
