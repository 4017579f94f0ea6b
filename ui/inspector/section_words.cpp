#include "ui/inspector/section_words.h"

namespace section_words {

namespace {

using Kind = engine::gguf::Section::Kind;

constexpr const char* kContext = "SectionWords";

struct Row
{
    const char* title;
    WordsRow words;
};

constexpr Row kHeader {
    QT_TRANSLATE_NOOP("SectionWords", "Header"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "Says that this is a GGUF file, of which version, and how many tensors "
                        "and metadata entries follow. It has the same size in every model."),
      QT_TRANSLATE_NOOP("SectionWords",
                        "The number of tensors comes first (tensor_count), then that of metadata "
                        "entries (metadata_kv_count).") },
};
constexpr Row kMetadata {
    QT_TRANSLATE_NOOP("SectionWords", "Metadata"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "Keys and values that describe the model: its architecture and sizes, its "
                        "tokenizer, where it comes from. A reader needs them before any weight."),
      QT_TRANSLATE_NOOP("SectionWords",
                        "There are 13 types of values, numbered 0 to 12; u64, i64 and f64 (10, 11, "
                        "12) stand after array (9).") },
};
constexpr Row kDirectory {
    QT_TRANSLATE_NOOP("SectionWords", "Tensor directory"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "One entry for each tensor: name, shape, type, and where its weights lie. "
                        "Offsets count from the start of the tensor data, not of the file."),
      QT_TRANSLATE_NOOP("SectionWords",
                        "Each dimension takes 64 bits, and the first is the length of a row: the "
                        "reverse of the order that PyTorch and NumPy show.") },
};
constexpr Row kPadding {
    QT_TRANSLATE_NOOP("SectionWords", "Padding"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "Fills up to the next multiple of the alignment, so that weights can be "
                        "used where they are mapped. 32 bytes unless general.alignment differs."),
      nullptr },
};
constexpr Row kData {
    QT_TRANSLATE_NOOP("SectionWords", "Tensor data"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "The weights: each tensor in its own type, row after row, without any "
                        "header of its own. The directory alone says what lies where."),
      QT_TRANSLATE_NOOP("SectionWords",
                        "A file has no single type. general.file_type is a label; what counts is "
                        "the type of each tensor.") },
};
constexpr Row kGap {
    QT_TRANSLATE_NOOP("SectionWords", "Gap"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "Bytes that no part of the file accounts for. Where a defect stops the "
                        "reading, all that follows counts as such."),
      nullptr },
};
constexpr Row kTrailing {
    QT_TRANSLATE_NOOP("SectionWords", "Past the end"),
    { QT_TRANSLATE_NOOP("SectionWords",
                        "Bytes after the last tensor. Readers ignore them; when parts of a split "
                        "model were joined with cat, the next part lies here."),
      nullptr },
};

const Row& rowOf(Kind kind)
{
    switch (kind) {
    case Kind::Header:
        return kHeader;
    case Kind::Metadata:
        return kMetadata;
    case Kind::Directory:
        return kDirectory;
    case Kind::Padding:
        return kPadding;
    case Kind::Data:
        return kData;
    case Kind::Gap:
        return kGap;
    case Kind::Trailing:
        break;
    }
    return kTrailing;
}

} // namespace

QString title(Kind kind)
{
    return QCoreApplication::translate(kContext, rowOf(kind).title);
}

Words about(Kind kind)
{
    return rowOf(kind).words.in(kContext);
}

Words aboutTheFile()
{
    constexpr WordsRow kFile {
        QT_TRANSLATE_NOOP("SectionWords",
                          "One file with all that a model needs: what it is (metadata), which "
                          "tensors it has (directory), and their weights, ready to be mapped into "
                          "memory."),
        QT_TRANSLATE_NOOP("SectionWords",
                          "No code is in it, but a chat template is a small program: it runs "
                          "when one chats.")
    };
    return kFile.in(kContext);
}

} // namespace section_words
