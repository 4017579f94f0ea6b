// Fills the document of a text with one row of a conversation.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/block_document.h"

#include "ui/chat/code/code_lexer.h"
#include "ui/chat/occurrences.h"

#include <QtGui/QAbstractTextDocumentLayout>
#include <QtGui/QFontMetricsF>
#include <QtGui/QTextBlock>
#include <QtGui/QTextCursor>
#include <QtGui/QTextDocument>
#include <QtGui/QTextTable>

#include <algorithm>
#include <cmath>

namespace {

constexpr qreal kNarrowestColumn = 48;
constexpr qreal kWidestColumn = 340;

QTextCharFormat formatOf(const TextSpan& span, const TextLook& look)
{
    QTextCharFormat format;
    if (span.styles & TextSpan::Bold) {
        format.setFontWeight(QFont::DemiBold);
    }
    if (span.styles & TextSpan::Italic) {
        format.setFontItalic(true);
    }
    if (span.styles & TextSpan::Strike) {
        format.setFontStrikeOut(true);
    }
    if (span.styles & TextSpan::Code) {
        format.setFontFamilies({ look.mono });
        format.setProperty(QTextFormat::FontPixelSize, look.codeSize);
        format.setBackground(look.codeBackground);
    }
    if (span.styles & TextSpan::Link) {
        format.setAnchor(true);
        format.setAnchorHref(span.target);
        format.setForeground(look.link);
        format.setFontUnderline(true);
    }
    return format;
}

QColor colourOf(CodeToken token, const TextLook& look)
{
    switch (token) {
    case CodeToken::Keyword:
    case CodeToken::Tag:
        return look.keyword;
    case CodeToken::Type:
        return look.type;
    case CodeToken::Literal:
    case CodeToken::Number:
        return look.literal;
    case CodeToken::String:
        return look.string;
    case CodeToken::Comment:
        return look.comment;
    case CodeToken::Function:
        return look.callee;
    case CodeToken::Property:
        return look.property;
    case CodeToken::Inserted:
        return look.inserted;
    case CodeToken::Deleted:
        return look.deleted;
    case CodeToken::Preprocessor:
    case CodeToken::Meta:
        return look.meta;
    }
    return {};
}

/// Inserts a text in runs of one format each: the document never has a wrong format to lay out
/// first.
void insertStyled(QTextCursor& cursor, const StyledText& text, const QTextCharFormat& base,
                  const TextLook& look)
{
    int at = 0;
    for (const TextSpan& span : text.spans) {
        if (span.start > at) {
            cursor.insertText(text.text.mid(at, span.start - at), base);
        }
        QTextCharFormat format = base;
        format.merge(formatOf(span, look));
        cursor.insertText(text.text.mid(span.start, span.length), format);
        at = span.start + span.length;
    }
    if (at < text.text.size()) {
        cursor.insertText(text.text.mid(at), base);
    }
}

qreal widthOf(const StyledText& cell, const QFontMetricsF& plain, const QFontMetricsF& bold,
              bool heading)
{
    qreal widest = 0;
    const bool strong =
        heading || std::any_of(cell.spans.begin(), cell.spans.end(), [](const TextSpan& span) {
            return (span.styles & (TextSpan::Bold | TextSpan::Code)) != 0;
        });
    for (const QStringView line : QStringView(cell.text).split(u'\n')) {
        // A cell that is wider than the widest column is wrapped anyway.
        const QString measured = line.first(std::min<qsizetype>(line.size(), 200)).toString();
        widest = std::max(widest, (strong ? bold : plain).horizontalAdvance(measured));
    }
    return widest;
}

/// A place for an empty line that Qt wants before and after a table, but nobody wants to see.
QTextBlockFormat noHeight()
{
    QTextBlockFormat format;
    format.setLineHeight(0, QTextBlockFormat::FixedHeight);
    return format;
}

} // namespace

BlockDocument::BlockDocument(QObject* parent)
    : QObject(parent)
{
}

void BlockDocument::componentComplete()
{
    m_complete = true;
    fill();
}

void BlockDocument::setDocument(QQuickTextDocument* document)
{
    if (document != m_document) {
        m_document = document;
        if (m_document) {
            m_document->textDocument()->setUndoRedoEnabled(false);
            m_document->textDocument()->setDocumentMargin(0);
        }
        fill();
        Q_EMIT documentChanged();
    }
}

