// The lexers by language: one object each, made when first asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/code/code_lexer.h"

enum class ScriptDialect {
    JavaScript, ///< JSX too
    TypeScript,
    TypeScriptXml ///< TSX
};

/// The states of scriptLexer and styleLexer fit so many bits: HTML keeps them beside its own.
constexpr int kEmbeddedStateBits = 27;

const CodeLexer& bashLexer();
const CodeLexer& cLexer(); ///< C, C++ and their relatives
const CodeLexer& diffLexer();
const CodeLexer& goLexer();
const CodeLexer& htmlLexer(); ///< and XML
const CodeLexer& javaLexer();
const CodeLexer& jsonLexer();
const CodeLexer& pythonLexer();
const CodeLexer& rustLexer();
const CodeLexer& scriptLexer(ScriptDialect dialect);
const CodeLexer& sqlLexer();
const CodeLexer& styleLexer(); ///< CSS
const CodeLexer& yamlLexer();
