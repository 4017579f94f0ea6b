// Reads and validates the vocabulary of a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary.h"
#include "engine/text/vocabulary_data.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

/// A vocabulary with the behaviour around it and what the user must be told.
struct LoadedVocabulary
{
    std::shared_ptr<const Vocabulary> vocabulary;
    TokenizerTraits traits;
    std::vector<gguf::Problem> warnings;
};

/// One use: construct, load, throw away.
class VocabularyLoader
{
public:
    VocabularyLoader(std::shared_ptr<const gguf::GgufFile> file, const TokenizerOptions& options);

    /// Errors name the metadata key in Error::where.
    [[nodiscard]] Result<LoadedVocabulary> load();

private:
    Result<void> readModel();
    Result<void> readPreTokenizer();
    Result<void> readTokens();
    Result<void> readScores();
    Result<void> readKinds();
    Result<void> readSpecialIds();
    Result<void> readFlags();
    void readChatTemplate();

    // special_tokens_by_text.cpp: what the file does not say is told by well-known token texts
    void findEndTokens();
    TokenId firstOf(std::span<const std::string_view> texts);
    void makeControl(TokenId id);
    void showChannels();
    void dropFalseEnds(std::vector<TokenId>& ends);
    void findSwallowingTokens();

    [[nodiscard]] const gguf::Value* find(std::string_view key) const { return m_file->find(key); }
    [[nodiscard]] tl::unexpected<Error> wrongType(std::string_view key, const gguf::Value& value,
                                                  std::string expected) const;
    [[nodiscard]] Where where(std::string_view key) const;
    void warn(ErrorCode code, std::vector<std::string> arguments, std::string_view key,
              gguf::Severity severity = gguf::Severity::Warning);
    Result<void> readId(std::string_view key, TokenId& id);
    Result<void> readFlag(std::string_view key, bool& flag);
    [[nodiscard]] std::string textOf(std::string_view key) const;

    std::shared_ptr<const gguf::GgufFile> m_file;
    TokenizerOptions m_options;
    std::shared_ptr<Vocabulary> m_vocabulary;
    Vocabulary::Data& m_data;
    TokenizerTraits m_traits;
    std::vector<gguf::Problem> m_warnings;
    TokenId m_eot = kNoToken;
    TokenId m_eom = kNoToken;
    // fill-in-the-middle tokens: three of them end an answer, the others are control tokens
    // whatever the file says
    TokenId m_fimPrefix = kNoToken;
    TokenId m_fimSuffix = kNoToken;
    TokenId m_fimMiddle = kNoToken;
    TokenId m_fimPad = kNoToken;
    TokenId m_fimRepository = kNoToken;
    TokenId m_fimSeparator = kNoToken;
};

} // namespace engine::text
