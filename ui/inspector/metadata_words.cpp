#include "ui/inspector/metadata_words.h"

#include "engine/gguf/file_type.h"
#include "ui/inspector/figures.h"

#include <QtCore/QCoreApplication>

#include <array>

namespace metadata {

namespace {

using engine::gguf::MetadataEntry;

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";

QString tr(const char* text)
{
    return QCoreApplication::translate("MetadataWords", text);
}

bool isTokenId(std::string_view key)
{
    return key.starts_with("tokenizer.ggml.") && key.ends_with("_token_id");
}

} // namespace

std::shared_ptr<const ArrayIndex> vocabulary(const ArrayIndex::File& file, std::stop_token stop)
{
    const auto entries = file->metadata();
    for (std::size_t at = 0; at < entries.size(); ++at) {
        if (entries[at].key == kTokens) {
            return ArrayIndex::make(file, at, std::move(stop));
        }
    }
    return nullptr;
}

QString note(const MetadataEntry& entry, const ArrayIndex* vocabulary)
{
    const auto number = entry.value.asUnsigned();
    if (!number) {
        return {};
    }
    if (entry.key == "general.file_type") {
        const auto* type = engine::gguf::fileTypeInfo(*number);
        return type != nullptr ? tr("mostly %1").arg(figures::printable(type->name)) : QString();
    }
    if (isTokenId(entry.key) && vocabulary != nullptr) {
        const auto token = vocabulary->at(*number);
        const auto text = token ? token->asText() : std::nullopt;
        return text
            ? figures::printable(*text)
            : tr("not in the vocabulary of %1 tokens").arg(figures::count(vocabulary->count()));
    }
    return {};
}

QString tokenKind(std::int64_t number)
{
    static constexpr auto kKinds =
        std::to_array<const char*>({ QT_TRANSLATE_NOOP("MetadataWords", "normal"),
                                     QT_TRANSLATE_NOOP("MetadataWords", "unknown"),
                                     QT_TRANSLATE_NOOP("MetadataWords", "control"),
                                     QT_TRANSLATE_NOOP("MetadataWords", "user defined"),
                                     QT_TRANSLATE_NOOP("MetadataWords", "unused"),
                                     QT_TRANSLATE_NOOP("MetadataWords", "byte") });
    return number >= 1 && number <= static_cast<std::int64_t>(kKinds.size())
        ? tr(kKinds[static_cast<std::size_t>(number - 1)])
        : QString::number(number);
}

} // namespace metadata
