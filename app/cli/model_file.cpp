#include "app/cli/model_file.h"

#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "engine/gguf/joined_file.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

namespace app::cli {

using engine::text::TokenId;

namespace {

Outcome<std::string> readAll(std::FILE* stream, const std::string& name)
{
    std::string out;
    char buffer[65536];
    std::size_t count = 0;
    while ((count = std::fread(buffer, 1, sizeof(buffer), stream)) > 0) {
        out.append(buffer, count);
    }
    if (std::ferror(stream)) {
        return failed(name + ": cannot be read (" + std::strerror(errno) + ")");
    }
    return out;
}

} // namespace

Option modelOption()
{
    return text("model", "FILE", "the model, a GGUF file", 'm');
}

Outcome<std::string> modelPath(const Arguments& arguments)
{
    const auto path = arguments.text("model");
    if (!path) {
        return wrongUsage("a model is needed: -m FILE.gguf");
    }
    return *path;
}

Outcome<std::shared_ptr<const engine::gguf::GgufFile>> openGguf(const std::string& path)
{
    auto file = engine::gguf::openJoined(path);
    if (!file) {
        return failed(file.error(), path);
    }
    return std::move(*file);
}

Outcome<std::shared_ptr<const engine::text::Tokenizer>>
openTokenizer(const std::string& path, const engine::text::TokenizerOptions& options)
{
    auto file = openGguf(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    auto loaded = engine::text::Tokenizer::load(*file, options);
    if (!loaded) {
        const auto sound = (*file)->requireSound();
        return failed(sound ? loaded.error() : sound.error(), path);
    }
    printWarnings(path, loaded->warnings);
    return loaded->tokenizer;
}

Outcome<std::vector<TokenId>> parseTokens(const std::string& list)
{
    std::vector<TokenId> out;
    const char* at = list.data();
    const char* const end = at + list.size();
    const auto skipBlanks = [&] {
        while (at != end && (*at == ' ' || *at == '\n' || *at == '\t')) {
            ++at;
        }
    };
    skipBlanks();
    while (at != end) {
        TokenId id = 0;
        const auto [stop, error] = std::from_chars(at, end, id);
        if (error != std::errc() || id < 0) {
            return wrongUsage(
                "token ids are whole numbers with commas between, such as 1,15043,29892");
        }
        out.push_back(id);
        at = stop;
        skipBlanks();
        if (at != end && *at++ != ',') {
            return wrongUsage(
                "token ids are whole numbers with commas between, such as 1,15043,29892");
        }
        skipBlanks();
    }
    return out;
}

Outcome<std::string> readWholeFile(const std::string& path)
{
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file) {
        return failed(path + ": cannot be opened (" + std::strerror(errno) + "). Check the path.");
    }
    return readAll(file.get(), path);
}

Outcome<std::string> readStandardInput()
{
    return readAll(stdin, "standard input");
}

void printWarnings(const std::string& path, const std::vector<engine::gguf::Problem>& warnings)
{
    for (const auto& warning : warnings) {
        const auto& subject = warning.error.where.subject;
        message(path + ": " + std::string(severityName(warning.severity)) + ": "
                + (subject.empty() ? "" : printable(subject) + ": ")
                + printable(problemMessage(warning)));
    }
}

void tellTemplateOrigin(const std::string& path, const engine::chat::ChatTemplate& chatTemplate)
{
    using engine::chat::TemplateOrigin;
    if (chatTemplate.origin() == TemplateOrigin::Model) {
        return;
    }
    const bool isChatMl = chatTemplate.origin() == TemplateOrigin::ChatMl;
    message(path + ": the file has no chat template; " + (isChatMl ? "ChatML" : "a plain one")
            + " is used");
}

} // namespace app::cli
