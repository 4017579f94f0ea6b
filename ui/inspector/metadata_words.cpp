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

struct Explanation
{
    std::string_view part; ///< of the key: its start, or its end after a "*"
    const char* text;
};

// More particular rows before more general ones.
constexpr auto kExplanations = std::to_array<Explanation>({
    { "general.architecture",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "The kind of network. Keys of its sizes begin with this word.") },
    { "general.alignment",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "Tensors begin at multiples of this many bytes. 32 where it is missing.") },
    { "general.file_type",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "A label for the file as a whole. Its numbers are not those of tensor "
                        "types; what counts is the type of each tensor.") },
    { "general.quantization_version",
      QT_TRANSLATE_NOOP("MetadataWords", "The version of the layout of quantized blocks.") },
    { "general.",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "About the file: names, origin, licence. The network does not need it.") },
    { "tokenizer.chat_template",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "Writes a conversation in the form that the model was trained on "
                        "(a Jinja template).") },
    { "tokenizer.ggml.model",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "How text is cut into tokens: gpt2 (byte pairs), llama "
                        "(SentencePiece), bert (word pieces), …") },
    { "tokenizer.ggml.pre",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "Which rule splits text into words before pairs are merged.") },
    { "tokenizer.ggml.tokens",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "The text of each token; its place in the list is its id.") },
    { "tokenizer.ggml.token_type",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "The kind of each token: 1 normal, 2 unknown, 3 control, 4 user defined, "
                        "5 unused, 6 byte. The key has no s at its end.") },
    { "tokenizer.ggml.scores",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "How good each token is when SentencePiece has a choice.") },
    { "tokenizer.ggml.merges",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "Pairs of pieces in the order in which they are joined.") },
    { "*_token_id",
      QT_TRANSLATE_NOOP("MetadataWords", "The id of a token with a role of its own.") },
    { "tokenizer.", QT_TRANSLATE_NOOP("MetadataWords", "How text becomes tokens and back.") },
    { "split.",
      QT_TRANSLATE_NOOP("MetadataWords", "This file is one of several that make up the model.") },
    { "*.context_length",
      QT_TRANSLATE_NOOP("MetadataWords", "How many tokens the model was trained to see at once.") },
    { "*.embedding_length",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "The width of the network: numbers that stand for one token.") },
    { "*.block_count",
      QT_TRANSLATE_NOOP("MetadataWords", "How many layers follow each other (blk.0, blk.1, …).") },
    { "*.feed_forward_length",
      QT_TRANSLATE_NOOP("MetadataWords", "The inner width of the feed-forward part of a layer.") },
    { "*.attention.head_count",
      QT_TRANSLATE_NOOP("MetadataWords", "How many heads look back at earlier tokens.") },
    { "*.attention.head_count_kv",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "How many heads have keys and values of their own. Fewer than "
                        "head_count makes the KV cache smaller.") },
    { "*.rope.freq_base",
      QT_TRANSLATE_NOOP("MetadataWords",
                        "The base of the rotation that tells the network positions.") },
    { "*.rope.dimension_count",
      QT_TRANSLATE_NOOP("MetadataWords", "How many numbers of each head are rotated.") },
    { "*.vocab_size", QT_TRANSLATE_NOOP("MetadataWords", "How many tokens the network knows.") },
    { "*.expert_count",
      QT_TRANSLATE_NOOP("MetadataWords", "How many experts a layer can choose from.") },
    { "*epsilon",
      QT_TRANSLATE_NOOP("MetadataWords", "Keeps a normalization from dividing by nothing.") },
});

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

QString explanation(std::string_view key)
{
    for (const Explanation& row : kExplanations) {
        const bool isEnd = row.part.starts_with('*');
        if (isEnd ? key.ends_with(row.part.substr(1)) : key.starts_with(row.part)) {
            return tr(row.text);
        }
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
