// Turns a conversation into the prompt a model was trained on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/chat/jinja/value.h"
#include "engine/chat/message.h"
#include "engine/text/vocabulary.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::chat {

/// A stretch of rendered prompt; `trusted` when the template wrote it, false when it came in with a
/// message.
struct PromptPart
{
    std::string text;
    bool trusted;
};

/// Limits for templates out of untrusted files.
struct RenderLimits
{
    std::uint64_t steps = 10'000'000;
    std::uint64_t outputBytes = 4u << 20;
    int depth = 200;
};

struct RenderOptions
{
    RenderLimits limits;
    /// For strftime_now; local time.
    std::function<std::chrono::system_clock::time_point()> now = [] {
        return std::chrono::system_clock::now();
    };
    /// Sets the variables that tell a template to have the model think, or not; nothing: as the
    /// template sees fit. For renderMessages.
    std::optional<bool> thinking = {};
};

/// Where the template in use came from; the user is told when it is not the model's own.
enum class TemplateOrigin { Model, ChatMl, Plain };

/// Some models bring a template of its own for conversations with tools.
enum class TemplateUse { Talk, Tools };

/// Immutable, thread-safe.
class ChatTemplate
{
public:
    /// Errors: TemplateSyntax with the line as subject.
    [[nodiscard]] static Result<ChatTemplate> parse(std::string_view source);
    /// The model's own template, or the one it has for tools; without one ChatML if the vocabulary
    /// has its tokens, else a plain one.
    [[nodiscard]] static Result<ChatTemplate> forVocabulary(const text::Vocabulary& vocabulary,
                                                            TemplateUse use = TemplateUse::Talk);

    /// Ours: "User:" and "Assistant:" before what they said. Fits any model a little.
    [[nodiscard]] static Result<ChatTemplate> plain();

    [[nodiscard]] TemplateOrigin origin() const;
    [[nodiscard]] const std::string& source() const;
    /// Texts that end an answer besides the model's own tokens: the plain template has no token for
    /// the end of a turn, and a model that continues a dialogue goes on with the next question.
    [[nodiscard]] std::vector<std::string> stopTexts() const;

    /// Renders with an object of variables (messages, tools, add_generation_prompt, bos_token, …).
    /// Strings marked as input keep that mark on their way to the output. Errors: TemplateRaised
    /// (raise_exception's message), TemplateRuntime, TemplateLimit; the subject names the
    /// template's line.
    [[nodiscard]] Result<std::vector<PromptPart>> render(const jinja::Value& variables,
                                                         const RenderOptions& options = {}) const;
    /// The usual case: messages of a conversation, generation prompt added, bos/eos texts from the
    /// vocabulary.
    [[nodiscard]] Result<std::vector<PromptPart>>
    renderMessages(std::span<const Message> messages, const text::Vocabulary& vocabulary,
                   const RenderOptions& options = {}) const;

private:
    ChatTemplate() = default;
    [[nodiscard]] static Result<ChatTemplate> parseAs(std::string_view source,
                                                      TemplateOrigin origin);
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

/// All parts joined.
[[nodiscard]] std::string joined(std::span<const PromptPart> parts);

} // namespace engine::chat
