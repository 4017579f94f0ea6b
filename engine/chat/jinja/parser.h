// Builds the tree of a template from its text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/ast.h"
#include "engine/chat/jinja/failure.h"
#include "engine/chat/jinja/lexer.h"

#include <initializer_list>
#include <string_view>

namespace engine::chat::jinja {

/// Throws Failure: TemplateSyntax, or TemplateLimit where it is nested too deeply.
[[nodiscard]] Template parseTemplate(std::string_view source);

/// One parse. Expressions and what both halves need; the statements are StatementParser's.
class ExpressionParser
{
public:
    ExpressionParser(std::vector<Token> tokens, SymbolTable& symbols);

protected:
    enum class Conditionals { Allowed, Refused };
    enum class Parentheses { Written, Absent };

    /// Counts a level of nesting while it lives.
    class Nesting
    {
    public:
        explicit Nesting(ExpressionParser& parser);
        ~Nesting() { --m_parser.m_nesting; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        ExpressionParser& m_parser;
    };

    [[noreturn]] void fail(std::string message) const;
    [[noreturn]] void unexpected(std::string_view wanted) const;
    [[nodiscard]] const Token& current() const { return m_tokens[m_at]; }
    [[nodiscard]] const Token& ahead() const;
    [[nodiscard]] bool isOperator(std::string_view text) const;
    [[nodiscard]] bool isName(std::string_view text) const;
    [[nodiscard]] bool isType(Token::Type type) const { return current().type == type; }
    Token take();
    bool takeOperator(std::string_view text);
    bool takeName(std::string_view text);
    void expectOperator(std::string_view text);
    std::string expectName();

    [[nodiscard]] ExpressionPtr make(Expression::Kind kind, int line) const;
    /// Sets the depth from the parts and refuses trees that are too deep.
    [[nodiscard]] ExpressionPtr finish(ExpressionPtr node) const;
    void checkDepth(int depth) const;

    ExpressionPtr parseExpression(Conditionals conditionals = Conditionals::Allowed);
    /// One expression, or several with commas between them.
    ExpressionPtr parseTuple(Conditionals conditionals, Parentheses parentheses,
                             std::string_view endName = {});
    /// Filters behind what stands for `subject`.
    ExpressionPtr parseFilters(ExpressionPtr subject);
    /// From behind a filter's '|'.
    ExpressionPtr parseFilter(ExpressionPtr subject);
    CallArguments parseArguments();

    /// Fails if an unknown filter or test was met where that is an error.
    void checkUnknown() const;

    SymbolTable& m_symbols;
    /// Unknown filters and tests fail only when they are reached (as within {% if %}).
    bool m_lenient = false;
    /// The macros around this place; they are told when their special names are used.
    std::vector<MacroDefinition*> m_macros;

private:
    ExpressionPtr parseOr();
    ExpressionPtr parseAnd();
    ExpressionPtr parseNot();
    ExpressionPtr parseCompare();
    ExpressionPtr parseSum();
    ExpressionPtr parseConcat();
    ExpressionPtr parseProduct();
    ExpressionPtr parsePower();
    enum class Filters { Allowed, Refused };
    ExpressionPtr parseUnary(Filters filters);
    ExpressionPtr parsePrimary();
    ExpressionPtr parseNameOrConstant();
    ExpressionPtr parseNumber();
    ExpressionPtr parseString();
    ExpressionPtr parseList();
    ExpressionPtr parseDict();
    ExpressionPtr parsePostfix(ExpressionPtr node);
    ExpressionPtr parseAttribute(ExpressionPtr node);
    ExpressionPtr parseElement(ExpressionPtr node);
    ExpressionPtr parseElementOrSlice(ExpressionPtr node, int line);
    ExpressionPtr parseCall(ExpressionPtr node);
    ExpressionPtr parseFilterExpression(ExpressionPtr node);
    ExpressionPtr parseTest(ExpressionPtr node);
    ExpressionPtr binary(BinaryOperator op, ExpressionPtr left, ExpressionPtr right,
                         int line) const;
    bool takeComparison(Comparison& out);
    std::string parseDottedName();
    void noteUnknown(std::string message, int line);
    [[nodiscard]] bool atTupleEnd(std::string_view endName) const;
    void noteSpecialName(std::string_view name);

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    int m_nesting = 0;
    std::vector<Failure> m_unknown;
};

} // namespace engine::chat::jinja
