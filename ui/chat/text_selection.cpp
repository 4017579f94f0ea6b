// What is selected in a conversation.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/text_selection.h"

#include <QtCore/QTextBoundaryFinder>

#include <algorithm>
#include <limits>

TextSelection::TextSelection(QObject* parent)
    : QObject(parent)
{
}

void TextSelection::setConversation(ConversationModel* model)
{
    if (model == m_model) {
        return;
    }
    if (m_model) {
        m_model->disconnect(this);
    }
    m_model = model;
    if (m_model) {
        connect(m_model, &ConversationModel::textReplaced, this, &TextSelection::clear);
    }
    clear();
    Q_EMIT conversationChanged();
}

TextPlace TextSelection::placeIn(int row, int offset) const
{
    TextPlace place = m_model ? m_model->place(row) : TextPlace {};
    if (place.message >= 0) {
        place.offset =
            std::clamp(offset, 0, static_cast<int>(blockString(*m_model->block(row)).size()));
    }
    return place;
}

void TextSelection::select(const TextPlace& from, const TextPlace& to)
{
    if (from == m_anchor && to == m_head) {
        return;
    }
    m_anchor = from;
    m_head = to;
    ++m_revision;
    Q_EMIT changed();
}

void TextSelection::begin(int row, int offset)
{
    const TextPlace place = placeIn(row, offset);
    if (place.message >= 0) {
        select(place, place);
    }
}

void TextSelection::extend(int row, int offset)
{
    const TextPlace place = placeIn(row, offset);
    if (place.message >= 0) {
        select(m_anchor.message < 0 ? place : m_anchor, place);
    }
}

void TextSelection::selectWord(int row, int offset)
{
    const TextPlace place = placeIn(row, offset);
    if (place.message < 0) {
        return;
    }
    const QString text = blockString(*m_model->block(row));
    QTextBoundaryFinder finder(QTextBoundaryFinder::Word, text);
    finder.setPosition(std::min(static_cast<qsizetype>(place.offset) + 1, text.size()));
    const auto from = std::max<qsizetype>(0, finder.toPreviousBoundary());
    const auto to = finder.toNextBoundary();
    TextPlace first = place;
    TextPlace last = place;
    first.offset = static_cast<int>(from);
    last.offset = static_cast<int>(to < 0 ? text.size() : to);
    select(first, last);
}

void TextSelection::selectRow(int row)
{
    const TextPlace first = placeIn(row, 0);
    if (first.message >= 0) {
        select(first, placeIn(row, std::numeric_limits<int>::max()));
    }
}

void TextSelection::selectAll()
{
    if (m_model) {
        select(m_model->start(), m_model->end());
    }
}

void TextSelection::clear()
{
    select({}, {});
}

int TextSelection::offsetIn(int row, const TextPlace& place) const
{
    const TextPlace start = m_model->place(row);
    if (place.message < start.message
        || (place.message == start.message && place.block < start.block)) {
        return 0;
    }
    if (place.message == start.message && place.block == start.block) {
        return place.offset;
    }
    return static_cast<int>(blockString(*m_model->block(row)).size());
}

int TextSelection::firstIn(int row) const
{
    return isEmpty() || !m_model || m_model->block(row) == nullptr ? 0 : offsetIn(row, first());
}

int TextSelection::lastIn(int row) const
{
    return isEmpty() || !m_model || m_model->block(row) == nullptr ? 0 : offsetIn(row, last());
}

QString TextSelection::plainText() const
{
    return isEmpty() || !m_model ? QString() : m_model->plainText(first(), last());
}

QString TextSelection::markdown() const
{
    return isEmpty() || !m_model ? QString() : m_model->markdownText(first(), last());
}
