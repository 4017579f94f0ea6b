// A short title for a chat, made by the model, or out of the question.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/ask_request.h"

#include <QString>

namespace app {

/// Asks for a title. The prompt goes on from the conversation, so that nothing but the request
/// itself is evaluated, and the next question finds the conversation in the cache still.
[[nodiscard]] AskRequest titleRequest(std::vector<engine::chat::Message> conversation,
                                      PromptFormat format);

/// What of the model's answer is a title: one line without quotes and markup, 60 characters at
/// most. Where it is none, the question's own words.
[[nodiscard]] QString titleFromAnswer(const QString& answer, const QString& question);

/// The first words of a question.
[[nodiscard]] QString titleFromQuestion(const QString& question);

} // namespace app
