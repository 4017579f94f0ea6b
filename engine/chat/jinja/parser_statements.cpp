// The statements of the language: what stands between {% and %}.

#include "engine/chat/jinja/parser.h"

#include <algorithm>

namespace engine::chat::jinja {

namespace {

using Kind = Statement::Kind;
using StatementPtr = std::unique_ptr<Statement>;

/// Sets a variable while it lives.
template <typename T>
class Scoped
{
public:
    Scoped(T& variable, T value)
        : m_variable(variable)
        , m_before(std::exchange(variable, value))
    {
    }
    ~Scoped() { m_variable = m_before; }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;

private:
    T& m_variable;
    T m_before;
};

class StatementParser : public ExpressionParser
{
public:
    using ExpressionParser::ExpressionParser;

    Body parse()
    {
        Body body = parseBody({});
        checkUnknown();
        return body;
    }

private:
    using Names = std::initializer_list<std::string_view>;
    enum class InLoop { Same, Begins, Ends };

    /// Statements up to a tag with one of these names, whose name is the current token then; or to
    /// the end.
    Body parseBody(Names endNames)
    {
        Body body;
        while (!isType(Token::Type::End)) {
            if (isType(Token::Type::Text)) {
                auto text = make(Kind::Text, current().line);
                text->text = take().text;
                body.push_back(std::move(text));
            } else if (isType(Token::Type::OutputBegin)) {
                take();
                body.push_back(parseOutput());
                expectType(Token::Type::OutputEnd, "'}}'");
            } else {
                take();
                const bool ends = std::any_of(endNames.begin(), endNames.end(),
                                              [&](std::string_view name) { return isName(name); });
                if (ends) {
                    return body;
                }
                body.push_back(parseStatement());
            }
        }
        if (endNames.size() > 0) {
            fail("the template ends, but '" + std::string(*(endNames.end() - 1)) + "' is missing");
        }
        return body;
    }

    /// The same for a body with names of its own.
    Body parseInnerBody(Names endNames, InLoop inLoop)
    {
        const Scoped lenient(m_lenient, false);
        const Scoped loops(m_inLoop, inLoop == InLoop::Same ? m_inLoop : inLoop == InLoop::Begins);
        return parseBody(endNames);
    }

    static StatementPtr make(Kind kind, int line)
    {
        auto out = std::make_unique<Statement>();
        out->kind = kind;
        out->line = line;
        return out;
    }

    void expectType(Token::Type type, std::string_view name)
    {
        if (!isType(type)) {
            unexpected(name);
        }
        take();
    }

    void endTag() { expectType(Token::Type::BlockEnd, "'%}'"); }

    /// A closing tag such as endfor.
    void expectEnd(std::string_view name)
    {
        if (!takeName(name)) {
            unexpected("'" + std::string(name) + "'");
        }
        endTag();
    }

    StatementPtr parseOutput()
    {
        auto out = make(Kind::Output, current().line);
        out->expression = parseTuple(Conditionals::Allowed, Parentheses::Absent);
        return out;
    }

    StatementPtr parseStatement()
    {
        using Method = StatementPtr (StatementParser::*)(int);
        struct Entry
        {
            std::string_view name;
            Method method;
        };
        static constexpr Entry kStatements[] = {
            { "if", &StatementParser::parseIf },
            { "for", &StatementParser::parseFor },
            { "set", &StatementParser::parseSet },
            { "with", &StatementParser::parseWith },
            { "macro", &StatementParser::parseMacro },
            { "call", &StatementParser::parseCallBlock },
            { "filter", &StatementParser::parseFilterBlock },
            { "generation", &StatementParser::parseGeneration },
            { "block", &StatementParser::parseNamedBlock },
            { "print", &StatementParser::parsePrint },
            { "break", &StatementParser::parseBreak },
            { "continue", &StatementParser::parseContinue },
        };
        const Nesting nesting(*this);
        const int line = current().line;
        if (!isType(Token::Type::Name)) {
            unexpected("the name of a tag");
        }
        for (const Entry& entry : kStatements) {
            if (takeName(entry.name)) {
                return (this->*entry.method)(line);
            }
        }
        for (const std::string_view name : { "include", "import", "from", "extends" }) {
            if (isName(name)) {
                fail("'" + std::string(name) + "' is not possible: a chat template stands alone");
            }
        }
        fail("unknown tag '" + current().text + "'");
    }

