// Cuts the source of a document into parts that can be parsed one by one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/line_scanner.h"
#include "ui/chat/markdown/link_definitions.h"

#include <QtCore/QList>
#include <QtCore/QString>

/// A part of a document that is parsed as if it were one.
struct SourceChunk
{
    QString source; ///< made ready for md4c; lines end in "\n"
    QString definitions; ///< lines that define links which it may use
    /// The containers that lead to the first block: their items' numbers go on from the part
    /// before.
    QList<SourceContainer> lead;
    bool leadIsMade = false; ///< the lead's lines are not the document's: their marks and tasks are
                             ///< those of `lead`
    Leaf continues = Leaf::None; ///< what the first block goes on with
    bool withinLine = false; ///< and that in the middle of a line
    bool endsInCode = false; ///< the last code block is not closed
};

/// Takes a document piece by piece. Parts end where a block of the top level has ended for sure (so
/// that parsing the parts gives what parsing the whole gives), and also where a block would become
/// longer than a row of the view should be: a paragraph or heading at about 4,000 characters, code
/// at 60 lines or 8,000 characters, a table at 40 rows. Where the parts end depends on the text
/// alone, not on the pieces it came in. A copy is cheap.
class SourceChunker
{
public:
    /// None: one part is made in any case, and `isTooLong` says whether a block asked for more.
    enum class Cuts : quint8 { All, None };

    explicit SourceChunker(Cuts cuts = Cuts::All, LinkDefinitions definitions = {});

    /// Adds text and returns the parts that are complete now.
    QList<SourceChunk> feed(QStringView text);
    /// Nothing follows: returns what is left.
    QList<SourceChunk> finish();

    [[nodiscard]] bool isTooLong() const { return m_tooLong; }
    /// True when a line looks like the definition of a link for other places.
    [[nodiscard]] bool mayDefineLinks() const { return m_mayDefineLinks; }
    [[nodiscard]] const LinkDefinitions& definitions() const { return m_definitions; }

private:
    enum class Waiting : quint8 { ForMore, ForNothing };

    void normalize(QStringView text);
    void takeLines(Waiting waiting);
    void addLine(QStringView line, LineExtent extent);
    void addRestOfLine(QStringView piece, bool ends);
    [[nodiscard]] qsizetype pieceLimit() const;
    [[nodiscard]] bool mustCutBefore(const LineShape& shape, QStringView line) const;
    void cutBefore(const LineShape& shape, const LineScanner& before);
    void appendLine(const LineShape& shape, QStringView line, LineExtent extent);
    void appendCodeLine(const LineShape& shape, QStringView line);
    void appendText(const LineShape& shape, QStringView line, LineExtent extent);
    void appendTableLine(const LineShape& shape, QStringView line);
    void noteDefinition(const LineShape& shape, QStringView line);
    void count(const LineShape& shape, qsizetype units);
    void emitChunk();
    void beginWith(const SourceContainers& lead);
    void beginLeaf(const LineScanner& scanner, Leaf leaf);

    LineScanner m_scanner;
    LinkDefinitions m_definitions;
    QList<SourceChunk> m_done;
    SourceChunk m_chunk;
    QString m_pending; ///< from the last line that is not complete on
    qsizetype m_pendingAt = 0;
    qsizetype m_chunkStart = 0; ///< in m_chunk.source: where the top-level block at hand begins
    qsizetype m_lastLine =
        -1; ///< in m_chunk.source: where the last line begins; negative when it can't be split off
    qsizetype m_lastContent = 0; ///< within that line
    qsizetype m_leafLines = 0;
    qsizetype m_leafUnits = 0;
    Cuts m_cuts;
    Leaf m_midLine = Leaf::None; ///< a part of a long line was taken as this
    quint8 m_level = 0; ///< of the heading that goes on
    char16_t m_mathsEnd = 0; ///< what ends the maths that the last line left open
    bool m_afterReturn = false; ///< the last character was "\r"
    bool m_afterDefinition = false;
    bool m_tooLong = false;
    bool m_mayDefineLinks = false;
};
