#include "engine/text/vocabulary.h"

#include "engine/text/vocabulary_data.h"

#include <algorithm>

namespace engine::text {

Vocabulary::Vocabulary()
    : m_data(std::make_unique<Data>())
{
}

Vocabulary::~Vocabulary() = default;

VocabularyModel Vocabulary::model() const
{
    return m_data->model;
}

std::int32_t Vocabulary::size() const
{
    return static_cast<std::int32_t>(m_data->texts.size());
}

std::string_view Vocabulary::text(TokenId id) const
{
    return valid(id) ? m_data->texts.text(id) : std::string_view();
}

TokenKind Vocabulary::kind(TokenId id) const
{
    return valid(id) ? m_data->kinds[static_cast<std::size_t>(id)] : TokenKind::Undefined;
}

float Vocabulary::score(TokenId id) const
{
    return valid(id) && !m_data->scores.empty() ? m_data->scores[static_cast<std::size_t>(id)] : 0;
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const
{
    return m_data->texts.find(text);
}

void Vocabulary::expect(std::string_view text) const
{
    m_data->texts.expect(text);
}

bool Vocabulary::hasRepeats() const
{
    return m_data->repeats;
}

bool Vocabulary::needsTrust(TokenId id) const
{
    return valid(id) && m_data->trusted[static_cast<std::size_t>(id)];
}

TokenId Vocabulary::bos() const
{
    return m_data->bos;
}

TokenId Vocabulary::eos() const
{
    return m_data->eos;
}

TokenId Vocabulary::unknown() const
{
    return m_data->unknown;
}

TokenId Vocabulary::separator() const
{
    return m_data->separator;
}

bool Vocabulary::addsBos() const
{
    return m_data->addsBos;
}

bool Vocabulary::addsEos() const
{
    return m_data->addsEos;
}

bool Vocabulary::addsSeparator() const
{
    return m_data->addsSeparator;
}

bool Vocabulary::endsGeneration(TokenId id) const
{
    return std::binary_search(m_data->endTokens.begin(), m_data->endTokens.end(), id);
}

std::span<const TokenId> Vocabulary::endTokens() const
{
    return m_data->endTokens;
}

std::optional<std::string_view> Vocabulary::chatTemplate() const
{
    return m_data->templates.own;
}

const StoredTemplates& Vocabulary::chatTemplates() const
{
    return m_data->templates;
}

} // namespace engine::text