    StatementPtr parseIf(int line)
    {
        auto out = make(Kind::If, line);
        const Scoped lenient(m_lenient, true);
        bool more = true;
        while (more) {
            Branch branch;
            branch.condition = parseTuple(Conditionals::Refused, Parentheses::Absent);
            endTag();
            branch.body = parseBody({ "elif", "else", "endif" });
            out->branches.push_back(std::move(branch));
            more = takeName("elif");
        }
        if (takeName("else")) {
            endTag();
            out->branches.push_back({ nullptr, parseBody({ "endif" }) });
        }
        expectEnd("endif");
        return out;
    }

    StatementPtr parseFor(int line)
    {
        auto out = make(Kind::For, line);
        out->target = parseTarget("in");
        if (out->target.kind == Target::Kind::Name && out->target.symbol == m_symbols.add("loop")) {
            fail("the variable of a loop cannot be named 'loop'");
        }
        if (!takeName("in")) {
            unexpected("'in'");
        }
        out->expression = parseTuple(Conditionals::Refused, Parentheses::Absent, "recursive");
        if (takeName("if")) {
            out->condition = parseExpression();
        }
        out->recursive = takeName("recursive");
        endTag();
        out->body = parseInnerBody({ "else", "endfor" }, InLoop::Begins);
        if (takeName("else")) {
            endTag();
            out->otherwise = parseInnerBody({ "endfor" }, InLoop::Same);
        }
        expectEnd("endfor");
        return out;
    }

    Target parseOneTarget()
    {
        Target target;
        if (takeOperator("(")) {
            target = parseTarget({});
            expectOperator(")");
            return target;
        }
        const std::string name = expectName();
        for (const std::string_view constant :
             { "true", "false", "none", "True", "False", "None" }) {
            if (name == constant) {
                fail("nothing can be assigned to '" + name + "'");
            }
        }
        target.symbol = m_symbols.add(name);
        if (takeOperator(".")) {
            target.kind = Target::Kind::Attribute;
            target.attribute = expectName();
        }
        return target;
    }

    /// One target, or several with commas between them.
    Target parseTarget(std::string_view endName)
    {
        const Nesting nesting(*this);
        Target first = parseOneTarget();
        if (!isOperator(",")) {
            return first;
        }
        Target tuple;
        tuple.kind = Target::Kind::Tuple;
        tuple.parts.push_back(std::move(first));
        while (takeOperator(",")) {
            const bool ends = isOperator("=") || isOperator(")") || isType(Token::Type::BlockEnd)
                || (!endName.empty() && isName(endName));
            if (ends) {
                break;
            }
            tuple.parts.push_back(parseOneTarget());
        }
        return tuple;
    }

    StatementPtr parseSet(int line)
    {
        auto out = make(Kind::Set, line);
        out->target = parseTarget({});
        if (takeOperator("=")) {
            out->expression = parseTuple(Conditionals::Allowed, Parentheses::Absent);
            endTag();
            return out;
        }
        out->kind = Kind::SetBlock;
        const Scoped lenient(m_lenient, false);
        out->expression = parseFilters(ExpressionParser::make(Expression::Kind::Captured, line));
        endTag();
        out->body = parseInnerBody({ "endset" }, InLoop::Same);
        expectEnd("endset");
        return out;
    }

