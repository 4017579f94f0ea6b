#include "ui/inspector/key_words.h"

#include <algorithm>
#include <array>

namespace key_words {

namespace {

/// A pattern is the start of keys; with a "*" in it, the star stands for anything: "*.x" is
/// an end of keys, "*.x.*" a part of them.
struct Row
{
    std::string_view pattern;
    WordsRow words;
};

// More particular rows before more general ones.
constexpr auto kRows = std::to_array<Row>({
    { "general.architecture",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The kind of network. Keys of its sizes begin with this word.") } },
    { "general.alignment",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "Tensors begin at multiples of this many bytes. 32 where it is "
                          "missing."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "llama.cpp wants a u32 that is a power of two; the "
                          "specification allows any multiple of 8.") } },
    { "general.file_type",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "A label for the file as a whole; what counts is the type of "
                          "each tensor."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "Its numbers are not those of tensor types: 15 is Q4_K_M here "
                          "and Q8_K in the directory.") } },
    { "general.quantization_version",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The version of the layout of quantized blocks; 2 today.") } },
    { "general.type",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "What the file holds: a model, an adapter, a projector for "
                          "images, a vocabulary, …") } },
    { "general.name", { QT_TRANSLATE_NOOP("KeyWords", "The name of the model, for people.") } },
    { "general.size_label",
      { QT_TRANSLATE_NOOP("KeyWords", "How large the model is, for people: 135M, 8x7B."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "Only a label. The weights themselves are counted from the "
                          "shapes in the directory.") } },
    { "general.license",
      { QT_TRANSLATE_NOOP("KeyWords", "Under which terms the model may be used.") } },
    { "general.base_model",
      { QT_TRANSLATE_NOOP("KeyWords", "Which models this one was made from.") } },
    { "general.dataset",
      { QT_TRANSLATE_NOOP("KeyWords", "Which data the model was trained on.") } },
    { "general.sampling.",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How the maker suggests to choose among the next tokens.") } },
    { "general.",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About the file: names, origin, licence. The network does not "
                          "need it.") } },
    { "tokenizer.chat_template",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "Writes a conversation in the form that the model was trained "
                          "on (a Jinja template)."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "It is a program, run with each answer, and it may differ from "
                          "the one on the model's page.") } },
    { "tokenizer.ggml.model",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How text is cut into tokens: gpt2 (byte pairs), llama "
                          "(SentencePiece), bert (word pieces), …"),
        QT_TRANSLATE_NOOP("KeyWords",
                          "It names a kind of tokenizer, not the network: most models "
                          "with gpt2 here are no GPT-2.") } },
    { "tokenizer.ggml.pre",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "Which rule splits text into words before pairs are merged. A "
                          "wrong one makes a model worse without any error.") } },
    { "tokenizer.ggml.tokens",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The text of each token; its place in the list is its id.") } },
    { "tokenizer.ggml.token_type_count",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many kinds of segments a sentence encoder tells apart.") } },
    { "tokenizer.ggml.token_type",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The kind of each token: 1 normal, 2 unknown, 3 control, 4 user "
                          "defined, 5 unused, 6 byte."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "The key is tokenizer.ggml.token_type, without an s at its end.") } },
    { "tokenizer.ggml.scores",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How good each token is when SentencePiece has a choice; the "
                          "higher, the sooner it is used.") } },
    { "tokenizer.ggml.merges",
      { QT_TRANSLATE_NOOP("KeyWords", "Pairs of pieces in the order in which they are joined.") } },
    { "tokenizer.ggml.precompiled_charsmap",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How characters are unified before text is cut, as a table of "
                          "bytes.") } },
    { "tokenizer.ggml.add_",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "Whether a token or space is put around every text: at its "
                          "beginning (bos, space) or end (eos).") } },
    { "tokenizer.ggml.bos_token_id",
      { QT_TRANSLATE_NOOP("KeyWords", "The token that begins every text."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "The key is tokenizer.ggml.bos_token_id and holds a number, not "
                          "the token's text.") } },
    { "tokenizer.ggml.eos_token_id",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The token that ends a text. Chat models often end an answer "
                          "with another one (eot)."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "The key is tokenizer.ggml.eos_token_id and holds a number, not "
                          "the token's text.") } },
    { "tokenizer.ggml.*_token_id",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The id of a token with a role of its own: unknown, padding, "
                          "separator, end of a turn, …") } },
    { "tokenizer.huggingface.json",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The tokenizer as Hugging Face writes it, for other programs.") } },
    { "tokenizer.", { QT_TRANSLATE_NOOP("KeyWords", "How text becomes tokens and back.") } },
    { "split.no",
      { QT_TRANSLATE_NOOP("KeyWords", "Which of several files of the model this is."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "It counts from 0, the names of the files from 1: part 0 is "
                          "…-00001-of-…") } },
    { "split.count",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many files make up the model. 1 is the same as none.") } },
    { "split.tensors.count",
      { QT_TRANSLATE_NOOP("KeyWords", "How many tensors all files of the model have together."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "A 32-bit number with a sign, and the total: not those of this "
                          "file.") } },
    { "split.",
      { QT_TRANSLATE_NOOP("KeyWords", "This file is one of several that make up the model.") } },
    { "quantize.imatrix.",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About the importance matrix: which text told the quantizer "
                          "what weights matter most."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "The matrix itself is not in the file, and it is not needed to "
                          "run the model.") } },
    { "imatrix.",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About an importance matrix that this file holds: for "
                          "quantizing, not for chatting.") } },
    { "adapter.",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About an adapter (LoRA): small tensors that are added to those "
                          "of a model.") } },
    { "clip.",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About the part that turns images or sound into tokens; a chat "
                          "model is needed beside it.") } },
    { "*.context_length",
      { QT_TRANSLATE_NOOP("KeyWords", "How many tokens the model was trained to see at once."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "It reserves no memory: the KV cache is as long as one asks "
                          "for.") } },
    { "*.embedding_length",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The width of the network: numbers that stand for one token.") } },
    { "*.block_count",
      { QT_TRANSLATE_NOOP("KeyWords", "How many layers follow each other (blk.0, blk.1, …).") } },
    { "*.leading_dense_block_count",
      { QT_TRANSLATE_NOOP("KeyWords", "How many of the first layers have no experts.") } },
    { "*.feed_forward_length",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The inner width of the feed-forward part of a layer; one "
                          "number, or one for each layer.") } },
    { "*.expert_feed_forward_length",
      { QT_TRANSLATE_NOOP("KeyWords", "The inner width of one expert.") } },
    { "*.attention.head_count",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many heads look back at earlier tokens; one number, or one "
                          "for each layer.") } },
    { "*.attention.head_count_kv",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many heads have keys and values of their own. Fewer than "
                          "head_count makes the KV cache smaller."),
        QT_TRANSLATE_NOOP("KeyWords", "Where it is missing there are as many as head_count.") } },
    { "*.attention.key_length",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many numbers a key has. Where it is missing: "
                          "embedding_length / head_count.") } },
    { "*.attention.value_length",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many numbers a value has. Where it is missing: "
                          "embedding_length / head_count.") } },
    { "*.attention.sliding_window",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many tokens back a layer looks at most, in the layers that "
                          "do not look at all of them.") } },
    { "*.attention.causal",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "Whether a token sees only those before it (chat) or those "
                          "behind it too (sentence encoders).") } },
    { "*epsilon",
      { QT_TRANSLATE_NOOP("KeyWords", "Keeps a normalization from dividing by nothing.") } },
    { "*.attention.*",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How the network looks back at earlier tokens: heads, their "
                          "widths, which tokens they see.") } },
    { "*.rope.freq_base",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "The base of the rotation that tells the network positions. "
                          "10,000 where it is missing.") } },
    { "*.rope.dimension_count",
      { QT_TRANSLATE_NOOP("KeyWords", "How many numbers of each head are rotated.") } },
    { "*.rope.scaling.*",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How positions are stretched so that the model goes beyond the "
                          "length of its first training."),
        QT_TRANSLATE_NOOP("KeyWords",
                          "Llama 3 has no key for this: its factors are the tensor "
                          "rope_freqs.weight.") } },
    { "*.rope.*",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How the network is told positions: by rotating keys and "
                          "queries.") } },
    { "*.vocab_size", { QT_TRANSLATE_NOOP("KeyWords", "How many tokens the network knows.") } },
    { "*.expert_count",
      { QT_TRANSLATE_NOOP("KeyWords", "How many experts a layer can choose from.") } },
    { "*.expert_used_count",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How many experts work on each token; the others are in the "
                          "file, but idle.") } },
    { "*.expert_*",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About the experts of a layer: small feed-forward parts of "
                          "which a few work on each token.") } },
    { "*.ssm.*",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About the state-space part (Mamba): a state of fixed size "
                          "takes the place of the KV cache.") } },
    { "*.wkv.*",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "About the recurrent part (RWKV): a state of fixed size takes "
                          "the place of the KV cache.") } },
    { "*softcapping",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "Bends numbers softly to a limit, so that none runs away.") } },
    { "*_scale",
      { QT_TRANSLATE_NOOP("KeyWords", "A factor that the network multiplies with on its way.") } },
    { "*.pooling_type",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How a sentence encoder makes one result out of all tokens: 0 "
                          "none, 1 mean, 2 first token, 3 last, 4 rank.") } },
    { "*.tensor_data_layout",
      { QT_TRANSLATE_NOOP("KeyWords",
                          "How rows of the attention were arranged by the converter.") } },
});

constexpr WordsRow kUnknown { QT_TRANSLATE_NOOP(
    "KeyWords",
    "Vitrine has no words for this key. One that begins with the name of the "
    "architecture describes the network; others are for whoever wrote them.") };

bool fits(std::string_view key, std::string_view pattern)
{
    const std::size_t star = pattern.find('*');
    const std::string_view start = pattern.substr(0, star);
    if (!key.starts_with(start)) {
        return false;
    }
    if (star == std::string_view::npos) {
        return true;
    }
    key.remove_prefix(start.size());
    const std::string_view rest = pattern.substr(star + 1);
    return rest.ends_with('*') ? key.find(rest.substr(0, rest.size() - 1)) != std::string_view::npos
                               : key.ends_with(rest);
}

const Row* rowOf(std::string_view key)
{
    const auto* row = std::find_if(kRows.begin(), kRows.end(),
                                   [key](const Row& each) { return fits(key, each.pattern); });
    return row != kRows.end() ? row : nullptr;
}

} // namespace

Words about(std::string_view key)
{
    const Row* row = rowOf(key);
    return (row != nullptr ? row->words : kUnknown).in("KeyWords");
}

bool knows(std::string_view key)
{
    return rowOf(key) != nullptr;
}

} // namespace key_words