void BlockDocument::setConversation(ConversationModel* model)
{
    if (model != m_model) {
        m_model = model;
        fill();
        Q_EMIT conversationChanged();
    }
}

void BlockDocument::setLook(TextLook* look)
{
    if (look != m_look) {
        if (m_look) {
            m_look->disconnect(this);
        }
        m_look = look;
        if (m_look) {
            // A change of the theme changes many values at once: fill once, when all are there.
            connect(m_look, &TextLook::changed, this, &BlockDocument::fill, Qt::QueuedConnection);
        }
        fill();
        Q_EMIT lookChanged();
    }
}

void BlockDocument::setRow(int row)
{
    if (row != m_row) {
        // The same block, moved by rows above it: what is shown stays.
        m_row = row;
        Q_EMIT rowChanged();
    }
}

void BlockDocument::setRevision(int revision)
{
    if (revision != m_revision) {
        m_revision = revision;
        fill();
        Q_EMIT revisionChanged();
    }
}

void BlockDocument::setLineHeight(qreal height)
{
    if (!qFuzzyCompare(height, m_lineHeight)) {
        m_lineHeight = height;
        fill();
        Q_EMIT lineHeightChanged();
    }
}

void BlockDocument::setRoom(qreal room)
{
    if (!qFuzzyCompare(room, m_room)) {
        m_room = room;
        fill();
        Q_EMIT roomChanged();
    }
}

void BlockDocument::setFind(const QString& find)
{
    if (find != m_find) {
        m_find = find;
        fill();
        Q_EMIT findChanged();
    }
}

void BlockDocument::setLineLimit(int lines)
{
    if (lines != m_lineLimit) {
        m_lineLimit = lines;
        fill();
        Q_EMIT lineLimitChanged();
    }
}

void BlockDocument::fill()
{
    const Block* block =
        m_complete && m_document && m_look && m_model ? m_model->block(m_row) : nullptr;
    if (block == nullptr) {
        return;
    }
    QTextDocument& document = *m_document->textDocument();
    m_shift = 0;
    m_tableWidth = 0;
    m_rowLines.clear();
    QTextCursor edit(&document);
    edit.beginEditBlock();
    edit.select(QTextCursor::Document);
    edit.removeSelectedText();
    switch (block->kind) {
    case Block::Kind::Code:
        fillCode(document, *block);
        break;
    case Block::Kind::Table:
        fillTable(document);
        break;
    default:
        fillText(document, *block);
        break;
    }
    edit.endEditBlock();
    if (block->kind == Block::Kind::Table) {
        measureTable(document);
    }
    Q_EMIT filled();
}

void BlockDocument::setLines(QTextDocument& document)
{
    const QFont font = document.defaultFont();
    QTextBlockFormat format;
    format.setLineHeight(100 * m_lineHeight * font.pixelSize() / QFontMetricsF(font).height(),
                         QTextBlockFormat::ProportionalHeight);
    QTextCursor all(&document);
    all.select(QTextCursor::Document);
    all.mergeBlockFormat(format);
}

void BlockDocument::fillText(QTextDocument& document, const Block& block)
{
    QTextCursor cursor(&document);
    cursor.setCharFormat({});
    insertStyled(cursor, block.content, {}, *m_look);
    setLines(document);
    markFound(document, block.content.text);
}

void BlockDocument::fillCode(QTextDocument& document, const Block& block)
{
    QString text = block.content.text;
    if (m_lineLimit > 0) {
        qsizetype end = -1;
        for (int line = 0; line < m_lineLimit; ++line) {
            end = text.indexOf(u'\n', end + 1);
            if (end < 0) {
                break;
            }
        }
        text.truncate(end < 0 ? text.size() : end);
    }
    QTextCursor cursor(&document);
    const CodeLexer* lexer = CodeLexer::forLanguage(block.language);
    const TextPlace place = m_model->place(m_row);
    int state = m_model->shown(place.message).codeState(place.block);
    QList<CodeSpan> spans;
    bool first = true;
    for (const QStringView line : QStringView(text).split(u'\n')) {
        if (!first) {
            cursor.insertBlock();
        }
        first = false;
        spans.clear();
        if (lexer != nullptr) {
            state = lexer->line(line, state, spans);
        }
        int at = 0;
        for (const CodeSpan& span : std::as_const(spans)) {
            if (span.start > at) {
                cursor.insertText(line.mid(at, span.start - at).toString(), {});
            }
            QTextCharFormat format;
            format.setForeground(colourOf(span.token, *m_look));
            if (span.token == CodeToken::Comment) {
                format.setFontItalic(true);
            }
            cursor.insertText(line.mid(span.start, span.length).toString(), format);
            at = span.start + span.length;
        }
        if (at < line.size()) {
            cursor.insertText(line.mid(at).toString(), {});
        }
    }
    setLines(document);
    markFound(document, text);
}

