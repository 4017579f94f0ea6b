// vitrine-cli template: renders a chat template.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"
#include "engine/chat/chat_template.h"
#include "engine/chat/jinja/json.h"

#include <cstdio>
#include <ctime>

namespace app::cli {

namespace {

using engine::chat::ChatTemplate;

/// A template and the special tokens that its model would put in.
struct Source
{
    ChatTemplate chatTemplate;
    std::string bos;
    std::string eos;
};

Outcome<Source> fromText(const std::string& path)
{
    const auto text = readWholeFile(path);
    if (!text) {
        return tl::unexpected(text.error());
    }
    auto parsed = ChatTemplate::parse(*text);
    if (!parsed) {
        return failed(parsed.error(), path);
    }
    return Source { std::move(*parsed), {}, {} };
}

/// The one of that name, else the one for tools where there are any, else the model's own.
Outcome<std::optional<std::string_view>> choose(const engine::text::StoredTemplates& stored,
                                                const std::optional<std::string>& name,
                                                bool hasTools)
{
    if (!name) {
        return hasTools ? stored.forTools() : stored.own;
    }
    if (const auto found = stored.find(*name)) {
        return found;
    }
    std::string names;
    for (const auto& each : stored.named) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return failed("there is no chat template named \"" + *name + "\" in the file ("
                  + (names.empty() ? "it names none" : "it names " + names) + ")");
}

/// The template alone is enough; a vocabulary that does not load only costs the names of its
/// special tokens.
Outcome<Source> fromModel(const std::string& path, const std::optional<std::string>& name,
                          bool hasTools)
{
    const auto file = openGguf(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const auto loaded = engine::text::Tokenizer::load(*file);
    const auto text = choose(engine::text::StoredTemplates::of(**file), name, hasTools);
    if (!text) {
        return tl::unexpected(text.error());
    }
    if (!*text && !loaded) {
        return failed(loaded.error(), path);
    }
    auto chosen = *text ? ChatTemplate::parse(**text)
                        : ChatTemplate::forVocabulary(loaded->tokenizer->vocabulary());
    if (!chosen) {
        return failed(chosen.error(), path);
    }
    Source source { std::move(*chosen), {}, {} };
    if (!*text) {
        tellTemplateOrigin(path, source.chatTemplate);
    }
    if (loaded) {
        const auto& vocabulary = loaded->tokenizer->vocabulary();
        const auto tokenText = [&](engine::text::TokenId id) {
            return vocabulary.valid(id) ? std::string(vocabulary.text(id)) : std::string();
        };
        source.bos = tokenText(vocabulary.bos());
        source.eos = tokenText(vocabulary.eos());
    }
    return source;
}

/// The variables as the file has them.
Outcome<Json> readVariables(const std::string& path)
{
    const auto text = readWholeFile(path);
    if (!text) {
        return tl::unexpected(text.error());
    }
    Json json = Json::parse(*text, nullptr, false);
    if (json.is_array()) {
        json = Json { { "messages", std::move(json) } };
    }
    if (!json.is_object()) {
        return failed(path
                      + ": this is not a JSON object of variables such as {\"messages\": […]}.");
    }
    return json;
}

bool hasTools(const Json& variables)
{
    return variables.contains("tools") && !variables["tools"].empty(); // null is empty too
}

/// What every caller of a template sets is there even if the file leaves it out.
Outcome<engine::chat::jinja::Value> complete(Json json, const Source& source,
                                             const std::string& path)
{
    const auto setDefault = [&](const char* name, Json value) {
        if (!json.contains(name)) {
            json[name] = std::move(value);
        }
    };
    setDefault("messages", Json::array());
    setDefault("tools", nullptr);
    setDefault("documents", nullptr);
    setDefault("add_generation_prompt", false);
    setDefault("bos_token", source.bos);
    setDefault("eos_token", source.eos);
    auto value = engine::chat::jinja::valueFromJson(
        json.dump(-1, ' ', false, Json::error_handler_t::replace));
    if (!value) {
        return failed(value.error(), path);
    }
    return std::move(*value);
}

/// Noon of a day, local time.
Outcome<std::chrono::system_clock::time_point> noon(const std::string& day)
{
    std::tm parts {};
    char rest = 0;
    const int fields = std::sscanf(day.c_str(), "%4d-%2d-%2d%c", &parts.tm_year, &parts.tm_mon,
                                   &parts.tm_mday, &rest);
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    parts.tm_hour = 12;
    parts.tm_isdst = -1;
    const std::tm asked = parts;
    const std::time_t time = std::mktime(&parts);
    const bool normalized = parts.tm_mday != asked.tm_mday || parts.tm_mon != asked.tm_mon;
    if (fields != 3 || time == -1 || normalized) {
        return wrongUsage("--date needs a day such as 2026-11-29, not \"" + day + "\"");
    }
    return std::chrono::system_clock::from_time_t(time);
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& arguments = context.arguments;
    if (arguments.has("model") == arguments.has("template")) {
        return wrongUsage("either -m FILE.gguf or --template FILE is needed");
    }
    if (arguments.has("template") && arguments.has("name")) {
        return wrongUsage("--name chooses among the templates of a model, with -m");
    }
    if (!arguments.has("messages")) {
        return wrongUsage("the variables are needed: --messages FILE.json");
    }
    engine::chat::RenderOptions options;
    if (const auto day = arguments.text("date")) {
        const auto time = noon(*day);
        if (!time) {
            return tl::unexpected(time.error());
        }
        options.now = [moment = *time] { return moment; };
    }
    const std::string variablesPath = *arguments.text("messages");
    auto variables = readVariables(variablesPath);
    const std::string path =
        arguments.text("template").value_or(arguments.text("model").value_or(""));
    const auto source = arguments.has("template")
        ? fromText(path)
        : fromModel(path, arguments.text("name"), variables && hasTools(*variables));
    if (!source) { // said first: without it the variables are of no use
        return tl::unexpected(source.error());
    }
    if (!variables) {
        return tl::unexpected(variables.error());
    }
    const auto values = complete(std::move(*variables), *source, variablesPath);
    if (!values) {
        return tl::unexpected(values.error());
    }
    const auto parts = source->chatTemplate.render(*values, options);
    if (!parts) {
        return failed(parts.error(), path);
    }
    const std::string text = engine::chat::joined(*parts);
    if (context.json) {
        printJson({ { "text", text } });
    } else {
        print(outputIsTerminal() ? terminalSafe(text) + "\n" : text);
    }
    return ExitStatus::Done;
}

} // namespace

Command templateCommand()
{
    return { .name = "template",
             .summary = "renders a chat template",
             .usage = "(-m FILE | --template FILE) --messages FILE.json",
             .details = "FILE.json is an object of variables: messages, tools, "
                        "add_generation_prompt, bos_token,\n"
                        "eos_token and any others; a list alone is taken for the messages.\n"
                        "Of several templates in a model the one named tool_use is taken where "
                        "there are tools,\nelse its own.\n",
             .options = { modelOption(),
                          text("template", "FILE", "a template, instead of a model's own"),
                          text("name", "NAME", "one of the model's named templates"),
                          text("messages", "FILE.json", "the variables"),
                          text("date", "YYYY-MM-DD",
                               "the template's clock stands at this day, 12:00:00") },
             .run = run };
}

} // namespace app::cli
