// Figures in words: the line under an answer, attachments, sizes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"

#include <QtCore/QString>

/// Speed, time to the first token, tokens, why it ended.
[[nodiscard]] QString answerFigures(const app::Outcome& outcome);
/// Why an answer ended.
[[nodiscard]] QString finishText(app::Outcome::Finish finish);
/// "1 token", "1,234 tokens"; empty for less than none (not counted).
[[nodiscard]] QString tokensText(qint64 tokens);
/// Name, size and tokens of a text that goes with a question.
[[nodiscard]] QString attachmentText(const app::Attachment& attachment);
/// In SI units: "95.3 MB".
[[nodiscard]] QString sizeText(quint64 bytes);
