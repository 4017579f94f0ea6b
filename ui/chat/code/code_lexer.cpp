// Which lexer stands behind which name.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_lexer.h"

#include "ui/chat/code/lexers.h"

#include <QtCore/QString>

#include <algorithm>
#include <array>

namespace {

using Factory = const CodeLexer& (*)();

const CodeLexer& javaScriptLexer()
{
    return scriptLexer(ScriptDialect::JavaScript);
}

const CodeLexer& typeScriptLexer()
{
    return scriptLexer(ScriptDialect::TypeScript);
}

const CodeLexer& typeScriptXmlLexer()
{
    return scriptLexer(ScriptDialect::TypeScriptXml);
}

struct Language
{
    const char16_t* names; ///< separated by single spaces
    Factory lexer;
};

constexpr std::array kLanguages {
    Language {
        u"c c++ cpp cc cxx h hh hpp hxx ino arduino cuda cu glsl hlsl objc objective-c objectivec",
        cLexer },
    Language { u"python py python3 python2 py3 pyi pyw pycon ipython ipython3 starlark bzl",
               pythonLexer },
    Language { u"javascript js jsx mjs cjs node nodejs ecmascript es6 react", javaScriptLexer },
    Language { u"typescript ts mts cts", typeScriptLexer },
    Language { u"tsx typescriptreact", typeScriptXmlLexer },
    Language { u"rust rs", rustLexer },
    Language { u"go golang", goLexer },
    Language { u"java jsp groovy", javaLexer },
    Language {
        u"bash sh shell zsh ksh dash ash console terminal shellsession shell-session sh-session "
        u"shellscript shell-script command-line commandline",
        bashLexer },
    Language { u"json jsonc json5 jsonl ndjson geojson jsonlines webmanifest ipynb", jsonLexer },
    Language { u"yaml yml docker-compose", yamlLexer },
    Language {
        u"html htm xhtml html5 vue svelte xml svg xsd xsl xslt rss atom plist xaml mathml qrc",
        htmlLexer },
    Language { u"css", styleLexer },
    Language { u"sql postgresql postgres pgsql psql plpgsql mysql mariadb sqlite sqlite3 tsql "
               u"t-sql plsql pl/sql "
               u"mssql oracle duckdb",
               sqlLexer },
    Language { u"diff patch udiff git-diff", diffLexer },
};

constexpr qsizetype kLongestName = 40;

/// The first word of a fence's info text, without what some people put around it.
QStringView bareName(QStringView info)
{
    QStringView name = info.trimmed();
    for (const QStringView prefix : { QStringView(u"{"), QStringView(u"."),
                                      QStringView(u"language-"), QStringView(u"lang-") }) {
        if (name.startsWith(prefix, Qt::CaseInsensitive)) {
            name = name.sliced(prefix.size());
        }
    }
    const auto end = std::find_if(name.begin(), name.end(), [](QChar unit) {
        return unit.isSpace() || unit == u'{' || unit == u'}' || unit == u',' || unit == u':';
    });
    return name.first(end - name.begin());
}

} // namespace

const CodeLexer* CodeLexer::forLanguage(QStringView name)
{
    const QStringView bare = bareName(name);
    if (bare.isEmpty() || bare.size() > kLongestName) {
        return nullptr;
    }
    for (const Language& language : kLanguages) {
        for (const QStringView known : QStringView(language.names).tokenize(u' ')) {
            if (known.compare(bare, Qt::CaseInsensitive) == 0) {
                return &language.lexer();
            }
        }
    }
    return nullptr;
}
