// One pass of the Markdown parser over one part of a document.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/markdown_pass.h"

#include "ui/chat/markdown/entities.h"

#include <QtCore/QSet>

#include <md4c.h>

#include <algorithm>
#include <utility>

namespace {

constexpr unsigned kDialect = MD_DIALECT_GITHUB | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
constexpr qsizetype kMaxShownDepth = 12;
constexpr qsizetype kMaxTarget = 2'048;
constexpr qsizetype kMaxLanguage = 40;
constexpr qsizetype kFreeLinkBytes = 256 * 1024;
constexpr qsizetype kLinkBytesPerByte = 16;
constexpr qsizetype kMaxUnparsed = 4'000;

QString decoded(const MD_ATTRIBUTE& attribute)
{
    QString text;
    for (int part = 0; attribute.size > 0 && attribute.substr_offsets[part] < attribute.size;
         ++part) {
        const auto from = attribute.substr_offsets[part];
        const QByteArrayView bytes(attribute.text + from,
                                   qsizetype(attribute.substr_offsets[part + 1] - from));
        text += attribute.substr_types[part] == MD_TEXT_ENTITY ? decodedEntity(bytes)
                                                               : QString::fromUtf8(bytes);
    }
    return text;
}

/// The target if a click may follow it, else nothing.
QString safeTarget(const QString& target)
{
    const bool known = target.startsWith(u"http://", Qt::CaseInsensitive)
        || target.startsWith(u"https://", Qt::CaseInsensitive)
        || target.startsWith(u"mailto:", Qt::CaseInsensitive);
    const bool clean = std::ranges::none_of(target, [](QChar character) {
        return character.category() == QChar::Other_Control
            || character.category() == QChar::Other_Format;
    });
    return known && clean && target.size() <= kMaxTarget ? target : QString();
}

Qt::Alignment alignmentOf(MD_ALIGN align)
{
    switch (align) {
    case MD_ALIGN_LEFT:
        return Qt::AlignLeft;
    case MD_ALIGN_CENTER:
        return Qt::AlignHCenter;
    case MD_ALIGN_RIGHT:
        return Qt::AlignRight;
    case MD_ALIGN_DEFAULT:
        break;
    }
    return {};
}

/// Puts together text and its spans.
class TextBuilder
{
public:
    void style(TextSpan::Style style, int change)
    {
        switch (style) {
        case TextSpan::Bold:
            m_bold += change;
            break;
        case TextSpan::Italic:
            m_italic += change;
            break;
        case TextSpan::Strike:
            m_strike += change;
            break;
        default:
            m_code += change;
        }
    }
    /// Links may hold pictures and pictures links: the outermost that goes somewhere counts.
    void enterLink(const QString& target) { m_targets.append(target); }
    void leaveLink() { m_targets.removeLast(); }

    void append(QStringView text)
    {
        const qsizetype start = m_text.text.size();
        if (text.contains(QChar(kGuard))) {
            m_guarded = true;
            QString clean = text.toString();
            clean.remove(QChar(kGuard));
            // At the start of text a guard comes with a space, so that markup behind it reads as at
            // a start.
            m_text.text += start == 0 && clean.startsWith(u' ') ? clean.sliced(1) : clean;
        } else {
            m_text.text += text;
        }
        note(start, m_text.text.size() - start);
    }

    [[nodiscard]] bool isOnlyGuard() const { return m_guarded && m_text.text.isEmpty(); }
    [[nodiscard]] qsizetype size() const { return m_text.text.size(); }
    StyledText take()
    {
        m_guarded = false;
        return std::exchange(m_text, {});
    }

private:
    void note(qsizetype start, qsizetype length)
    {
        const auto target =
            std::ranges::find_if(m_targets, [](const QString& each) { return !each.isEmpty(); });
        const bool links = target != m_targets.end();
        const int styles = (m_bold > 0 ? TextSpan::Bold : 0) | (m_italic > 0 ? TextSpan::Italic : 0)
            | (m_strike > 0 ? TextSpan::Strike : 0) | (m_code > 0 ? TextSpan::Code : 0)
            | (links ? TextSpan::Link : 0);
        if (styles == 0 || length == 0) {
            return;
        }
        TextSpan span { int(start), int(length), quint8(styles), links ? *target : QString() };
        TextSpan* last = m_text.spans.isEmpty() ? nullptr : &m_text.spans.last();
        if (last != nullptr && last->start + last->length == span.start
            && last->styles == span.styles && last->target == span.target) {
            last->length += span.length;
        } else {
            m_text.spans.append(std::move(span));
        }
    }

