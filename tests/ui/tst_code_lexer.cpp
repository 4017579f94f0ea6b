// The lexers that colour code: snippets of every language, and what holds for any text.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/code_cases.h"
#include "ui/chat/code/code_lexer.h"

#include <QElapsedTimer>
#include <QHash>
#include <QRandomGenerator>
#include <QSet>
#include <QTest>

#include <limits>
#include <thread>
#include <vector>

namespace {

const QStringList kLanguages { "c++",  "python", "javascript", "typescript", "tsx",
                               "rust", "go",     "java",       "sh",         "json",
                               "yaml", "html",   "css",        "sql",        "diff" };
constexpr QStringView kLetters = u"KTLSNCFPG#+-M";
constexpr QStringView kSigns = u"\"'`{}()[]<>$\\/*#-+@!:;,.= \t";

QString inWords(QStringView line, const QList<CodeSpan>& spans)
{
    QStringList words;
    for (const CodeSpan& span : spans) {
        words << QStringLiteral("%1<%2>")
                     .arg(kLetters[int(span.token)])
                     .arg(line.sliced(span.start, span.length));
    }
    return words.join(u' ');
}

struct Lexed
{
    QList<CodeSpan> spans;
    int state = 0;

    friend bool operator==(const Lexed&, const Lexed&) = default;
};

Lexed lexed(const CodeLexer& lexer, QStringView line, int state)
{
    Lexed result;
    result.state = lexer.line(line, state, result.spans);
    return result;
}

bool isWellFormed(QStringView line, const QList<CodeSpan>& spans)
{
    qsizetype end = 0;
    for (const CodeSpan& span : spans) {
        if (span.length <= 0 || span.start < end || int(span.token) >= kLetters.size()) {
            return false;
        }
        end = qsizetype(span.start) + span.length;
    }
    return end <= line.size();
}

QString codeOf(const CodeCase& snippet)
{
    QStringList lines;
    for (const QString& line : QString::fromUtf8(snippet.lines).split(u'\n', Qt::SkipEmptyParts)) {
        lines << line.section(" |>", 0, 0);
    }
    return lines.join(u'\n');
}

/// Pieces of all snippets, cut anywhere, with odd units between them.
QString randomText(QRandomGenerator& random, const QStringList& snippets, int pieces)
{
    QString text;
    for (int piece = 0; piece < pieces; ++piece) {
        const QString& snippet = snippets.at(random.bounded(int(snippets.size())));
        text += snippet.mid(random.bounded(int(snippet.size())), random.bounded(12));
        if (random.bounded(4) == 0) {
            text += QChar(char16_t(random.bounded(0x10000))); // lone surrogates among them
        }
        if (random.bounded(3) == 0) {
            text += kSigns[random.bounded(int(kSigns.size()))];
        }
    }
    return text;
}

void addLanguages()
{
    QTest::addColumn<QString>("language");
    for (const QString& language : kLanguages) {
        QTest::addRow("%s", qPrintable(language)) << language;
    }
}

} // namespace

