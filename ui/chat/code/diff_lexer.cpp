// Colours of diffs: unified ones above all, and the older two forms.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>
#include <array>

namespace {

// A state is how many lines of the old and of the new text the hunk still has: within it "--- x" is
// a deleted line, not a header.
constexpr quint32 kCountBits = 15;
constexpr quint32 kMostLines = (1U << kCountBits) - 1;

struct Hunk
{
    quint32 before = 0;
    quint32 after = 0;

    [[nodiscard]] bool isOpen() const { return before > 0 || after > 0; }
    [[nodiscard]] int state() const { return int(before << kCountBits | after); }
};

quint32 oneLess(quint32 count)
{
    return count > 0 ? count - 1 : 0;
}

/// The count of "-12,5" or "+12", which is 1 where none stands.
quint32 countAt(CodeScanner& scanner, char16_t sign)
{
    scanner.skipSpace();
    if (scanner.peek() != sign) {
        return 0;
    }
    scanner.skip();
    quint32 count = 1;
    while (isCodeDigit(scanner.peek())) {
        scanner.skip();
    }
    if (scanner.peek() == u',') {
        scanner.skip();
        for (count = 0; isCodeDigit(scanner.peek()); scanner.skip()) {
            count = std::min(count * 10 + (scanner.peek() - u'0'), kMostLines);
        }
    }
    return count;
}

bool isHeader(QStringView line)
{
    constexpr std::array kBeginnings {
        u"diff ",       u"index ",        u"--- ",
        u"+++ ",        u"new file mode", u"deleted file mode",
        u"old mode",    u"new mode",      u"similarity ",
        u"rename ",     u"copy ",         u"dissimilarity ",
        u"Binary file", u"GIT binary",    u"Only in ",
        u"Index: ",     u"====",          u"*** ",
        u"****",        u"From ",         u"Subject: ",
    };
    return std::any_of(kBeginnings.begin(), kBeginnings.end(), [line](const char16_t* beginning) {
        return line.startsWith(QStringView(beginning));
    });
}

/// "3,5c3,6" of the oldest form.
bool isOldHunk(QStringView line)
{
    return !line.isEmpty() && isCodeDigit(line[0].unicode())
        && std::all_of(line.begin(), line.end(), [](QChar unit) {
               return isCodeDigit(unit.unicode()) || unit == u',' || unit == u'a' || unit == u'c'
                   || unit == u'd';
           });
}

class DiffLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        CodeScanner scanner(line, spans);
        Hunk hunk { quint32(stateBefore) >> kCountBits & kMostLines,
                    quint32(stateBefore) & kMostLines };
        const char16_t first = scanner.peek();
        if (line.startsWith(u"@@")) {
            return hunkHead(scanner).state();
        }
        if (!hunk.isOpen() && (isHeader(line) || line == u"---")) {
            scanner.takeRest(CodeToken::Meta);
        } else if (first == u'+') {
            hunk.after = oneLess(hunk.after);
            scanner.takeRest(CodeToken::Inserted);
        } else if (first == u'-') {
            hunk.before = oneLess(hunk.before);
            scanner.takeRest(CodeToken::Deleted);
        } else if (first == u' ' || first == u'\0') {
            hunk = { oneLess(hunk.before), oneLess(hunk.after) };
        } else if (first == u'\\') {
            scanner.takeRest(CodeToken::Comment); // "\ No newline at end of file"
        } else {
            other(scanner);
            hunk = {};
        }
        return hunk.state();
    }

private:
    static Hunk hunkHead(CodeScanner& scanner)
    {
        scanner.skip(2);
        Hunk hunk;
        hunk.before = countAt(scanner, u'-');
        hunk.after = countAt(scanner, u'+');
        scanner.skipPast(u"@@");
        scanner.mark(0, CodeToken::Meta);
        return hunk;
    }

    static void other(CodeScanner& scanner)
    {
        const char16_t first = scanner.peek();
        if (isHeader(scanner.line()) || isOldHunk(scanner.line())) {
            scanner.takeRest(CodeToken::Meta);
        } else if (first == u'>' || first == u'!') {
            scanner.takeRest(CodeToken::Inserted);
        } else if (first == u'<') {
            scanner.takeRest(CodeToken::Deleted);
        }
    }
};

} // namespace

const CodeLexer& diffLexer()
{
    static const DiffLexer lexer;
    return lexer;
}