    StyledText m_text;
    QStringList m_targets;
    int m_bold = 0;
    int m_italic = 0;
    int m_strike = 0;
    int m_code = 0;
    bool m_guarded = false;
};

/// Takes what md4c reports and makes blocks of it.
class BlockBuilder
{
public:
    BlockBuilder(const SourceChunk& chunk, qsizetype bytes)
        : m_chunk(chunk)
        , m_linkBytes(kFreeLinkBytes + bytes * kLinkBytesPerByte)
    {
    }

    QList<Block> take()
    {
        endLooseText();
        if (m_chunk.endsInCode && !m_blocks.isEmpty()
            && m_blocks.last().kind == Block::Kind::Code) {
            m_blocks.last().open = true;
        }
        return std::move(m_blocks);
    }

    void enterBlock(MD_BLOCKTYPE type, void* detail);
    void leaveBlock(MD_BLOCKTYPE type);
    bool enterSpan(MD_SPANTYPE type, void* detail);
    void leaveSpan(MD_SPANTYPE type);
    void text(MD_TEXTTYPE type, QByteArrayView bytes);

private:
    struct List
    {
        bool ordered = false;
        QChar delimiter;
        unsigned next = 0;
    };

    void enterList(bool ordered, QChar delimiter, unsigned start);
    void enterItem(const MD_BLOCK_LI_DETAIL& detail);
    void beginLeaf(Block::Kind kind);
    void beginLooseText();
    void endLooseText();
    void endLeaf();
    void addEmptyItem();
    void addBlock();
    void appendNormal(const QString& text);
    /// The container of the part's lead that is entered now, if one is.
    [[nodiscard]] const SourceContainer* lead() const
    {
        const qsizetype depth = m_containers.size();
        return m_inLead && depth < m_chunk.lead.size() ? &m_chunk.lead.at(depth) : nullptr;
    }
    QString shared(const QString& target) { return *m_known.insert(target); }

