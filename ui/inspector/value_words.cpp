#include "ui/inspector/value_words.h"

#include <array>

namespace value_words {

namespace {

using engine::gguf::ValueType;

// By number.
constexpr auto kRows = std::to_array<WordsRow>({
    { QT_TRANSLATE_NOOP("ValueWords", "One byte, 0 to 255.") },
    { QT_TRANSLATE_NOOP("ValueWords", "One byte with a sign, −128 to 127.") },
    { QT_TRANSLATE_NOOP("ValueWords",
                        "Two bytes, 0 to 65,535. The parts of a split model are counted so.") },
    { QT_TRANSLATE_NOOP("ValueWords", "Two bytes with a sign, −32,768 to 32,767.") },
    { QT_TRANSLATE_NOOP("ValueWords",
                        "Four bytes, 0 to 4,294,967,295. Most sizes of a model are stored so."),
      QT_TRANSLATE_NOOP("ValueWords",
                        "The specification has uint64 for some sizes; llama.cpp refuses them in "
                        "any type but u32.") },
    { QT_TRANSLATE_NOOP("ValueWords",
                        "Four bytes with a sign. The kinds of tokens are stored so.") },
    { QT_TRANSLATE_NOOP("ValueWords", "Four bytes: a floating-point number of 32 bits.") },
    { QT_TRANSLATE_NOOP("ValueWords", "One byte: 0 is false, 1 is true."),
      QT_TRANSLATE_NOOP("ValueWords",
                        "It takes a whole byte; llama.cpp reads anything but 0 as true.") },
    { QT_TRANSLATE_NOOP("ValueWords", "The length in 8 bytes, then so many bytes of UTF-8 text."),
      QT_TRANSLATE_NOOP("ValueWords", "No zero byte ends it, and none is counted.") },
    { QT_TRANSLATE_NOOP("ValueWords",
                        "The type of the elements in 4 bytes, their number in 8, then the "
                        "elements without anything in between."),
      QT_TRANSLATE_NOOP("ValueWords",
                        "The number has 64 bits, and elements carry no type of their own.") },
    { QT_TRANSLATE_NOOP("ValueWords", "Eight bytes, 0 to 18,446,744,073,709,551,615."),
      QT_TRANSLATE_NOOP("ValueWords",
                        "The types of 64 bits were added last: their numbers are 10 to 12, after "
                        "string and array.") },
    { QT_TRANSLATE_NOOP("ValueWords", "Eight bytes with a sign.") },
    { QT_TRANSLATE_NOOP("ValueWords", "Eight bytes: a floating-point number of 64 bits.") },
});

} // namespace

QString title(ValueType type)
{
    const auto name = engine::gguf::valueTypeName(type);
    return QCoreApplication::translate("ValueWords", "Value type %1: %2")
        .arg(static_cast<std::uint32_t>(type))
        .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
}

Words about(ValueType type)
{
    const auto number = static_cast<std::size_t>(type);
    return number < kRows.size() ? kRows[number].in("ValueWords") : Words();
}

} // namespace value_words
