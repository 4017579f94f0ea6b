#include "engine/text/pretokenizer_rules.h"

#include <algorithm>
#include <array>

// The patterns are those of the models' own tokenizer files, as the GGUF reference applies them.
// Where it departs from the original (letter case told apart in ASCII only), so do we: files are
// made and judged with it. White space is spelled out, since PCRE2's \s also has U+180E. Repeats
// stand over single characters or are possessive, so that a match needs no stack per character.

// clang-format off
#define SPACE "\\p{Z}\\t-\\r\\x{85}" /* inside a class: Unicode White_Space */
#define CONTRACTION "'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])"
#define HEAD "[^\\r\\n\\p{L}\\p{N}]?" /* one character that may lead a word: a space, a quote */
#define SPACE_TAIL "[" SPACE "]*[\\r\\n]+|[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+"

#define GPT2 \
    "'(?:[stmd]|re|ve|ll)| ?\\p{L}+| ?\\p{N}+| ?[^" SPACE "\\p{L}\\p{N}]+" \
    "|[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+"
/* The family of cl100k: contractions in any case, words with a leading character, punctuation with its newlines. */
#define WORDS(contraction, letters, numbers, others) \
    contraction HEAD letters "+|" numbers "| ?[^" SPACE others "]+[\\r\\n]*|" SPACE_TAIL
#define LLAMA3 WORDS(CONTRACTION "|", "\\p{L}", "\\p{N}{1,3}", "\\p{L}\\p{N}")
#define QWEN2 WORDS(CONTRACTION "|", "\\p{L}", "\\p{N}", "\\p{L}\\p{N}")
/* The family of o200k: a word ends where lower case turns into upper case. */
#define CASED_WORDS(upper, lower, contraction, numbers) \
    HEAD upper "*" lower "+" contraction "|" HEAD upper "+" lower "*" contraction "|" numbers \
    "| ?[^" SPACE "\\p{L}\\p{N}]+[\\r\\n/]*|" SPACE_TAIL
#define UPPER "[^\\P{L}a-z]"
#define LOWER "[^\\P{L}A-Z]"
#define UPPER_OR_MARK "[^\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}a-z]"
#define LOWER_OR_MARK "[^\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}A-Z]"
#define UNCASED_WORDS(numbers) \
    HEAD "[\\p{L}\\p{M}]+(?:" CONTRACTION ")?|" numbers "| ?[^" SPACE "\\p{L}\\p{N}]+[\\r\\n/]*|" SPACE_TAIL
#define HAN \
    "\\x{3400}-\\x{4dbf}\\x{4e00}-\\x{9fff}\\x{f900}-\\x{faff}\\x{20000}-\\x{2a6df}\\x{2a700}-\\x{2ebef}" \
    "\\x{2f800}-\\x{2fa1f}"
#define CJK "[\\x{4e00}-\\x{9fa5}\\x{3040}-\\x{30ff}]+"
/* U+0800 to U+9FA5 without white space, and Hangul */
#define OLD_CJK \
    "[\\x{800}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}" \
    "\\x{2060}-\\x{2fff}\\x{3001}-\\x{9fa5}\\x{ac00}-\\x{d7ff}]+"
#define DEEPSEEK_WORDS(newlines) \
    "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+" \
    "| ?[\\p{P}\\p{S}]+" newlines "|[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+"