    const SourceChunk& m_chunk;
    QList<Block> m_blocks;
    QList<BlockContainer> m_containers;
    QList<List> m_lists;
    Block m_leaf;
    TextBuilder m_text;
    QSet<QString> m_known; ///< targets, so that a thousand equal ones cost one
    QList<qsizetype> m_pictures; ///< where their texts begin
    qsizetype m_linkBytes;
    bool m_inLead = true;
    bool m_inLeaf = false;
    bool m_loose =
        false; ///< the leaf at hand is the text of a tight list's item, which md4c doesn't announce
    bool m_continues = true; ///< the next block may be what the part goes on with
};

void BlockBuilder::enterList(bool ordered, QChar delimiter, unsigned start)
{
    const SourceContainer* made = lead();
    m_lists.append(
        { ordered, delimiter, made != nullptr && made->isOrdered() ? made->number : start });
}

void BlockBuilder::enterItem(const MD_BLOCK_LI_DETAIL& detail)
{
    BlockContainer item { BlockContainer::Kind::Item, BlockContainer::Task::None, true,
                          QStringLiteral("•") };
    List& list = m_lists.last();
    if (list.ordered) {
        item.marker = QString::number(list.next++) + list.delimiter;
    }
    if (detail.is_task != 0) {
        item.task =
            detail.task_mark == ' ' ? BlockContainer::Task::Open : BlockContainer::Task::Done;
    }
    if (const SourceContainer* made = lead(); made != nullptr && m_chunk.leadIsMade) {
        item.task = made->task;
    }
    m_containers.append(item);
}

void BlockBuilder::enterBlock(MD_BLOCKTYPE type, void* detail)
{
    if (type != MD_BLOCK_DOC) {
        endLooseText();
    }
    switch (type) {
    case MD_BLOCK_QUOTE:
        m_containers.append(BlockContainer {});
        break;
    case MD_BLOCK_UL:
        enterList(false, {}, 0);
        break;
    case MD_BLOCK_OL: {
        const auto* list = static_cast<MD_BLOCK_OL_DETAIL*>(detail);
        enterList(true, QLatin1Char(list->mark_delimiter), list->start);
        break;
    }
    case MD_BLOCK_LI:
        enterItem(*static_cast<MD_BLOCK_LI_DETAIL*>(detail));
        break;
    case MD_BLOCK_H:
        beginLeaf(Block::Kind::Heading);
        m_leaf.level = quint8(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
    case MD_BLOCK_CODE:
        beginLeaf(Block::Kind::Code);
        m_leaf.language =
            decoded(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang).left(kMaxLanguage);
        break;
    case MD_BLOCK_P:
        beginLeaf(Block::Kind::Paragraph);
        break;
    case MD_BLOCK_HR:
        beginLeaf(Block::Kind::Rule);
        break;
    case MD_BLOCK_TABLE:
        beginLeaf(Block::Kind::Table);
        break;
    case MD_BLOCK_TR:
        m_leaf.rows.append(QList<StyledText>());
        break;
    case MD_BLOCK_TH:
        m_leaf.columns.append(alignmentOf(static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align));
        break;
    default:
        break;
    }
}

void BlockBuilder::leaveBlock(MD_BLOCKTYPE type)
{
    switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        m_lists.removeLast();
        break;
    case MD_BLOCK_LI:
        endLooseText();
        if (m_containers.last().first) { // nothing in it: its marker is shown all the same
            addEmptyItem();
        }
        m_containers.removeLast();
        break;
    case MD_BLOCK_QUOTE:
        m_containers.removeLast();
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        m_leaf.rows.last().append(m_text.take());
        break;
    case MD_BLOCK_H:
    case MD_BLOCK_CODE:
    case MD_BLOCK_P:
    case MD_BLOCK_HR:
    case MD_BLOCK_TABLE:
        endLeaf();
        break;
    default:
        break;
    }
}

void BlockBuilder::beginLeaf(Block::Kind kind)
{
    m_leaf = Block {};
    m_leaf.kind = kind;
    m_inLeaf = true;
    m_inLead = false;
}

void BlockBuilder::beginLooseText()
{
    if (!m_inLeaf) {
        beginLeaf(Block::Kind::Paragraph);
        m_loose = true;
    }
}

void BlockBuilder::endLooseText()
{
    if (m_loose) {
        endLeaf();
    }
}

void BlockBuilder::endLeaf()
{
    const bool standsForLead = m_text.isOnlyGuard();
    m_inLeaf = false;
    m_loose = false;
    // md4c announces a paragraph without text (behind a task's mark) in loose lists only: never
    // show it.
    if (m_leaf.kind == Block::Kind::Paragraph && !standsForLead && m_text.size() == 0) {
        return;
    }
    if (m_leaf.kind != Block::Kind::Table) {
        m_leaf.content = m_text.take();
    }
    if (m_leaf.kind == Block::Kind::Code) {
        m_leaf.content.spans.clear();
        m_leaf.content.text.chop(m_leaf.content.text.endsWith(u'\n') ? 1 : 0);
    }
    m_leaf.containers = m_containers.first(std::min(m_containers.size(), kMaxShownDepth));
    for (BlockContainer& container : m_containers) {
        container.first = false;
    }
    if (!standsForLead || m_leaf.kind != Block::Kind::Paragraph) {
        addBlock();
    }
}

void BlockBuilder::addEmptyItem()
{
    m_leaf = Block {};
    m_leaf.containers = m_containers.first(std::min(m_containers.size(), kMaxShownDepth));
    for (BlockContainer& container : m_containers) {
        container.first = false;
    }
    m_inLead = false;
    addBlock();
}

void BlockBuilder::addBlock()
{
    if (std::exchange(m_continues, false)) {
        const Leaf leaf = m_chunk.continues;
        if (leaf == Leaf::Text && m_leaf.kind == Block::Kind::Heading) {
            m_leaf.kind = Block::Kind::Paragraph; // its beginning was shown as a paragraph
            m_leaf.level = 0;
        }
        m_leaf.continues = (leaf == Leaf::Text && m_leaf.kind == Block::Kind::Paragraph)
            || (leaf == Leaf::Heading && m_leaf.kind == Block::Kind::Heading)
            || (leaf == Leaf::Fence && m_leaf.kind == Block::Kind::Code)
            || (leaf == Leaf::Table && m_leaf.kind == Block::Kind::Table);
        m_leaf.withinLine = m_leaf.continues && leaf == Leaf::Fence && m_chunk.withinLine;
        if (m_leaf.continues && leaf == Leaf::Table) {
            m_leaf.rows.removeFirst(); // stands for the heading row
        }
    }
    m_blocks.append(std::move(m_leaf));
}

bool BlockBuilder::enterSpan(MD_SPANTYPE type, void* detail)
{
    beginLooseText();
    const auto enterLink = [this](const MD_ATTRIBUTE& target, const MD_ATTRIBUTE& title) {
        m_linkBytes -= qsizetype(target.size) + qsizetype(title.size);
        m_text.enterLink(shared(safeTarget(decoded(target))));
    };
    switch (type) {
    case MD_SPAN_EM:
        m_text.style(TextSpan::Italic, 1);
        break;
    case MD_SPAN_STRONG:
        m_text.style(TextSpan::Bold, 1);
        break;
    case MD_SPAN_DEL:
        m_text.style(TextSpan::Strike, 1);
        break;
    case MD_SPAN_CODE:
        m_text.style(TextSpan::Code, 1);
        break;
    case MD_SPAN_A: {
        const auto* link = static_cast<MD_SPAN_A_DETAIL*>(detail);
        enterLink(link->href, link->title);
        break;
    }
    case MD_SPAN_IMG: {
        const auto* picture = static_cast<MD_SPAN_IMG_DETAIL*>(detail);
        enterLink(picture->src, picture->title);
        m_pictures.append(m_text.size());
        break;
    }
    default:
        break;
    }
    return m_linkBytes > 0;
}

void BlockBuilder::leaveSpan(MD_SPANTYPE type)
{
    switch (type) {
    case MD_SPAN_EM:
        m_text.style(TextSpan::Italic, -1);
        break;
    case MD_SPAN_STRONG:
        m_text.style(TextSpan::Bold, -1);
        break;
    case MD_SPAN_DEL:
        m_text.style(TextSpan::Strike, -1);
        break;
    case MD_SPAN_CODE:
        m_text.style(TextSpan::Code, -1);
        break;
    case MD_SPAN_IMG:
        if (m_pictures.takeLast() == m_text.size()) {
            m_text.append(u"…"); // no text of its own: still something to see and to click
        }
        m_text.leaveLink();
        break;
    case MD_SPAN_A:
        m_text.leaveLink();
        break;
    default:
        break;
    }
}

void BlockBuilder::text(MD_TEXTTYPE type, QByteArrayView bytes)
{
    beginLooseText();
    switch (type) {
    case MD_TEXT_BR:
        m_text.append(u"\u2028");
        break;
    case MD_TEXT_SOFTBR:
        m_text.append(u" ");
        break;
    case MD_TEXT_ENTITY:
        m_text.append(decodedEntity(bytes));
        break;
    case MD_TEXT_NORMAL:
        appendNormal(QString::fromUtf8(bytes));
        break;
    default:
        m_text.append(QString::fromUtf8(bytes));
    }
}

/// Models break lines inside cells with "<br>", the one tag that Markdown has no other word for.
void BlockBuilder::appendNormal(const QString& text)
{
    qsizetype at = 0;
    for (qsizetype tag = text.indexOf(u"<br", 0, Qt::CaseInsensitive); tag >= 0;
         tag = text.indexOf(u"<br", tag + 1, Qt::CaseInsensitive)) {
        const qsizetype close = text.indexOf(u'>', tag);
        const QStringView inside = close < 0
            ? QStringView()
            : QStringView(text).sliced(tag + 3, close - tag - 3).trimmed();
        if (close >= 0 && (inside.isEmpty() || inside == u"/")) {
            m_text.append(QStringView(text).sliced(at, tag - at));
            m_text.append(u"\u2028");
            at = close + 1;
        }
    }
    m_text.append(QStringView(text).sliced(at));
}

BlockBuilder& builder(void* data)
{
    return *static_cast<BlockBuilder*>(data);
}

MD_PARSER parser()
{
    MD_PARSER made {};
    made.flags = kDialect;
    made.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
        builder(data).enterBlock(type, detail);
        return 0;
    };
    made.leave_block = [](MD_BLOCKTYPE type, void*, void* data) {
        builder(data).leaveBlock(type);
        return 0;
    };
    made.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
        return builder(data).enterSpan(type, detail) ? 0 : 1;
    };
    made.leave_span = [](MD_SPANTYPE type, void*, void* data) {
        builder(data).leaveSpan(type);
        return 0;
    };
    made.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
        builder(data).text(type, QByteArrayView(text, qsizetype(size)));
        return 0;
    };
    return made;
}

} // namespace

std::optional<QList<Block>> parseChunk(const SourceChunk& chunk)
{
    QByteArray source = (chunk.definitions + chunk.source).toUtf8();
    if (!source.endsWith('\n')) {
        source += '\n'; // md4c 0.4.8 looks behind the end otherwise
    }
    static const MD_PARSER kParser = parser();
    BlockBuilder blocks(chunk, source.size());
    if (source.size() > qsizetype(UINT32_MAX / 2)
        || md_parse(source.constData(), MD_SIZE(source.size()), &kParser, &blocks) != 0) {
        return std::nullopt;
    }
    return blocks.take();
}

QList<Block> parsedOrPlain(const SourceChunk& chunk)
{
    if (auto parsed = parseChunk(chunk)) {
        return *std::move(parsed);
    }
    QString text = chunk.source;
    text.remove(QChar(kGuard));
    QList<Block> blocks;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype size = std::min(kMaxUnparsed, text.size() - at);
        size -= at + size < text.size() && text[at + size].isLowSurrogate() ? 1 : 0;
        Block block;
        block.continues = at > 0;
        block.content.text = text.sliced(at, size).replace(u'\n', QChar(QChar::LineSeparator));
        blocks.append(block);
        at += size;
    }
    return blocks;
}