    StatementPtr parseWith(int line)
    {
        auto out = make(Kind::With, line);
        while (!isType(Token::Type::BlockEnd)) {
            if (!out->bindings.empty()) {
                expectOperator(",");
            }
            Target target = parseOneTarget();
            expectOperator("=");
            out->bindings.emplace_back(std::move(target), parseExpression());
        }
        endTag();
        out->body = parseInnerBody({ "endwith" }, InLoop::Same);
        expectEnd("endwith");
        return out;
    }

    std::vector<Parameter> parseParameters()
    {
        std::vector<Parameter> out;
        expectOperator("(");
        while (!isOperator(")")) {
            if (!out.empty()) {
                expectOperator(",");
            }
            Parameter parameter;
            parameter.name = expectName();
            parameter.symbol = m_symbols.add(parameter.name);
            if (takeOperator("=")) {
                parameter.fallback = parseExpression();
            } else if (!out.empty() && out.back().fallback) {
                fail("a parameter without a default follows one with a default");
            }
            out.push_back(std::move(parameter));
        }
        expectOperator(")");
        return out;
    }

    void parseMacroBody(MacroDefinition& macro, std::string_view endName)
    {
        endTag();
        m_macros.push_back(&macro);
        macro.body = parseInnerBody({ endName }, InLoop::Ends);
        m_macros.pop_back();
        expectEnd(endName);
    }

    StatementPtr parseMacro(int line)
    {
        auto out = make(Kind::Macro, line);
        out->macro.name = expectName();
        out->macro.symbol = m_symbols.add(out->macro.name);
        {
            const Scoped lenient(m_lenient, false);
            out->macro.parameters = parseParameters();
        }
        parseMacroBody(out->macro, "endmacro");
        return out;
    }

    StatementPtr parseCallBlock(int line)
    {
        auto out = make(Kind::Call, line);
        if (isOperator("(")) {
            out->macro.parameters = parseParameters();
        }
        out->macro.name = "caller";
        out->expression = parseExpression();
        if (out->expression->kind != Expression::Kind::Call) {
            fail("'call' needs a call");
        }
        parseMacroBody(out->macro, "endcall");
        return out;
    }

    StatementPtr parseFilterBlock(int line)
    {
        auto out = make(Kind::FilterBlock, line);
        const Scoped lenient(m_lenient, false);
        out->expression =
            parseFilters(parseFilter(ExpressionParser::make(Expression::Kind::Captured, line)));
        endTag();
        out->body = parseInnerBody({ "endfilter" }, InLoop::Same);
        expectEnd("endfilter");
        return out;
    }

    StatementPtr parseGeneration(int line)
    {
        auto out = make(Kind::Scope, line);
        endTag();
        out->body = parseInnerBody({ "endgeneration" }, InLoop::Ends);
        expectEnd("endgeneration");
        return out;
    }

    StatementPtr parseNamedBlock(int line)
    {
        auto out = make(Kind::Scope, line);
        const std::string name = expectName();
        while (takeName("scoped") || takeName("required")) { }
        endTag();
        out->body = parseInnerBody({ "endblock" }, InLoop::Ends);
        takeName("endblock");
        takeName(name);
        endTag();
        return out;
    }

    StatementPtr parsePrint(int)
    {
        StatementPtr out = parseOutput();
        endTag();
        return out;
    }

    StatementPtr parseJump(Kind kind, int line)
    {
        if (!m_inLoop) {
            fail(std::string(kind == Kind::Break ? "'break'" : "'continue'")
                 + " is outside a loop");
        }
        endTag();
        return make(kind, line);
    }
    StatementPtr parseBreak(int line) { return parseJump(Kind::Break, line); }
    StatementPtr parseContinue(int line) { return parseJump(Kind::Continue, line); }

    bool m_inLoop = false;
};

} // namespace

Template parseTemplate(std::string_view source)
{
    Template out;
    out.loop = out.symbols.add("loop");
    out.caller = out.symbols.add("caller");
    out.varargs = out.symbols.add("varargs");
    out.kwargs = out.symbols.add("kwargs");
    out.body = StatementParser(tokenize(source), out.symbols).parse();
    return out;
}

} // namespace engine::chat::jinja
