// The blocks of one message as its rows show them.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/shown_message.h"

#include "ui/chat/code/code_lexer.h"
#include "ui/chat/markdown/character_end.h"
#include "ui/chat/question_blocks.h"

#include <algorithm>

namespace {

/// Code longer than this can be folded; longer than the second one it is, when a chat is opened.
constexpr int kFoldableLines = 20;
constexpr int kFoldedLines = 60;
/// A view lays a piece of reasoning out again whenever it grows.
constexpr qsizetype kThought = 1'500;
constexpr qsizetype kMargin = 64;

} // namespace

ShownMessage::ShownMessage(const app::MessageRecord& message)
    : m_question(message.role == app::MessageRecord::Role::User)
{
    if (m_question) {
        m_asked = questionBlocks(message.text);
        if (m_asked.size() > 1) {
            m_folded.insert(0);
        }
    } else {
        appendThoughts(message.reasoning);
        m_stream.append(message.text);
        if (message.whole) {
            m_stream.finish();
            const QList<Block>& all = blocks();
            for (int first = 0; first + 1 < all.size(); ++first) {
                const Block& block = all.at(first);
                if (block.kind == Block::Kind::Code && !block.continues
                    && all.at(first + 1).continues
                    && block.content.text.count(u'\n') >= kFoldedLines - 1) {
                    m_folded.insert(first);
                }
            }
        }
    }
    m_revisions.resize(blocks().size());
}

qsizetype ShownMessage::appendThoughts(const QString& text)
{
    if (text.isEmpty()) {
        return m_thoughts.size();
    }
    if (m_thoughts.isEmpty()) {
        m_thoughts << QString();
    }
    const qsizetype first = m_thoughts.size() - 1;
    m_thoughts.last() += text;
    // Where a piece ends depends on its own text alone, not on how it came.
    while (m_thoughts.constLast().size() > kThought + kMargin) {
        QString& piece = m_thoughts.last();
        const qsizetype line = piece.lastIndexOf(u'\n', kThought - 1);
        const qsizetype space = piece.lastIndexOf(u' ', kThought - 1);
        const qsizetype near = line >= kThought / 2 ? line : space;
        const bool fits = near >= kThought / 2;
        const qsizetype end = fits ? near : characterEnd(piece, kThought);
        const QString rest = piece.mid(fits ? end + 1 : end);
        piece.truncate(end);
        m_thoughts << rest;
    }
    return first;
}

qsizetype ShownMessage::append(const QString& text)
{
    return changed(m_stream.append(text));
}

qsizetype ShownMessage::finish()
{
    return changed(m_stream.finish());
}

qsizetype ShownMessage::changed(qsizetype first)
{
    const qsizetype known = m_revisions.size();
    m_revisions.resize(blocks().size());
    m_codeStates.resize(std::min(m_codeStates.size(), first + 1));
    for (qsizetype block = first; block < std::min(known, blocks().size()); ++block) {
        ++m_revisions[block];
    }
    return first;
}

std::pair<int, int> ShownMessage::chain(int block) const
{
    const QList<Block>& all = blocks();
    int first = block;
    while (first > 0 && all.at(first).continues) {
        --first;
    }
    int last = block;
    while (last + 1 < all.size() && all.at(last + 1).continues) {
        ++last;
    }
    return { first, last };
}

QString ShownMessage::codeText(int block) const
{
    const auto [first, last] = chain(block);
    QString code;
    for (int each = first; each <= last; ++each) {
        const Block& piece = blocks().at(each);
        if (each > first && !piece.withinLine) {
            code += u'\n';
        }
        code += piece.content.text;
    }
    return code;
}

int ShownMessage::codeLines(int block) const
{
    qsizetype lines = 0;
    if (blocks().at(block).kind == Block::Kind::Code) {
        const auto [first, last] = chain(block);
        for (int each = first; each <= last; ++each) {
            lines += blocks().at(each).content.text.count(u'\n') + 1;
        }
    }
    return static_cast<int>(lines);
}

int ShownMessage::codeState(int block) const
{
    const Block& code = blocks().at(block);
    const CodeLexer* lexer =
        code.kind == Block::Kind::Code ? CodeLexer::forLanguage(code.language) : nullptr;
    if (lexer == nullptr) {
        return 0;
    }
    if (const qsizetype known = m_codeStates.size(); known <= block) {
        m_codeStates.resize(block + 1);
        std::fill(m_codeStates.begin() + known, m_codeStates.end(), -1);
    }
    const int first = chain(block).first;
    m_codeStates[first] = 0;
    QList<CodeSpan> unused;
    for (int each = first; each < block; ++each) {
        if (m_codeStates.at(each + 1) >= 0) {
            continue;
        }
        int state = m_codeStates.at(each);
        for (const QStringView line : QStringView(blocks().at(each).content.text).split(u'\n')) {
            unused.clear();
            state = lexer->line(line, state, unused);
        }
        m_codeStates[each + 1] = state;
    }
    return m_codeStates.at(block);
}

bool ShownMessage::isFoldable(int block) const
{
    const auto [first, last] = chain(block);
    if (m_question) {
        return last > first;
    }
    const Block& begin = blocks().at(first);
    return begin.kind == Block::Kind::Code
        && (last > first || begin.content.text.count(u'\n') >= kFoldableLines);
}

void ShownMessage::toggleFold(int block)
{
    const int first = chain(block).first;
    if (!m_folded.remove(first)) {
        m_folded.insert(first);
    }
}

QList<int> ShownMessage::visibleBlocks() const
{
    QList<int> visible;
    for (int block = 0; block < blocks().size(); ++block) {
        visible.append(block);
        if (m_folded.contains(block)) {
            block = chain(block).second;
        }
    }
    return visible;
}
