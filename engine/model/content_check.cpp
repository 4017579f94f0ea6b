#include "engine/model/content_check.h"

#include "engine/chat/chat_template.h"
#include "engine/gguf/file_type.h"
#include "engine/gguf/printable.h"
#include "engine/model/weights.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace engine::model {

namespace {

using gguf::Problem;
using gguf::Severity;

/// N of "blk.N.…".
std::optional<std::uint32_t> blockOf(std::string_view tensor)
{
    constexpr std::string_view kPrefix = "blk.";
    if (!tensor.starts_with(kPrefix)) {
        return std::nullopt;
    }
    tensor.remove_prefix(kPrefix.size());
    std::uint32_t block = 0;
    const auto [end, error] = std::from_chars(tensor.data(), tensor.data() + tensor.size(), block);
    const bool isWhole =
        error == std::errc() && end != tensor.data() + tensor.size() && *end == '.';
    return isWhole ? std::optional(block) : std::nullopt;
}

/// Where line `number` (from 1) of a text begins.
std::size_t lineStart(std::string_view text, std::size_t number)
{
    std::size_t at = 0;
    for (std::size_t line = 1; line < number; ++line) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) {
            break;
        }
        at = end + 1;
    }
    return at;
}

/// N of "line N".
std::size_t lineOf(std::string_view subject)
{
    constexpr std::string_view kLine = "line ";
    std::size_t line = 1;
    if (subject.starts_with(kLine)) {
        std::from_chars(subject.data() + kLine.size(), subject.data() + subject.size(), line);
    }
    return line;
}

class ContentCheck
{
public:
    explicit ContentCheck(const gguf::GgufFile& file)
        : m_file(file)
        , m_isPart(lacksParts(file))
    {
        const auto* value = file.find("general.architecture");
        m_architecture = value ? value->asText().value_or("") : std::string_view();
    }

    std::vector<Problem> run()
    {
        if (!m_architecture.empty()) {
            checkArchitectureKeys();
            checkBlocks();
            checkHeads();
            checkVocabularySize();
        }
        checkFileType();
        checkTemplates();
        return std::move(m_problems);
    }

private:
    [[nodiscard]] std::optional<std::uint64_t> unsignedOf(const std::string& key) const
    {
        const auto* value = m_file.find(key);
        return value ? value->asUnsigned() : std::nullopt;
    }
    [[nodiscard]] std::string own(std::string_view name) const
    {
        return std::string(m_architecture) + "." + std::string(name);
    }

    /// A size that the file has for another architecture only.
    void checkArchitectureKeys()
    {
        for (const auto& entry : m_file.metadata()) {
            for (const std::string_view name : { "block_count", "embedding_length" }) {
                const bool fits = entry.key.size() > name.size() + 1 && entry.key.ends_with(name)
                    && entry.key[entry.key.size() - name.size() - 1] == '.';
                if (!fits || m_file.find(own(name))) {
                    continue;
                }
                const auto other = entry.key.substr(0, entry.key.size() - name.size() - 1);
                if (other != m_architecture
                    && !other.starts_with(std::string(m_architecture) + ".")) {
                    report(Severity::Warning, ErrorCode::KeysOfOtherArchitecture,
                           { gguf::printable(m_architecture), gguf::printable(other) }, entry.key,
                           entry.span.offset);
                    return;
                }
            }
        }
    }

    void checkBlocks()
    {
        const std::string key = own("block_count");
        const auto claimed = unsignedOf(key);
        std::set<std::uint32_t> blocks;
        for (const auto& tensor : m_file.tensors()) {
            if (const auto block = blockOf(tensor.name)) {
                blocks.insert(*block);
            }
        }
        if (!claimed || blocks.empty() || m_isPart) {
            return;
        }
        const std::uint64_t reach = *blocks.rbegin() + std::uint64_t(1);
        if (reach == *claimed && blocks.size() == *claimed) {
            return;
        }
        std::string found = std::to_string(blocks.size());
        if (reach != blocks.size()) {
            found += ", with numbers up to " + std::to_string(reach - 1);
        }
        report(Severity::Warning, ErrorCode::BlocksContradict,
               { std::to_string(*claimed), std::move(found) }, key, valueAt(key));
    }

