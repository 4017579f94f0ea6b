#include "engine/text/vocabulary_loader.h"

#include "engine/text/vocabulary_models.h"

#include <array>
#include <cmath>
#include <limits>

namespace engine::text {

namespace {

constexpr std::string_view kModelKey = "tokenizer.ggml.model";
constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";
constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";
constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";
constexpr std::string_view kBosKey = "tokenizer.ggml.bos_token_id";
constexpr std::string_view kEosKey = "tokenizer.ggml.eos_token_id";
constexpr std::string_view kSeparatorKey = "tokenizer.ggml.seperator_token_id"; // spelled so
constexpr std::string_view kAddBosKey = "tokenizer.ggml.add_bos_token";
constexpr std::string_view kAddEosKey = "tokenizer.ggml.add_eos_token";
constexpr std::string_view kAddSeparatorKey = "tokenizer.ggml.add_sep_token";

constexpr std::string_view kLowerCaseKey = "tokenizer.ggml.normalizer.lowercase";

constexpr std::size_t kBatch = 64; // texts on their way from memory at once
constexpr std::uint64_t kMaxTokens = std::numeric_limits<TokenId>::max() / 2;

bool isTextArray(const gguf::Value& value)
{
    return value.type() == gguf::ValueType::Array && value.elementType() == gguf::ValueType::String;
}

std::string describe(const gguf::Value& value)
{
    std::string text(gguf::valueTypeName(value.type()));
    if (value.type() == gguf::ValueType::Array) {
        text += " of " + std::string(gguf::valueTypeName(value.elementType()));
    }
    return text;
}

} // namespace

VocabularyLoader::VocabularyLoader(std::shared_ptr<const gguf::GgufFile> file,
                                   const TokenizerOptions& options)
    : m_file(std::move(file))
    , m_options(options)
    , m_vocabulary(std::make_shared<Vocabulary>())
    , m_data(*m_vocabulary->m_data)
{
    m_data.file = m_file;
}

Result<LoadedVocabulary> VocabularyLoader::load()
{
    using Step = Result<void> (VocabularyLoader::*)();
    constexpr std::array<Step, 6> kSteps {
        &VocabularyLoader::readModel,      &VocabularyLoader::readTokens,
        &VocabularyLoader::readScores,     &VocabularyLoader::readKinds,
        &VocabularyLoader::readSpecialIds, &VocabularyLoader::readFlags,
    };
    for (const Step step : kSteps) {
        if (auto done = (this->*step)(); !done) {
            return tl::unexpected(std::move(done.error()));
        }
    }
    readChatTemplate();
    findEndTokens();
    findSwallowingTokens();
    return LoadedVocabulary { m_vocabulary, std::move(m_traits), std::move(m_warnings) };
}

Result<void> VocabularyLoader::readModel()
{
    const gguf::Value* value = find(kModelKey);
    if (!value) {
        return failure(ErrorCode::VocabularyKeyMissing, { std::string(kModelKey) },
                       where(kModelKey));
    }
    const auto model = value->asText();
    if (!model) {
        return wrongType(kModelKey, *value, "text");
    }
    for (const KnownModel& known : kKnownModels) {
        if (known.name != *model) {
            continue;
        }
        m_data.model = known.model;
        m_data.bos = known.bos;
        m_data.eos = known.eos;
        m_data.unknown = known.unknown;
        m_data.separator = known.separator;
        m_data.addsBos = known.has(KnownModel::AddsBos);
        m_data.addsEos = known.has(KnownModel::AddsEos);
        m_data.addsSeparator = known.has(KnownModel::AddsSeparator);
        m_traits.addSpacePrefix = known.has(KnownModel::SpacePrefix);
        m_traits.cleanSpaces = known.has(KnownModel::CleansSpaces);
        m_traits.escapesSpaces = known.has(KnownModel::EscapesSpaces);
        return known.model == VocabularyModel::Bpe ? readPreTokenizer() : Result<void>();
    }
    for (const OtherModel& other : kOtherModels) {
        if (other.model == *model) {
            return failure(ErrorCode::TokenizerModelUnsupported,
                           { std::string(*model), std::string(other.name) }, where(kModelKey));
        }
    }
    return failure(ErrorCode::TokenizerModelUnknown, { std::string(*model) }, where(kModelKey));
}

Result<void> VocabularyLoader::readPreTokenizer()
{
    std::string name;
    if (textOf(kModelKey) == "gemma4") {
        name = "gemma4";
    } else if (m_options.pre) {
        name = *m_options.pre;
    } else if (const gguf::Value* value = find(kPreKey)) {
        if (!value->asText()) {
            return wrongType(kPreKey, *value, "text");
        }
        name = *value->asText();
    }
    m_traits.rules = preTokenizerRules(name);
    if (!m_traits.rules) {
        if (name.empty()) {
            warn(ErrorCode::PreTokenizerMissing, {}, kPreKey);
        } else {
            warn(ErrorCode::PreTokenizerUnknown, { name }, kPreKey);
        }
        m_traits.rules = preTokenizerRules("default");
    }
    using Rules = PreTokenizerRules;
    const Rules& rules = *m_traits.rules;
    m_data.addsBos = rules.has(Rules::AddsBos);
    m_data.addsSeparator = rules.has(Rules::AddsSeparator);
    m_traits.cleanSpaces = !rules.has(Rules::KeepsSpaces);
    m_traits.escapesSpaces = rules.has(Rules::RawText);
    if (rules.has(Rules::NoDefaultBos)) {
        m_data.bos = kNoToken;
    }
    // Kimi K2's published files come without merges; the pieces they would make are whole tokens.
    const gguf::Value* merges = find(kMergesKey);
    if (!merges && rules.name != "kimi-k2") {
        return failure(ErrorCode::VocabularyKeyMissing, { std::string(kMergesKey) },
                       where(kMergesKey));
    }
    if (merges && !isTextArray(*merges)) {
        return wrongType(kMergesKey, *merges, "array of string");
    }
    return {};
}

Result<void> VocabularyLoader::readTokens()
{
    const gguf::Value* tokens = find(kTokensKey);
    if (!tokens) {
        return failure(ErrorCode::VocabularyKeyMissing, { std::string(kTokensKey) },
                       where(kTokensKey));
    }
    if (!isTextArray(*tokens)) {
        return wrongType(kTokensKey, *tokens, "array of string");
    }
    if (tokens->count() == 0 || tokens->count() > kMaxTokens) {
        return failure(ErrorCode::VocabularySize, { std::to_string(tokens->count()) },
                       where(kTokensKey));
    }
    // Each element takes 8 bytes at least, so this reserves no more than the file itself could
    // fill.
    m_data.texts.reserve(
        std::min<std::uint64_t>(tokens->count(), tokens->elementBytes().size() / 8 + 1));
    std::uint64_t repeated = 0;
    std::uint64_t empty = 0;
    std::string firstRepeated;
    std::array<std::string_view, kBatch> batch;
    auto cursor = tokens->elements();
    for (std::size_t filled = kBatch; filled == kBatch;) {
        for (filled = 0; filled < kBatch; ++filled) {
            const auto element = cursor.next();
            if (!element) {
                break;
            }
            batch[filled] = element->asText().value_or(std::string_view());
            m_data.texts.expect(batch[filled]);
        }
        for (const std::string_view text : std::span(batch).first(filled)) {
            const auto id = static_cast<TokenId>(m_data.texts.size());
            empty += text.empty();
            const TokenId found = m_data.texts.add(text);
            if (found != id && repeated++ == 0) {
                firstRepeated = std::to_string(id) + " = " + std::to_string(found);
            }
        }
    }
    if (m_data.texts.size() != tokens->count()) {
        return failure(ErrorCode::VocabularyArrayShort,
                       { std::string(kTokensKey), std::to_string(m_data.texts.size()),
                         std::to_string(tokens->count()) },
                       where(kTokensKey));
    }
    m_data.repeats = repeated > 0;
    if (repeated > 0) {
        warn(ErrorCode::TokensRepeated, { std::to_string(repeated), firstRepeated }, kTokensKey);
    }
    if (empty > 0) {
        warn(ErrorCode::TokensEmpty, { std::to_string(empty) }, kTokensKey);
    }
    return {};
}

Result<void> VocabularyLoader::readScores()
{
    const gguf::Value* scores = find(kScoresKey);
    if (!scores) {
        return {};
    }
    const bool integers = scores->elementType() == gguf::ValueType::I32;
    if (scores->type() != gguf::ValueType::Array
        || (!integers && scores->elementType() != gguf::ValueType::F32)) {
        return wrongType(kScoresKey, *scores, "array of f32");
    }
    if (scores->count() < m_data.texts.size()) {
        return failure(ErrorCode::VocabularyArrayShort,
                       { std::string(kScoresKey), std::to_string(scores->count()),
                         std::to_string(m_data.texts.size()) },
                       where(kScoresKey));
    }
    if (integers) {
        warn(ErrorCode::ScoresAreIntegers, {}, kScoresKey);
    }
    m_data.scores.reserve(m_data.texts.size());
    auto cursor = scores->elements();
    while (m_data.scores.size() < m_data.texts.size()) {
        const auto element = cursor.next();
        const auto score = static_cast<float>(element ? element->asNumber().value_or(0) : 0);
        // A score that is not a number has no order; it ranks last instead.
        m_data.scores.push_back(std::isnan(score) ? -std::numeric_limits<float>::infinity()
                                                  : score);
    }
    return {};
}

Result<void> VocabularyLoader::readKinds()
{
    m_data.kinds.assign(m_data.texts.size(), TokenKind::Normal);
    m_data.trusted.assign(m_data.texts.size(), false);
    const gguf::Value* types = find(kTypesKey);
    if (!types) {
        return {};
    }
    const bool isUnsigned = types->elementType() == gguf::ValueType::U32;
    if (types->type() != gguf::ValueType::Array
        || (!isUnsigned && types->elementType() != gguf::ValueType::I32)) {
        return wrongType(kTypesKey, *types, "array of i32");
    }
    if (types->count() < m_data.texts.size()) {
        return failure(ErrorCode::VocabularyArrayShort,
                       { std::string(kTypesKey), std::to_string(types->count()),
                         std::to_string(m_data.texts.size()) },
                       where(kTypesKey));
    }
    if (isUnsigned) {
        warn(ErrorCode::TokenTypesUnsigned, {}, kTypesKey);
    }
    auto cursor = types->elements();
    for (std::size_t id = 0; id < m_data.kinds.size(); ++id) {
        const auto element = cursor.next();
        const std::int64_t number = element ? element->asInteger().value_or(0) : 0;
        const bool known = number >= 0 && number <= static_cast<std::int64_t>(TokenKind::Byte);
        const auto kind = known ? static_cast<TokenKind>(number) : TokenKind::Undefined;
        m_data.kinds[id] = kind;
        m_data.trusted[id] = kind == TokenKind::Control || kind == TokenKind::Unknown;
    }
    return {};
}

Result<void> VocabularyLoader::readSpecialIds()
{
    struct Id
    {
        std::string_view key;
        TokenId& id;
    };
    const std::array<Id, 15> ids { {
        { kBosKey, m_data.bos },
        { kEosKey, m_data.eos },
        { "tokenizer.ggml.eot_token_id", m_eot },
        { "tokenizer.ggml.eom_token_id", m_eom },
        { "tokenizer.ggml.unknown_token_id", m_data.unknown },
        { kSeparatorKey, m_data.separator },
        { "tokenizer.ggml.fim_pre_token_id", m_fimPrefix },
        { "tokenizer.ggml.fim_suf_token_id", m_fimSuffix },
        { "tokenizer.ggml.fim_mid_token_id", m_fimMiddle },
        { "tokenizer.ggml.prefix_token_id", m_fimPrefix },
        { "tokenizer.ggml.suffix_token_id", m_fimSuffix },
        { "tokenizer.ggml.middle_token_id", m_fimMiddle },
        { "tokenizer.ggml.fim_pad_token_id", m_fimPad },
        { "tokenizer.ggml.fim_rep_token_id", m_fimRepository },
        { "tokenizer.ggml.fim_sep_token_id", m_fimSeparator },
    } };
    for (const Id& entry : ids) {
        if (auto done = readId(entry.key, entry.id); !done) {
            return done;
        }
    }
    return {};
}

Result<void> VocabularyLoader::readFlags()
{
    struct Flag
    {
        std::string_view key;
        bool& flag;
    };
    const std::array<Flag, 7> flags { {
        { kAddBosKey, m_data.addsBos },
        { kAddEosKey, m_data.addsEos },
        { kAddSeparatorKey, m_data.addsSeparator },
        { "tokenizer.ggml.add_space_prefix", m_traits.addSpacePrefix },
        { "tokenizer.ggml.remove_extra_whitespaces", m_traits.mergesSpaces },
        { kLowerCaseKey, m_traits.lowersCase },
        { "tokenizer.ggml.normalizer.strip_accents", m_traits.stripsAccents },
    } };
    if (const gguf::Value* lowers = find(kLowerCaseKey)) {
        m_traits.stripsAccents = lowers->asBool().value_or(true); // unless told below
    }
    for (const Flag& entry : flags) {
        if (auto done = readFlag(entry.key, entry.flag); !done) {
            return done;
        }
    }
    if (m_traits.rules && m_traits.rules->has(PreTokenizerRules::AlwaysBos)) {
        m_data.addsBos = true;
    }
    if (m_data.addsBos && m_data.bos == kNoToken) {
        warn(ErrorCode::AddedTokenMissing, { std::string(kAddBosKey), std::string(kBosKey) },
             kBosKey);
        m_data.addsBos = false;
    }
    if (m_data.addsEos && m_data.eos == kNoToken) {
        warn(ErrorCode::AddedTokenMissing, { std::string(kAddEosKey), std::string(kEosKey) },
             kEosKey);
        m_data.addsEos = false;
    }
    if (m_data.model == VocabularyModel::WordPiece && m_data.addsSeparator
        && m_data.separator == kNoToken) {
        warn(ErrorCode::AddedTokenMissing,
             { std::string(kAddSeparatorKey), std::string(kSeparatorKey) }, kSeparatorKey);
        m_data.addsSeparator = false;
    }
    return {};
}

void VocabularyLoader::readChatTemplate()
{
    m_data.templates = StoredTemplates::of(*m_file);
    const gguf::Value* value = find(StoredTemplates::kKey);
    if (value && !value->asText()) {
        warn(ErrorCode::ChatTemplateNotText, { describe(*value) }, StoredTemplates::kKey);
    }
}

Result<void> VocabularyLoader::readId(std::string_view key, TokenId& id)
{
    const auto size = static_cast<std::int64_t>(m_data.texts.size());
    if (id >= size) {
        id = kNoToken; // a default that this vocabulary is too small for
    }
    const gguf::Value* value = find(key);
    if (!value) {
        return {};
    }
    const auto number = value->asInteger();
    if (!number && !value->asUnsigned()) {
        return wrongType(key, *value, "u32");
    }
    if (!number || *number < 0 || *number >= size) {
        warn(ErrorCode::SpecialTokenOutOfRange,
             { std::string(key), value->display(), std::to_string(size) }, key);
        return {};
    }
    if (value->type() != gguf::ValueType::U32) {
        warn(ErrorCode::SpecialTokenType, { std::string(key), describe(*value) }, key,
             gguf::Severity::Note);
    }
    id = static_cast<TokenId>(*number);
    return {};
}

Result<void> VocabularyLoader::readFlag(std::string_view key, bool& flag)
{
    const gguf::Value* value = find(key);
    if (!value) {
        return {};
    }
    if (!value->asBool()) {
        return wrongType(key, *value, "bool");
    }
    flag = *value->asBool();
    return {};
}

tl::unexpected<Error> VocabularyLoader::wrongType(std::string_view key, const gguf::Value& value,
                                                  std::string expected) const
{
    return failure(ErrorCode::VocabularyKeyType,
                   { std::string(key), std::move(expected), describe(value) }, where(key));
}

Where VocabularyLoader::where(std::string_view key) const
{
    Where place { m_file->path(), std::nullopt, std::string(key) };
    if (const gguf::Value* value = find(key)) {
        place.offset = value->span().offset;
    }
    return place;
}

void VocabularyLoader::warn(ErrorCode code, std::vector<std::string> arguments,
                            std::string_view key, gguf::Severity severity)
{
    m_warnings.push_back({ severity, Error { code, std::move(arguments), where(key) } });
}

std::string VocabularyLoader::textOf(std::string_view key) const
{
    const gguf::Value* value = find(key);
    return std::string(value ? value->asText().value_or(std::string_view()) : std::string_view());
}

} // namespace engine::text