class TestCodeLexer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void snippets_data()
    {
        QTest::addColumn<int>("index");
        const auto cases = codeCases();
        for (size_t at = 0; at < cases.size(); ++at) {
            QTest::addRow("%s: %s", cases[at].language, cases[at].name) << int(at);
        }
    }

    void snippets()
    {
        QFETCH(int, index);
        const CodeCase& snippet = codeCases()[size_t(index)];
        const CodeLexer* lexer = CodeLexer::forLanguage(QString::fromUtf8(snippet.language));
        QVERIFY(lexer);
        int state = 0;
        const QStringList lines = QString::fromUtf8(snippet.lines).split(u'\n').mid(1);
        for (const QString& line : lines.first(lines.size() - 1)) {
            const QString code = line.section(" |>", 0, 0);
            const QString expected = line.section(" |>", 1).trimmed();
            const Lexed result = lexed(*lexer, code, state);
            QVERIFY(isWellFormed(code, result.spans));
            QCOMPARE(inWords(code, result.spans), expected);
            state = result.state;
        }
    }

    void everyLanguageHasSnippets()
    {
        QHash<const CodeLexer*, int> counts;
        for (const CodeCase& snippet : codeCases()) {
            ++counts[CodeLexer::forLanguage(QString::fromUtf8(snippet.language))];
        }
        for (const char* language : { "c++", "python", "javascript", "rust", "go", "java", "bash",
                                      "json", "yaml", "html", "sql", "diff" }) {
            QVERIFY2(counts.value(CodeLexer::forLanguage(QString(language))) >= 8, language);
        }
    }

    void names_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("same");
        const auto row = [](const char* language, const char* others) {
            for (const QString& other : QString(others).split(u' ')) {
                QTest::addRow("%s %s", language, qPrintable(other)) << other << QString(language);
            }
        };
        row("c++", "cpp cc h C Cxx HPP language-cpp {.cpp cpp,linenos cpp:main.cpp");
        row("python", "py Python3 PY pycon");
        row("javascript", "js jsx mjs node JavaScript");
        row("typescript", "ts");
        row("rust", "rs RUST");
        row("go", "golang");
        row("bash", "sh shell zsh console terminal");
        row("json", "jsonc json5 jsonl");
        row("yaml", "yml");
        row("html", "xml svg htm vue XHTML");
        row("sql", "postgresql mysql sqlite SQL");
        row("diff", "patch");
        row("java", "Java");
    }

    void names()
    {
        QFETCH(QString, name);
        QFETCH(QString, same);
        const CodeLexer* lexer = CodeLexer::forLanguage(name);
        QVERIFY(lexer);
        QCOMPARE(lexer, CodeLexer::forLanguage(same));
        QCOMPARE(lexer, CodeLexer::forLanguage(QString("  %1 title=\"x\" ").arg(name)));
    }

    void unknownNames()
    {
        for (const QString& name :
             { QString(), QString("  "), QString("brainfog"), QString("text"), QString("."),
               QString("{}"), QString("py").repeated(100'000), QString(QChar(0xd800)) }) {
            QVERIFY(!CodeLexer::forLanguage(name));
        }
        QSet<const CodeLexer*> different;
        for (const QString& name : kLanguages) {
            different << CodeLexer::forLanguage(name);
        }
        QCOMPARE(different.size(), kLanguages.size());
    }

    void appends()
    {
        QList<CodeSpan> spans { { 0, 3, CodeToken::String } };
        CodeLexer::forLanguage(u"js")->line(u"'ab' x", 0, spans);
        QCOMPARE(spans,
                 (QList<CodeSpan> { { 0, 3, CodeToken::String }, { 0, 4, CodeToken::String } }));
        spans = { { -3, 3, CodeToken::Tag } }; // of a line before: the new one must not grow it
        CodeLexer::forLanguage(u"html")->line(u"<p>", 0, spans);
        QCOMPARE(spans, (QList<CodeSpan> { { -3, 3, CodeToken::Tag }, { 0, 3, CodeToken::Tag } }));
    }

    void laws_data() { addLanguages(); }

    // Any text, in any state: spans in order, states that fit, the same answer every time.
    void laws()
    {
        QFETCH(QString, language);
        const CodeLexer& lexer = *CodeLexer::forLanguage(language);
        QStringList snippets;
        for (const CodeCase& snippet : codeCases()) {
            snippets << codeOf(snippet);
        }
        QRandomGenerator random(20'240'501);
        int state = 0;
        for (int turn = 0; turn < 3000; ++turn) {
            const QString line = randomText(random, snippets, 1 + random.bounded(12));
            if (turn % 16 == 0) {
                state = int(random.generate()); // no lexer returned this
            } else if (turn % 64 == 1) {
                state = turn % 128 == 1 ? std::numeric_limits<int>::max()
                                        : std::numeric_limits<int>::min();
            }
            const Lexed once = lexed(lexer, line, state);
            QVERIFY2(isWellFormed(line, once.spans),
                     qPrintable(QString("%1: %2").arg(state).arg(line)));
            QVERIFY(once == lexed(lexer, line, state));
            QVERIFY(once.state >= 0);
            QVERIFY(lexed(lexer, {}, once.state).state >= 0);
            state = once.state;
        }
    }

    void longLines_data() { addLanguages(); }

    // A bound against hanging, not a measurement: work that grows with the square of the length
    // would take minutes.
    void longLines()
    {
        QFETCH(QString, language);
        const CodeLexer& lexer = *CodeLexer::forLanguage(language);
        const QStringList pieces {
            "x",    " ",       "\"",   "'",       "`",     "/*",       "*/ /*",  "${",   "`${",
            "<",    "<a ",     "f\"{", "(",       "R\"(",  ")a\"",     "$a$",    "$a",   "/[",
            "/a",   "{",       "}",    "a: ",     "- ",    "'a",       "\\",     "$(",   "\"$(",
            "<<a ", "#",       "r#",   "r#\"",    "\"#",   "&a",       "@a",     "--",   "]]>",
            "1",    "1.",      "1e+",  "a (",     "a   ",  "<script>", "</a",    "a:b;", "a:hover",
            "'''",  "\"\"\"x", "::",   "=",       "<!--x", "\u00e9",   "\u0301", "[a",   "0x",
            "a=",   "|",       "a\t",  "@media ", "-",     "~",
        };
        for (const QString& piece : pieces) {
            const QString line = piece.repeated(200'000 / piece.size());
            QElapsedTimer clock;
            clock.start();
            const Lexed result = lexed(lexer, line, 0);
            QVERIFY2(clock.elapsed() < 5000, qPrintable(piece));
            QVERIFY2(isWellFormed(line, result.spans), qPrintable(piece));
        }
        const QString all = pieces.join(QString());
        const QString line = all.repeated(1 + 1'000'000 / all.size());
        QVERIFY(isWellFormed(line, lexed(lexer, line, 0).spans));
    }

    // The first calls from several threads at once: what is made then is made once.
    void threads()
    {
        std::vector<std::thread> threads;
        std::vector<Lexed> results(4);
        for (Lexed& result : results) {
            threads.emplace_back([&result] {
                for (const QString& language : kLanguages) {
                    result.spans +=
                        lexed(*CodeLexer::forLanguage(language), u"a = \"b\" // 'c", 0).spans;
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        QVERIFY(!results.front().spans.isEmpty());
        for (const Lexed& result : results) {
            QVERIFY(result == results.front());
        }
    }
};

QTEST_GUILESS_MAIN(TestCodeLexer)
#include "tst_code_lexer.moc"