#define CASED_LETTERS \
    "A-Za-z\\x{b5}\\x{c0}-\\x{d6}\\x{d8}-\\x{f6}\\x{f8}-\\x{1ba}\\x{1bc}-\\x{1bf}" \
    "\\x{1c4}-\\x{293}\\x{295}-\\x{2af}\\x{370}-\\x{373}\\x{376}\\x{377}\\x{37b}-\\x{37d}" \
    "\\x{37f}\\x{386}\\x{388}-\\x{38a}\\x{38c}\\x{38e}-\\x{3a1}\\x{3a3}-\\x{3f5}" \
    "\\x{3f7}-\\x{481}\\x{48a}-\\x{52f}\\x{531}-\\x{556}\\x{10a0}-\\x{10c5}" \
    "\\x{13a0}-\\x{13f5}\\x{13f8}-\\x{13fd}\\x{1c90}-\\x{1cba}\\x{1cbd}-\\x{1cbf}" \
    "\\x{1d00}-\\x{1d2b}\\x{1d6b}-\\x{1d77}\\x{1d79}-\\x{1d9a}\\x{1e00}-\\x{1f15}" \
    "\\x{1f18}-\\x{1f1d}\\x{1f20}-\\x{1f45}\\x{1f48}-\\x{1f4d}\\x{1f50}-\\x{1f57}\\x{1f59}" \
    "\\x{1f5b}\\x{1f5d}\\x{1f5f}-\\x{1f7d}\\x{1f80}-\\x{1fb4}\\x{1fb6}-\\x{1fbc}\\x{1fbe}" \
    "\\x{1fc2}-\\x{1fc4}\\x{1fc6}-\\x{1fcc}\\x{1fd0}-\\x{1fd3}\\x{1fd6}-\\x{1fdb}" \
    "\\x{1fe0}-\\x{1fec}\\x{1ff2}-\\x{1ff4}\\x{1ff6}-\\x{1ffc}\\x{2102}\\x{2107}" \
    "\\x{210a}-\\x{2113}\\x{2115}\\x{2119}-\\x{211d}\\x{2124}\\x{2126}\\x{2128}" \
    "\\x{212a}-\\x{212d}\\x{212f}-\\x{2134}\\x{2139}\\x{213c}-\\x{213f}\\x{2145}-\\x{2149}" \
    "\\x{214e}\\x{2183}\\x{2184}\\x{2c00}-\\x{2c7b}\\x{2c7e}-\\x{2ce4}\\x{2ceb}-\\x{2cee}" \
    "\\x{2cf2}\\x{2cf3}\\x{a640}-\\x{a66d}\\x{a680}-\\x{a69b}\\x{a722}-\\x{a76f}" \
    "\\x{a771}-\\x{a787}\\x{a78b}-\\x{a78e}\\x{ab70}-\\x{abbf}\\x{fb00}-\\x{fb06}" \
    "\\x{fb13}-\\x{fb17}\\x{ff21}-\\x{ff3a}\\x{ff41}-\\x{ff5a}\\x{10400}-\\x{1044f}" \
    "\\x{104b0}-\\x{104d3}\\x{104d8}-\\x{104fb}\\x{10c80}-\\x{10cb2}\\x{10cc0}-\\x{10cf2}" \
    "\\x{118a0}-\\x{118df}\\x{1e900}-\\x{1e943}"
// clang-format on