void BlockDocument::fillTable(QTextDocument& document)
{
    const TextPlace place = m_model->place(m_row);
    const QList<Block>& blocks = m_model->blocks(place.message);
    const Block& block = blocks.at(place.block);
    const auto [first, last] = m_model->shown(place.message).chain(place.block);

    // Pieces of one table have columns of the same widths.
    const QFont font = document.defaultFont();
    QFont strong = font;
    strong.setWeight(QFont::DemiBold);
    const QFontMetricsF plain(font);
    const QFontMetricsF bold(strong);
    QList<qreal> widths(block.columns.size(), kNarrowestColumn);
    for (int piece = first; piece <= last; ++piece) {
        for (qsizetype row = 0; row < blocks.at(piece).rows.size(); ++row) {
            const auto& cells = blocks.at(piece).rows.at(row);
            for (qsizetype column = 0; column < std::min(widths.size(), cells.size()); ++column) {
                const qreal width =
                    widthOf(cells.at(column), plain, bold, piece == first && row == 0)
                    + 2 * m_look->tablePadding + 4;
                widths[column] = std::clamp(width, widths.at(column), kWidestColumn);
            }
        }
    }
    qreal total = 0;
    for (const qreal width : std::as_const(widths)) {
        total += width;
    }
    const qreal spare = std::max<qreal>(0, m_room - total);
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(m_look->tablePadding);
    QList<QTextLength> lengths;
    for (const qreal width : std::as_const(widths)) {
        lengths << QTextLength(QTextLength::FixedLength,
                               std::floor(width + spare / static_cast<qreal>(widths.size()))
                                   - 2 * m_look->tablePadding);
    }
    format.setColumnWidthConstraints(lengths);
    m_tableWidth = std::floor(total + spare);

    QTextCursor cursor(&document);
    cursor.setBlockFormat(noHeight());
    const auto rows = std::max<qsizetype>(1, block.rows.size());
    const auto columns = std::max<qsizetype>(1, block.columns.size());
    QTextTable* table =
        cursor.insertTable(static_cast<int>(rows), static_cast<int>(columns), format);
    for (qsizetype row = 0; row < block.rows.size(); ++row) {
        QTextCharFormat base;
        if (row == 0 && !block.continues) {
            base.setFontWeight(QFont::DemiBold);
        }
        for (qsizetype column = 0; column < block.columns.size(); ++column) {
            QTextCursor cell = table->cellAt(static_cast<int>(row), static_cast<int>(column))
                                   .firstCursorPosition();
            QTextBlockFormat aligned;
            aligned.setAlignment(block.columns.at(column) == Qt::Alignment()
                                     ? Qt::AlignLeft
                                     : block.columns.at(column));
            cell.setBlockFormat(aligned);
            if (column < block.rows.at(row).size()) {
                insertStyled(cell, block.rows.at(row).at(column), base, *m_look);
            }
        }
    }
    QTextCursor after(&document);
    after.movePosition(QTextCursor::End);
    after.setBlockFormat(noHeight());
    m_shift = table->cellAt(0, 0).firstPosition();
    markFound(document, blockString(block));
}

void BlockDocument::measureTable(const QTextDocument& document)
{
    const auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().value(0));
    if (table == nullptr) {
        return;
    }
    for (int row = 0; row < table->rows(); ++row) {
        qreal top = 1e9;
        for (int column = 0; column < table->columns(); ++column) {
            const QTextBlock block = table->cellAt(row, column).firstCursorPosition().block();
            top = std::min(top, document.documentLayout()->blockBoundingRect(block).top());
        }
        m_rowLines << top - m_look->tablePadding;
    }
}

void BlockDocument::markFound(QTextDocument& document, const QString& text) const
{
    QTextCharFormat format;
    format.setBackground(m_look->match);
    for (const int at : occurrences(text, m_find)) {
        QTextCursor found(&document);
        found.setPosition(at + m_shift);
        found.setPosition(at + static_cast<int>(m_find.size()) + m_shift, QTextCursor::KeepAnchor);
        found.mergeCharFormat(format);
    }
}
