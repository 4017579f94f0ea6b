// Maths as models write it, \( … \) and \[ … \], which Markdown would take for escaped brackets.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/maths.h"

namespace {

bool isPunctuation(QChar character)
{
    const char16_t code = character.unicode();
    return (code > u' ' && code < u'0') || (code > u'9' && code < u'A')
        || (code > u'Z' && code < u'a') || (code > u'z' && code < 0x7F);
}

void appendEscaped(QString& out, QStringView text)
{
    for (const QChar character : text) {
        if (isPunctuation(character)) {
            out += u'\\';
        }
        out += character;
    }
}

/// Behind the next "\" and `bracket`; negative where there is none.
qsizetype closingAfter(QStringView line, qsizetype at, char16_t bracket)
{
    const char16_t mark[] = { u'\\', bracket };
    const qsizetype close = line.indexOf(QStringView(mark, 2), at);
    return close < 0 ? -1 : close + 2;
}

/// Behind the code that begins at `at`, or behind its marks where it isn't closed in the line.
qsizetype codeEnd(QStringView line, qsizetype at)
{
    qsizetype length = 0;
    while (at + length < line.size() && line[at + length] == u'`') {
        ++length;
    }
    const qsizetype inside = at + length;
    for (qsizetype close = inside; (close = line.indexOf(u'`', close)) >= 0;) {
        qsizetype run = 0;
        while (close + run < line.size() && line[close + run] == u'`') {
            ++run;
        }
        close += run;
        if (run == length) {
            return close;
        }
    }
    return inside;
}

bool opensMaths(QStringView line, qsizetype at)
{
    return at + 1 < line.size() && line[at] == u'\\'
        && (line[at + 1] == u'(' || line[at + 1] == u'[');
}

char16_t closingBracket(QChar opening)
{
    return opening == u'(' ? u')' : u']';
}

} // namespace

qsizetype mathsEnd(QStringView line, qsizetype at)
{
    return opensMaths(line, at) ? closingAfter(line, at + 2, closingBracket(line[at + 1])) : -1;
}

QString withMathsShown(QStringView line, char16_t& open)
{
    if (open == 0 && !line.contains(u'\\')) {
        return line.toString();
    }
    QString out;
    qsizetype at = 0;
    if (open != 0) {
        const qsizetype end = closingAfter(line, 0, open);
        at = end < 0 ? line.size() : end;
        appendEscaped(out, line.first(at));
        open = end < 0 ? open : u'\0';
    }
    // What isn't closed here isn't looked for again, so that a line of "\(" takes no time.
    bool roundIsOpen = false;
    bool squareIsOpen = false;
    while (at < line.size()) {
        if (line[at] == u'`') {
            const qsizetype end = codeEnd(line, at);
            out += line.sliced(at, end - at);
            at = end;
        } else if (line[at] != u'\\' || at + 1 == line.size()) {
            out += line[at++];
        } else if (opensMaths(line, at)) {
            bool& isOpen = line[at + 1] == u'(' ? roundIsOpen : squareIsOpen;
            const qsizetype end = isOpen ? -1 : mathsEnd(line, at);
            isOpen = isOpen || end < 0;
            const bool block = end < 0 && at == 0 && line[1] == u'[';
            const qsizetype next = end >= 0 ? end : block ? line.size() : at + 2;
            open = block ? u']' : open;
            appendEscaped(out, line.sliced(at, next - at));
            at = next;
        } else if (line[at + 1] == u')' || line[at + 1] == u']') {
            appendEscaped(out, line.sliced(at, 2));
            at += 2;
        } else {
            out += line.sliced(at, 2);
            at += 2;
        }
    }
    return out;
}