    void checkHeads()
    {
        const std::string key = own("attention.head_count_kv");
        const auto heads = unsignedOf(own("attention.head_count"));
        const auto keyValueHeads = unsignedOf(key);
        if (heads && keyValueHeads && *keyValueHeads != 0 && *heads % *keyValueHeads != 0) {
            report(Severity::Warning, ErrorCode::BadKeyValue,
                   { std::to_string(*keyValueHeads), "a divisor of head_count" }, key,
                   valueAt(key));
        }
    }

    void checkVocabularySize()
    {
        const std::string key = own("vocab_size");
        const auto claimed = unsignedOf(key);
        const auto* tokens = m_file.find("tokenizer.ggml.tokens");
        const auto* embedding = m_file.findTensor("token_embd.weight");
        if (!claimed || (!tokens && !embedding) || m_isPart) {
            return;
        }
        const bool fits =
            (tokens && tokens->count() == *claimed) || (embedding && embedding->rows() == *claimed);
        if (!fits) {
            const std::string found = tokens
                ? "the vocabulary has " + std::to_string(tokens->count()) + " tokens"
                : "the embedding has " + std::to_string(embedding->rows()) + " rows";
            report(Severity::Warning, ErrorCode::BadKeyValue, { std::to_string(*claimed), found },
                   key, valueAt(key));
        }
    }

    void checkFileType()
    {
        const std::string key = "general.file_type";
        const auto number = unsignedOf(key);
        const auto* type = number ? gguf::fileTypeInfo(*number) : nullptr;
        if (!type || !type->mainType || m_file.tensors().empty() || m_isPart) {
            return;
        }
        const bool has = std::ranges::any_of(m_file.tensors(), [&](const auto& tensor) {
            return tensor.typeNumber == static_cast<std::uint32_t>(*type->mainType);
        });
        if (!has) {
            report(Severity::Note, ErrorCode::FileTypeContradicts,
                   { std::to_string(*number), std::string(type->name) }, key, valueAt(key));
        }
    }

    /// The model's own template and its named siblings (tokenizer.chat_template.tool_use, …).
    void checkTemplates()
    {
        constexpr std::string_view kKey = "tokenizer.chat_template";
        constexpr std::uint64_t kTextHeader = 8; // the length
        for (const auto& entry : m_file.metadata()) {
            const auto source = entry.value.asText();
            const bool isTemplate =
                entry.key == kKey || (entry.key.starts_with(kKey) && entry.key[kKey.size()] == '.');
            if (!source || !isTemplate) {
                continue;
            }
            const auto parsed = chat::ChatTemplate::parse(*source);
            if (!parsed) {
                const std::size_t line = lineOf(parsed.error().where.subject);
                report(Severity::Warning, parsed.error().code, parsed.error().arguments,
                       std::string(entry.key) + ", line " + std::to_string(line),
                       entry.value.span().offset + kTextHeader + lineStart(*source, line));
            }
        }
    }

    [[nodiscard]] std::uint64_t valueAt(const std::string& key) const
    {
        return m_file.find(key)->span().offset;
    }

    void report(Severity severity, ErrorCode code, std::vector<std::string> arguments,
                std::string_view subject, std::uint64_t offset)
    {
        m_problems.push_back({ severity,
                               { code,
                                 std::move(arguments),
                                 { m_file.path(), offset, gguf::printable(subject) } } });
    }

    const gguf::GgufFile& m_file;
    bool m_isPart;
    std::string_view m_architecture;
    std::vector<Problem> m_problems;
};

} // namespace

std::vector<Problem> checkContent(const gguf::GgufFile& file)
{
    return ContentCheck(file).run();
}

} // namespace engine::model
