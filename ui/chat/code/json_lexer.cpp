// Colours of JSON, with the comments and bare keys that people put into it.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

namespace {

enum State : int { Code, BlockComment };

class JsonLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        CodeScanner scanner(line, spans);
        State state = stateBefore == BlockComment ? BlockComment : Code;
        while (!scanner.atEnd()) {
            state = state == BlockComment ? blockComment(scanner, 0) : token(scanner);
        }
        return state;
    }

private:
    [[nodiscard]] State token(CodeScanner& scanner) const
    {
        const qsizetype from = scanner.at();
        const char16_t unit = scanner.peek();
        if (scanner.looksAt(u"//")) {
            scanner.takeRest(CodeToken::Comment);
        } else if (scanner.looksAt(u"/*")) {
            return blockComment(scanner, 2);
        } else if (unit == u'"' || unit == u'\'') {
            scanner.skip();
            scanner.skipQuoted(unit);
            const bool isKey = scanner.peekBehindSpace() == u':';
            scanner.mark(from, isKey ? CodeToken::Property : CodeToken::String);
        } else if (scanner.isAtNumber()
                   || ((unit == u'-' || unit == u'+') && isCodeDigit(scanner.peek(1)))) {
            scanner.skip(isCodeDigit(unit) || unit == u'.' ? 0 : 1);
            scanner.skipNumber();
            scanner.mark(from, CodeToken::Number);
        } else if (scanner.isAtWord(u'$')) {
            const QStringView word = scanner.skipWord(u'$');
            const bool isKey = scanner.peekBehindSpace() == u':';
            if (const auto literal = isKey ? CodeToken::Property : m_words.find(word)) {
                scanner.mark(from, *literal);
            }
        } else {
            scanner.skip();
        }
        return Code;
    }

    static State blockComment(CodeScanner& scanner, qsizetype opening)
    {
        return scanner.takePast(opening, u"*/", CodeToken::Comment) ? Code : BlockComment;
    }

    const CodeWords m_words { { CodeToken::Literal, u"true false null undefined NaN Infinity" } };
};

} // namespace

const CodeLexer& jsonLexer()
{
    static const JsonLexer lexer;
    return lexer;
}
