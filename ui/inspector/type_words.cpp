#include "ui/inspector/type_words.h"

#include "engine/gguf/tensor_type.h"

#include <algorithm>
#include <array>

namespace type_words {

namespace {

using enum engine::gguf::TensorType;

constexpr const char* kContext = "TypeWords";
constexpr const char* kScaleIsLast =
    QT_TRANSLATE_NOOP("TypeWords", "The scale d stands last in this block, not first.");

struct Row
{
    engine::gguf::TensorType type;
    WordsRow words;
};

constexpr auto kRows = std::to_array<Row>({
    { F32,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Plain 32-bit floats. Norms and biases are kept so: they are small, and "
                          "rounding them would hurt.") } },
    { F16,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "16-bit floats with 5 bits of exponent and 10 of fraction. Half the size "
                          "of F32; numbers beyond ±65,504 do not fit.") } },
    { BF16,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "The upper half of a 32-bit float: its whole range, with 7 bits of "
                          "fraction. Most models are trained in it.") } },
    { F64,
      { QT_TRANSLATE_NOOP("TypeWords", "64-bit floats: finer than any weight needs, and rare.") } },
    { I8,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Whole numbers of 8 bits, for tables rather than weights. There is no "
                          "scale.") } },
    { I16,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Whole numbers of 16 bits, for tables rather than weights.") } },
    { I32,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Whole numbers of 32 bits: positions, ids and other tables.") } },
    { I64,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Whole numbers of 64 bits: positions, ids and other tables.") } },
    { Q4_0,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "32 weights share the scale d; each is a level of 4 bits, of which 8 "
                          "means zero. Simple and quick; Q4_K is finer at the same size."),
        QT_TRANSLATE_NOOP(
            "TypeWords", "A byte of qs holds weights 16 apart (j and j + 16), not neighbours.") } },
    { Q4_1,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "32 weights share the scale d and the minimum m; each is a level of 4 "
                          "bits. It suits weights that do not lie evenly around zero.") } },
    { Q5_0,
      { QT_TRANSLATE_NOOP(
          "TypeWords", "Q4_0 with a fifth bit for each of the 32 weights, kept apart in qh.") } },
    { Q5_1,
      { QT_TRANSLATE_NOOP(
          "TypeWords", "Q4_1 with a fifth bit for each of the 32 weights, kept apart in qh.") } },
    { Q8_0,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "32 signed bytes under the scale d. Hardly worse than F16 at about half "
                          "its size.") } },
    { Q8_1,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Q8_0 with the sum s of the block beside its scale. Made on the way "
                          "through a calculation, not for files.") } },
    { Q2_K,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights of 2 bits in 16 groups. Each group has a scale and a "
                          "minimum of 4 bits, which d and dmin scale in turn. Small, and lossy."),
        kScaleIsLast } },
    { Q3_K,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights in 16 groups with 6-bit scales under one d. Two bits of a "
                          "weight lie in qs, the third in hmask."),
        kScaleIsLast } },
    { Q4_K,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights of 4 bits in 8 groups. Each group has a scale and a minimum "
                          "of 6 bits, which d and dmin scale in turn. The usual choice."),
        QT_TRANSLATE_NOOP("TypeWords",
                          "scales is no list of bytes: 16 numbers of 6 bits share its 12 "
                          "bytes.") } },
    { Q5_K,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "Q4_K with a fifth bit for each of the 256 weights, kept apart in "
                          "qh.") } },
    { Q6_K,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights in 16 groups with signed 8-bit scales under one d. Four "
                          "bits of a weight lie in ql, two in qh. Very close to the original."),
        kScaleIsLast } },
    { Q8_K,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 signed bytes under a 32-bit scale, with the sums of 16 groups. Made "
                          "on the way through a calculation, not for files.") } },
    { IQ2_XXS,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights: every 8 are one of 256 patterns of a fixed grid, with "
                          "signs and 4-bit scales packed beside. Needs an importance matrix.") } },
    { IQ2_XS,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights: every 8 are one of 512 patterns with their signs; every 16 "
                          "have a 4-bit scale.") } },
    { IQ2_S,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights: every 8 are one of 1,024 patterns (8 bits in qs, 2 in qh), "
                          "each weight has a sign bit, every 16 a 4-bit scale.") } },
    { IQ3_XXS,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights: every 4 are one of 256 patterns; signs and 4-bit scales of "
                          "32 weights each follow the indices.") } },
    { IQ3_S,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights: every 4 are one of 512 patterns (8 bits in qs, 1 in qh), "
                          "each weight has a sign bit, every 32 a 4-bit scale.") } },
    { IQ1_S,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights: every 8 are one of 2,048 patterns of −1, 0 and 1; every 32 "
                          "have a 3-bit scale and a small shift. Only for very large models.") } },
    { IQ1_M,
      { QT_TRANSLATE_NOOP("TypeWords", "IQ1_S with a scale for every 16 weights."),
        QT_TRANSLATE_NOOP("TypeWords",
                          "There is no field d: its 16 bits are spread over the top bits of the "
                          "four scale words.") } },
    { IQ4_NL,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "32 weights under one scale; their 4 bits choose from a table of 16 "
                          "values, which lie closer together near zero.") } },
    { IQ4_XS,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights with the table of IQ4_NL, in 8 groups with 6-bit scales "
                          "that are split into scales_l and scales_h.") } },
    { TQ1_0,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights of −1, 0 or 1 under one scale: a byte holds five of them as "
                          "digits of base 3. For models that were trained so."),
        kScaleIsLast } },
    { TQ2_0,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "256 weights of −1, 0 or 1 under one scale, 2 bits each: larger than "
                          "TQ1_0, quicker to unpack."),
        kScaleIsLast } },
    { MXFP4,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "32 floats of 4 bits (E2M1) under a scale of one byte that is a power of "
                          "two. gpt-oss was published in it."),
        QT_TRANSLATE_NOOP("TypeWords", "The scale is a bare exponent (E8M0), no 16-bit float.") } },
    { NVFP4,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "64 floats of 4 bits (E2M1) in four groups, each with a scale that is a "
                          "float of 8 bits (UE4M3).") } },
    { Q1_0,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "128 weights under one scale, one bit each: either d or −d.") } },
    { Q2_0,
      { QT_TRANSLATE_NOOP("TypeWords",
                          "64 weights under one scale, 2 bits each: −d, 0, d or 2 d.") } },
});

constexpr WordsRow kUnknown { QT_TRANSLATE_NOOP(
    "TypeWords",
    "No type of ggml today: it was removed, belongs to a fork, or the number is "
    "damaged. How large its blocks are is not known, so nothing can be decoded.") };

} // namespace

Words about(std::uint32_t number)
{
    const auto* row = std::find_if(kRows.begin(), kRows.end(), [number](const Row& each) {
        return static_cast<std::uint32_t>(each.type) == number;
    });
    return (row != kRows.end() ? row->words : kUnknown).in(kContext);
}

} // namespace type_words