namespace engine::text {

namespace {

using Kind = SplitStep::Kind;

constexpr std::array kGpt2 { SplitStep { Kind::Pieces, GPT2 } };
constexpr std::array kDefault {
    SplitStep { Kind::Pieces, "[\\p{P}$+<=>^~|]+" },
    SplitStep { Kind::Pieces, GPT2 },
    SplitStep { Kind::Pieces, "\\p{N}+" },
    SplitStep { Kind::Pieces, "[0-9][0-9][0-9]" },
};
constexpr std::array kFalcon {
    SplitStep { Kind::Pieces, "[\\p{P}$+<=>^~|`]+" },
    SplitStep { Kind::Pieces, GPT2 },
    SplitStep { Kind::Pieces, "[0-9][0-9][0-9]" },
};
constexpr std::array kStarcoder {
    SplitStep { Kind::Pieces, "\\p{N}" },
    SplitStep { Kind::Pieces, GPT2 },
};
constexpr std::array kLlama3 { SplitStep { Kind::Pieces, LLAMA3 } };
constexpr std::array kQwen2 { SplitStep { Kind::Pieces, QWEN2 } };
constexpr std::array kQwen35 { SplitStep {
    Kind::Pieces, WORDS(CONTRACTION "|", "[\\p{L}\\p{M}]", "\\p{N}", "\\p{L}\\p{M}\\p{N}") } };
constexpr std::array kUfakzeka { SplitStep { Kind::Pieces,
                                             WORDS("", "\\p{L}", "\\p{N}", "\\p{L}\\p{N}") } };
constexpr std::array kK2Horizon { SplitStep {
    Kind::Pieces,
    WORDS(CONTRACTION "|", "[\\p{L}\\p{M}\\x{200c}\\x{200d}]", "\\p{N}{1,3}", "\\p{L}\\p{N}") } };
constexpr std::array kMinicpm5 {
    SplitStep { Kind::Pieces, "\\p{N}{1,3}" },
    SplitStep { Kind::Pieces, WORDS(CONTRACTION "|", "\\p{L}", "\\p{N}+", "\\p{L}\\p{N}") },
};
constexpr std::array kLaguna {
    SplitStep { Kind::Pieces, "[^\\n]+|\\n+" },
    SplitStep { Kind::Pieces, QWEN2 },
};
constexpr std::array kSeedCoder { SplitStep { Kind::Pieces,
                                              CONTRACTION "|" HEAD "\\p{L}+|\\p{N}| ?[^" SPACE
                                                          "\\p{L}\\p{N}\\r\\n]+|" SPACE_TAIL } };
constexpr std::array kExaoneMoe { SplitStep {
    Kind::Pieces,
    CONTRACTION "|" HEAD "(?:\\p{L}\\p{M}*+(?: \\p{L}\\p{M}*+)*+)++|\\p{N}"
                "| ?[^" SPACE "\\p{L}\\p{N}]+[\\r\\n/]?|[" SPACE "]*[\\r\\n]"
                "|[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+" } };
constexpr std::array kJais2 { SplitStep {
    Kind::Pieces,
    CONTRACTION
    "|" HEAD "\\p{L}+|\\p{N}{1,3}| ?[^" SPACE "\\p{L}\\p{N}]+[\\r\\n]*"
    "|[" SPACE "]*[\\r\\n]+|[" SPACE "]{512}(?![^" SPACE "])|[" SPACE "]{256}(?![^" SPACE "])"
    "|[" SPACE "]{128}(?![^" SPACE "])|[" SPACE "]{64}(?![^" SPACE "])|[" SPACE "]{32}(?![^" SPACE
    "])"
    "|[" SPACE "]{16}(?![^" SPACE "])|[" SPACE "]{8}(?![^" SPACE "])|[" SPACE "]{4}(?![^" SPACE "])"
    "|[" SPACE "]{1,2}(?![^" SPACE "])|[" SPACE "]" } };
constexpr std::array kTekken { SplitStep { Kind::Pieces,
                                           CASED_WORDS(UPPER, LOWER, "", "\\p{N}") } };
constexpr std::array kGpt4o { SplitStep {
    Kind::Pieces, CASED_WORDS(UPPER, LOWER, "(?:" CONTRACTION ")?", "\\p{N}{1,3}") } };
constexpr std::array kGraniteMultilingual { SplitStep {
    Kind::Pieces,
    CASED_WORDS(UPPER_OR_MARK, LOWER_OR_MARK, "(?:" CONTRACTION ")?", "\\p{N}{1,3}") } };
constexpr std::array kYoutu {
    SplitStep { Kind::Pieces,
                "[\\x{ac00}-\\x{d7a3}\\x{3131}-\\x{318e}]+"
                "|[\\x{ff01}\\x{2026}\\x{201c}\\x{201d}\\x{2018}\\x{2019}\\x{2014}\\x{ff1a}\\x{"
                "ff1b}\\x{ff0c}"
                "\\x{3001}-\\x{303f}\\x{fe30}-\\x{fe4f}]+|[\\x{3105}-\\x{312f}]+|" CJK },
    SplitStep { Kind::Pieces, UNCASED_WORDS("\\p{N}") },
};
constexpr std::array kTinyAya {
    SplitStep { Kind::GroupedDigits, "\\p{N}+" },
    SplitStep { Kind::Pieces, UNCASED_WORDS("\\p{N}{1,3}") },
};
constexpr std::array kKimiK2 { SplitStep { Kind::Pieces,
                                           "[" HAN "]+|" HEAD "[^\\P{L}" HAN "]+(?:" CONTRACTION
                                           ")?|\\p{N}{1,3}"
                                           "| ?[^" SPACE "\\p{L}\\p{N}]+[\\r\\n]*|" SPACE_TAIL } };
constexpr std::array kSuperbpe {
    SplitStep { Kind::Pieces, "\\p{N}+" },
    SplitStep { Kind::GroupedInside, "[0-9]+" },
};
constexpr std::array kBloom { SplitStep {
    Kind::Pieces,
    " ?[^(" SPACE "|.,!?\\x{2026}\\x{3002}\\x{ff0c}\\x{3001}\\x{964}\\x{6d4}\\x{60c})]+" } };
constexpr std::array kViking {
    kBloom[0],
    SplitStep { Kind::Pieces, "\\p{N}" },
};
constexpr std::array kDeepseekLlm {
    SplitStep { Kind::Pieces, "[\\r\\n]" },
    SplitStep { Kind::Pieces, "[" SPACE "]?[" CASED_LETTERS "]+" },
    SplitStep {
        Kind::Pieces,
        "[" SPACE
        "]?[!-/:-~\\x{ff01}-\\x{ff0f}\\x{ff1a}-\\x{ff5e}\\x{2018}-\\x{201f}\\x{3001}\\x{3002}]+" },
    SplitStep { Kind::Pieces, "(?<![" SPACE "])[" SPACE "]++\\z" },
    SplitStep { Kind::Pieces, OLD_CJK },
    SplitStep { Kind::Pieces, "\\p{N}+" },
};
constexpr std::array kDeepseekCoder {
    SplitStep { Kind::Pieces, "[\\r\\n]" },
    SplitStep { Kind::Pieces, "[" SPACE "]?\\p{L}+" },
    SplitStep { Kind::Pieces, "[" SPACE "]?\\p{P}+" },
    SplitStep { Kind::Pieces, OLD_CJK },
    SplitStep { Kind::Pieces, "\\p{N}" },
};
constexpr std::array kDeepseekV3 {
    SplitStep { Kind::Pieces, "\\p{N}{1,3}" },
    SplitStep { Kind::Pieces, CJK },
    SplitStep { Kind::Pieces, DEEPSEEK_WORDS("[\\r\\n]*|[" SPACE "]*[\\r\\n]+") },
};
constexpr std::array kSpark {
    SplitStep { Kind::Pieces, "\\p{N}{1,3}" },
    SplitStep { Kind::Pieces, CJK },
    SplitStep { Kind::Pieces, DEEPSEEK_WORDS("|[\\r\\n]") },
    SplitStep { Kind::Pieces, "\\p{N}" },
};
// The reference holds the compatibility ideographs' first character (U+F900) in its normalized
// form, U+8C48.
constexpr std::array kAfmoe {
    SplitStep { Kind::GroupedDigits, "\\p{N}+" },
    SplitStep { Kind::Pieces,
                "[\\x{4e00}-\\x{9fff}\\x{3400}-\\x{4dbf}\\x{8c48}-\\x{faff}\\x{3040}-\\x{30ff}\\x{"
                "ff65}-\\x{ff9f}"
                "\\x{2f00}-\\x{2fdf}\\x{e40}-\\x{eff}\\x{1780}-\\x{17ff}\\x{1000}-\\x{109f}\\x{"
                "aa60}-\\x{aa7f}"
                "\\x{a9e0}-\\x{a9ff}\\x{ac00}-\\x{d7af}\\x{1100}-\\x{11ff}]+" },
    SplitStep { Kind::Pieces, DEEPSEEK_WORDS("[\\r\\n]*|[" SPACE "]*[\\r\\n]+") },
};
constexpr std::array kChameleon {
    SplitStep { Kind::Pieces, "<sentinel:[0-9]+>" },
    SplitStep { Kind::Pieces, "IMGIMG[A-I]{1,4}Z" },
    SplitStep { Kind::Pieces, "[\\t\\n]|    |  " },
    SplitStep { Kind::Pieces, "\\p{N}" },
    SplitStep { Kind::Pieces, "[\\p{P}!-/:-@\\[-`{-~]" },
    SplitStep { Kind::Pieces, GPT2 },
};
constexpr std::array kLines { SplitStep { Kind::Pieces, "[^\\n]+|\\n+" } };

using Rules = PreTokenizerRules;
constexpr unsigned kKeep = Rules::KeepsSpaces;
constexpr unsigned kLlama3Traits = Rules::WholeWords | Rules::AddsBos;
constexpr unsigned kGemmaTraits = Rules::RawText | Rules::NewlineRuns | Rules::AlwaysBos;

constexpr auto kTable = std::to_array<PreTokenizerRules>({
    { "default", kDefault, 0 },
    { "llama3", kLlama3, kLlama3Traits },
    { "llama-v3", kLlama3, kLlama3Traits },
    { "llama-bpe", kLlama3, kLlama3Traits },
    { "falcon3", kLlama3, kLlama3Traits },
    { "falcon-h1", kLlama3, kLlama3Traits },
    { "pixtral", kLlama3, kLlama3Traits },
    { "midm-2.0", kLlama3, kLlama3Traits },
    { "lfm2", kLlama3, kLlama3Traits },
    { "jina-v5-nano", kLlama3, kLlama3Traits },
    { "dbrx", kLlama3, 0 },
    { "smaug-bpe", kLlama3, 0 },
    { "chatglm-bpe", kLlama3, Rules::NoDefaultBos },
    { "glm4", kLlama3, Rules::NoDefaultBos | Rules::WholeWords },
    { "glm5", kLlama3, Rules::NoDefaultBos | Rules::WholeWords },
    { "gpt-2", kGpt2, 0 },
    { "phi-2", kGpt2, 0 },
    { "jina-es", kGpt2, 0 },
    { "jina-de", kGpt2, 0 },
    { "gigachat", kGpt2, 0 },
    { "jina-v2-es", kGpt2, 0 },
    { "jina-v2-de", kGpt2, 0 },
    { "a.x-4.0", kGpt2, 0 },
    { "mellum", kGpt2, 0 },
    { "modern-bert", kGpt2, 0 },
    { "mpt", kGpt2, 0 },
    { "olmo", kGpt2, 0 },
    { "jais", kGpt2, 0 },
    { "exaone4", kGpt2, 0 },
    { "trillion", kGpt2, kKeep },
    { "granite-docling", kGpt2, kKeep },
    { "jina-v1-en", kGpt2, Rules::AddsSeparator },
    { "jina-v2-code", kGpt2, Rules::AddsSeparator },
    { "roberta-bpe", kGpt2, Rules::AddsSeparator },
    { "starcoder", kStarcoder, 0 },
    { "refact", kStarcoder, 0 },
    { "codeshell", kStarcoder, 0 },
    { "exaone", kStarcoder, 0 },
    { "minerva-7b", kStarcoder, 0 },
    { "mellum2", kStarcoder, 0 },
    { "command-r", kStarcoder, kKeep },
    { "smollm", kStarcoder, kKeep },
    { "qwen2", kQwen2, kKeep },
    { "deepseek-r1-qwen", kQwen2, kKeep },
    { "kormo", kQwen2, kKeep },
    { "f2llmv2", kQwen2, kKeep },
    { "bailingmoe", kQwen2, kKeep },
    { "bailingmoe2", kQwen2, kKeep },
    { "llada-moe", kQwen2, kKeep },
    { "hunyuan", kQwen2, kKeep },
    { "grok-2", kQwen2, kKeep },
    { "solar-open", kQwen2, kKeep },
    { "stablelm2", kQwen2, 0 },
    { "megrez", kQwen2, 0 },
    { "ufakzeka", kUfakzeka, kKeep },
    { "qwen35", kQwen35, kKeep },
    { "k2-horizon", kK2Horizon, kKeep },
    { "minicpm5", kMinicpm5, Rules::WholeWords },
    { "laguna", kLaguna, kKeep },
    { "seed-coder", kSeedCoder, kKeep },
    { "exaone-moe", kExaoneMoe, 0 },
    { "jais-2", kJais2, 0 },
    { "tekken", kTekken, kKeep | kLlama3Traits },
    { "gpt-4o", kGpt4o, kKeep },
    { "llama4", kGpt4o, kKeep },
    { "kanana2", kGpt4o, kKeep },
    { "talkie", kGpt4o, kKeep },
    { "minimax-m2", kGpt4o, kKeep },
    { "granite-embed-multi-97m", kGraniteMultilingual, kKeep | Rules::WholeWords },
    { "youtu", kYoutu, kKeep | Rules::WholeWords },
    { "tiny_aya", kTinyAya, kKeep },
    { "cohere2moe", kTinyAya, kKeep },
    { "kimi-k2", kKimiK2, kKeep },
    { "superbpe", kSuperbpe, kKeep },
    { "bloom", kBloom, 0 },
    { "gpt3-finnish", kBloom, 0 },
    { "poro-chat", kBloom, kKeep },
    { "viking", kViking, kKeep },
    { "falcon", kFalcon, 0 },
    { "deepseek-llm", kDeepseekLlm, kKeep },
    { "deepseek-coder", kDeepseekCoder, kKeep },
    { "deepseek-v3", kDeepseekV3, kKeep },
    { "hunyuan-dense", kDeepseekV3, kKeep },
    { "hy_v4", kDeepseekV3, kKeep },
    { "joyai-llm", kDeepseekV3, kKeep },
    { "spark2_5", kSpark, kKeep },
    { "afmoe", kAfmoe, kKeep },
    { "chameleon", kChameleon, kKeep | Rules::AddsBos },
    { "gemma4", kLines, kGemmaTraits },
    { "granite-embed-multi-311m", kLines, kKeep | kGemmaTraits },
    { "mmbert", kLines, kKeep | Rules::RawText },
    { "sarvam-moe", kLines, kKeep | Rules::RawText },
});

} // namespace

const PreTokenizerRules* preTokenizerRules(std::string_view name)
{
    const auto found = std::find_if(kTable.begin(), kTable.end(),
                                    [&](const PreTokenizerRules& row) { return row.name == name; });
    return found == kTable.end() ? nullptr : &*found;
}

std::span<const PreTokenizerRules> allPreTokenizerRules()
{
    return kTable;
}

} // namespace engine::text
