// Finds text in the conversation that is shown.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/conversation_finder.h"

#include "ui/chat/occurrences.h"

#include <algorithm>

ConversationFinder::ConversationFinder(QObject* parent)
    : QObject(parent)
{
}

void ConversationFinder::setText(const QString& text)
{
    if (text != m_text) {
        m_text = text;
        m_current = -1;
        search();
        Q_EMIT textChanged();
    }
}

void ConversationFinder::search()
{
    m_matches.clear();
    const ConversationModel* model = m_selection ? m_selection->conversation() : nullptr;
    if (model != nullptr && !m_text.isEmpty()) {
        for (int message = 0; message < model->messageCount(); ++message) {
            const QList<Block>& blocks = model->blocks(message);
            for (int block = 0; block < blocks.size(); ++block) {
                for (const int at : occurrences(blockString(blocks.at(block)), m_text)) {
                    m_matches.append({ message, block, at });
                }
            }
        }
    }
    Q_EMIT foundChanged();
}

int ConversationFinder::go(int step)
{
    search(); // the answer may have grown since
    if (m_matches.isEmpty()) {
        m_current = -1;
        return -1;
    }
    if (m_current < 0) {
        // From what is selected on, else from the end that one reads towards.
        const auto next =
            std::lower_bound(m_matches.begin(), m_matches.end(), m_selection->first());
        m_current = static_cast<int>(std::distance(m_matches.begin(), next)) - (step > 0 ? 0 : 1);
    } else {
        m_current += step;
    }
    m_current = (m_current + count()) % count();
    TextPlace first = m_matches.at(m_current);
    TextPlace last = first;
    last.offset += static_cast<int>(m_text.size());
    ConversationModel* model = m_selection->conversation();
    model->reveal(first);
    m_selection->select(first, last);
    Q_EMIT foundChanged();
    return model->rowOf(first);
}
