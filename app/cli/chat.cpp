// vitrine-cli chat: a conversation with the model's own template.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"
#include "app/cli/model_run.h"
#include "app/services/context_fit.h"
#include "app/services/conversation.h"

#include <unistd.h>

#include <cstdio>

namespace app::cli {

namespace {

using engine::chat::Message;
using engine::chat::Role;

/// Lines of standard input; waiting for one can be interrupted, which stdio cannot.
class LineReader
{
public:
    explicit LineReader(const Interrupt& interrupt)
        : m_interrupt(interrupt)
    {
    }
    /// Nothing at the end of the input or when a signal came.
    std::optional<std::string> next()
    {
        while (true) {
            if (const auto end = m_buffer.find('\n'); end != std::string::npos) {
                std::string line = m_buffer.substr(0, end);
                m_buffer.erase(0, end + 1);
                return line;
            }
            char bytes[4096];
            const auto count =
                m_interrupt.waitForInput() ? read(STDIN_FILENO, bytes, sizeof(bytes)) : 0;
            if (count <= 0) {
                // A last line without a line break counts, unless the wait was interrupted.
                std::string rest = m_interrupt.requested() ? std::string() : std::move(m_buffer);
                m_buffer.clear();
                return rest.empty() ? std::nullopt : std::optional(std::move(rest));
            }
            m_buffer.append(bytes, static_cast<std::size_t>(count));
        }
    }

private:
    const Interrupt& m_interrupt;
    std::string m_buffer;
};

/// The messages so far and the model that answers.
class Conversation
{
public:
    Conversation(const Context& context, Running& running)
        : m_context(context)
        , m_running(running)
    {
        if (const auto system = context.arguments.text("system")) {
            m_messages.push_back({ Role::System, *system });
        }
    }

    /// Asks and prints the answer; both stay in the history only if there is one.
    Outcome<void> ask(const std::string& question)
    {
        m_messages.push_back({ Role::User, question });
        auto generated = answer();
        if (!generated) {
            m_messages.pop_back();
            return tl::unexpected(generated.error());
        }
        if (m_context.json) {
            printJson(generatedJson(*generated, m_running.loadMs));
        } else {
            print("\n");
            message(timingsText(*generated));
        }
        if (generated->text.empty() && !generated->reasoning.empty()) {
            message("the model was still thinking when the answer ended; allow more tokens (-n, "
                    "--ctx)");
            m_messages.pop_back();
            return {};
        }
        m_messages.push_back(
            { Role::Assistant, std::move(generated->text), std::move(generated->reasoning) });
        return {};
    }

private:
    Outcome<engine::session::Generated> answer()
    {
        const auto options =
            app::conversationOptions(*m_running.model, generateOptions(m_context.arguments));
        const auto prompt =
            app::fitPrompt(m_messages, m_leftOut, m_running.session->contextLength(),
                           options.maxTokens, [this](std::span<const Message> shown) {
                               return app::conversationPrompt(*m_running.model, shown);
                           });
        if (!prompt) {
            return failed(prompt.error(), m_running.model->file().path());
        }
        if (prompt->leftOut > m_leftOut) {
            m_leftOut = prompt->leftOut;
            message("the context is full: the " + std::to_string(m_leftOut)
                    + " oldest messages are left out from here on");
        }
        return streamAnswer(m_context, m_running, prompt->tokens, options);
    }

    const Context& m_context;
    Running& m_running;
    std::vector<Message> m_messages;
    std::size_t m_leftOut = 0; ///< messages behind the system message that no longer fit
};

Outcome<ExitStatus> converse(const Context& context, Conversation& conversation)
{
    const bool prompts = inputIsTerminal() && messagesAreTerminal();
    LineReader lines(context.interrupt);
    while (true) {
        if (prompts) {
            std::fputs("> ", stderr);
        }
        const auto line = lines.next();
        if (!line) {
            if (prompts) {
                std::fputs("\n", stderr);
            }
            return ExitStatus::Done;
        }
        if (line->find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        if (auto asked = conversation.ask(*line); !asked) {
            if (!prompts) {
                return tl::unexpected(asked.error());
            }
            message(asked.error().line); // a person can shorten the question and go on
        }
        if (!flushOutput()) {
            return failed("standard output cannot be written");
        }
        if (prompts) {
            context.interrupt.reset(); // Ctrl-C stopped this answer only
        } else if (context.interrupt.requested()) {
            return ExitStatus::Done;
        }
    }
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto path = modelPath(context.arguments);
    if (!path) {
        return tl::unexpected(path.error());
    }
    const auto options = sessionOptions(context.arguments, engine::session::CacheType::F16);
    if (!options) {
        return tl::unexpected(options.error());
    }
    auto running = loadModel(context, *path, *options);
    if (!running) {
        return tl::unexpected(running.error());
    }
    const auto& chatTemplate = running->model->chatTemplate();
    if (!chatTemplate) { // rather than after the first question
        return failed(chatTemplate.error(), *path);
    }
    tellTemplateOrigin(*path, *chatTemplate);
    Conversation conversation(context, *running);
    if (const auto question = context.arguments.text("prompt")) {
        if (auto asked = conversation.ask(*question); !asked) {
            return tl::unexpected(asked.error());
        }
        return ExitStatus::Done;
    }
    return converse(context, conversation);
}

} // namespace

Command chatCommand()
{
    return {
        .name = "chat",
        .summary = "a conversation with the model's own template",
        .usage = "-m FILE [-p TEXT] [--system TEXT]",
        .details =
            "Without -p every line of standard input is a message. Ctrl-C stops the answer, "
            "Ctrl-D leaves.\nWith --json every answer is one line of JSON. What a model thinks "
            "before it answers is shown\ndimmed on a terminal, or stands in the member "
            "\"reasoning\" of the JSON.\n",
        .options =
            joinedOptions({ { modelOption(), text("prompt", "TEXT", "ask this and leave", 'p'),
                              text("system", "TEXT", "system message") },
                            samplingOptions(),
                            runOptions() }),
        .run = run
    };
}

} // namespace app::cli
