#include "engine/chat/jinja/parser.h"

#include "engine/chat/jinja/failure.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace engine::chat::jinja {

namespace {

using Kind = Expression::Kind;

constexpr int kMaxNesting = 200;

std::string describe(const Token& token)
{
    switch (token.type) {
    case Token::Type::Text:
        return "text";
    case Token::Type::OutputBegin:
        return "'{{'";
    case Token::Type::OutputEnd:
        return "'}}'";
    case Token::Type::BlockBegin:
        return "'{%'";
    case Token::Type::BlockEnd:
        return "'%}'";
    case Token::Type::End:
        return "the end of the template";
    default:
        return "'" + token.text + "'";
    }
}

int argumentsDepth(const CallArguments& arguments)
{
    int depth = 0;
    for (const auto& argument : arguments.positional) {
        depth = std::max(depth, argument->depth);
    }
    for (const auto& [name, argument] : arguments.keywords) {
        depth = std::max(depth, argument->depth);
    }
    for (const ExpressionPtr* extra : { &arguments.star, &arguments.doubleStar }) {
        depth = *extra ? std::max(depth, (*extra)->depth) : depth;
    }
    return depth;
}

} // namespace

ExpressionParser::Nesting::Nesting(ExpressionParser& parser)
    : m_parser(parser)
{
    parser.checkDepth(parser.m_nesting + 1);
    ++parser.m_nesting;
}

ExpressionParser::ExpressionParser(std::vector<Token> tokens, SymbolTable& symbols)
    : m_symbols(symbols)
    , m_tokens(std::move(tokens))
{
}

void ExpressionParser::fail(std::string message) const
{
    throw Failure { ErrorCode::TemplateSyntax, std::move(message), current().line };
}

void ExpressionParser::unexpected(std::string_view wanted) const
{
    fail("expected " + std::string(wanted) + ", found " + describe(current()));
}

const Token& ExpressionParser::ahead() const
{
    return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)];
}

bool ExpressionParser::isOperator(std::string_view text) const
{
    return isType(Token::Type::Operator) && current().text == text;
}

bool ExpressionParser::isName(std::string_view text) const
{
    return isType(Token::Type::Name) && current().text == text;
}

Token ExpressionParser::take()
{
    Token token = current();
    m_at = std::min(m_at + 1, m_tokens.size() - 1);
    return token;
}

bool ExpressionParser::takeOperator(std::string_view text)
{
    const bool found = isOperator(text);
    if (found) {
        take();
    }
    return found;
}

bool ExpressionParser::takeName(std::string_view text)
{
    const bool found = isName(text);
    if (found) {
        take();
    }
    return found;
}

void ExpressionParser::expectOperator(std::string_view text)
{
    if (!takeOperator(text)) {
        unexpected("'" + std::string(text) + "'");
    }
}

void ExpressionParser::noteUnknown(std::string message, int line)
{
    if (!m_lenient) {
        m_unknown.push_back({ ErrorCode::TemplateSyntax, std::move(message), line });
    }
}

void ExpressionParser::checkUnknown() const
{
    if (!m_unknown.empty()) {
        throw m_unknown.front();
    }
}

std::string ExpressionParser::expectName()
{
    if (!isType(Token::Type::Name)) {
        unexpected("a name");
    }
    return take().text;
}

void ExpressionParser::checkDepth(int depth) const
{
    if (depth > kMaxNesting) {
        throw Failure { ErrorCode::TemplateLimit,
                        std::to_string(kMaxNesting) + " levels of nesting", current().line };
    }
}

ExpressionPtr ExpressionParser::make(Kind kind, int line) const
{
    auto node = std::make_unique<Expression>();
    node->kind = kind;
    node->line = line;
    return node;
}

ExpressionPtr ExpressionParser::finish(ExpressionPtr node) const
{
    int depth = argumentsDepth(node->arguments);
    for (const auto& operand : node->operands) {
        depth = operand ? std::max(depth, operand->depth) : depth;
    }
    node->depth = depth + 1;
    checkDepth(node->depth);
    return node;
}

ExpressionPtr ExpressionParser::binary(BinaryOperator op, ExpressionPtr left, ExpressionPtr right,
                                       int line) const
{
    auto node = make(Kind::Binary, line);
    node->op = op;
    node->operands.push_back(std::move(left));
    node->operands.push_back(std::move(right));
    return finish(std::move(node));
}

ExpressionPtr ExpressionParser::parseExpression(Conditionals conditionals)
{
    const Nesting nesting(*this);
    if (conditionals == Conditionals::Refused) {
        return parseOr();
    }
    const bool outer = m_lenient;
    const std::size_t unknownBefore = m_unknown.size();
    ExpressionPtr value = parseOr();
    if (isName("if")) {
        m_lenient = true;
        m_unknown.resize(unknownBefore); // forgiven: they may never be reached
    }
    while (isName("if")) {
        auto node = make(Kind::Conditional, take().line);
        ExpressionPtr condition = parseOr();
        ExpressionPtr other = takeName("else") ? parseExpression() : nullptr;
        node->operands.push_back(std::move(value));
        node->operands.push_back(std::move(condition));
        node->operands.push_back(std::move(other));
        value = finish(std::move(node));
    }
    m_lenient = outer;
    return value;
}

ExpressionPtr ExpressionParser::parseOr()
{
    ExpressionPtr left = parseAnd();
    while (isName("or")) {
        auto node = make(Kind::Or, take().line);
        node->operands.push_back(std::move(left));
        node->operands.push_back(parseAnd());
        left = finish(std::move(node));
    }
    return left;
}

ExpressionPtr ExpressionParser::parseAnd()
{
    ExpressionPtr left = parseNot();
    while (isName("and")) {
        auto node = make(Kind::And, take().line);
        node->operands.push_back(std::move(left));
        node->operands.push_back(parseNot());
        left = finish(std::move(node));
    }
    return left;
}

ExpressionPtr ExpressionParser::parseNot()
{
    if (!isName("not")) {
        return parseCompare();
    }
    const Nesting nesting(*this);
    auto node = make(Kind::Not, take().line);
    node->operands.push_back(parseNot());
    return finish(std::move(node));
}

bool ExpressionParser::takeComparison(Comparison& out)
{
    struct Sign
    {
        std::string_view text;
        Comparison comparison;
    };
    constexpr auto kSigns = std::to_array<Sign>({ { "==", Comparison::Equal },
                                                  { "!=", Comparison::NotEqual },
                                                  { "<", Comparison::Less },
                                                  { "<=", Comparison::LessEqual },
                                                  { ">", Comparison::Greater },
                                                  { ">=", Comparison::GreaterEqual } });
    for (const Sign& sign : kSigns) {
        if (takeOperator(sign.text)) {
            out = sign.comparison;
            return true;
        }
    }
    if (takeName("in")) {
        out = Comparison::In;
        return true;
    }
    if (isName("not") && ahead().type == Token::Type::Name && ahead().text == "in") {
        take();
        take();
        out = Comparison::NotIn;
        return true;
    }
    return false;
}

ExpressionPtr ExpressionParser::parseCompare()
{
    ExpressionPtr first = parseSum();
    const int line = current().line;
    Comparison comparison {};
    if (!takeComparison(comparison)) {
        return first;
    }
    auto node = make(Kind::Compare, line);
    node->operands.push_back(std::move(first));
    do {
        node->comparisons.push_back(comparison);
        node->operands.push_back(parseSum());
    } while (takeComparison(comparison));
    return finish(std::move(node));
}

ExpressionPtr ExpressionParser::parseSum()
{
    ExpressionPtr left = parseConcat();
    while (isOperator("+") || isOperator("-")) {
        const Token sign = take();
        const auto op = sign.text == "+" ? BinaryOperator::Add : BinaryOperator::Subtract;
        left = binary(op, std::move(left), parseConcat(), sign.line);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseConcat()
{
    ExpressionPtr first = parseProduct();
    if (!isOperator("~")) {
        return first;
    }
    auto node = make(Kind::Concat, current().line);
    node->operands.push_back(std::move(first));
    while (takeOperator("~")) {
        node->operands.push_back(parseProduct());
    }
    return finish(std::move(node));
}

ExpressionPtr ExpressionParser::parseProduct()
{
    ExpressionPtr left = parsePower();
    while (isOperator("*") || isOperator("/") || isOperator("//") || isOperator("%")) {
        const Token sign = take();
        const auto op = sign.text == "*" ? BinaryOperator::Multiply
            : sign.text == "/"           ? BinaryOperator::Divide
            : sign.text == "//"          ? BinaryOperator::FloorDivide
                                         : BinaryOperator::Modulo;
        left = binary(op, std::move(left), parsePower(), sign.line);
    }
    return left;
}

ExpressionPtr ExpressionParser::parsePower()
{
    // To the left, unlike Python: 2 ** 3 ** 2 is 64.
    ExpressionPtr left = parseUnary(Filters::Allowed);
    while (isOperator("**")) {
        const int line = take().line;
        left = binary(BinaryOperator::Power, std::move(left), parseUnary(Filters::Allowed), line);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseUnary(Filters filters)
{
    ExpressionPtr node;
    if (isOperator("-") || isOperator("+")) {
        const Nesting nesting(*this);
        const Token sign = take();
        node = make(sign.text == "-" ? Kind::Negate : Kind::Plus, sign.line);
        node->operands.push_back(parseUnary(Filters::Refused));
        node = finish(std::move(node));
    } else {
        node = parsePrimary();
    }
    node = parsePostfix(std::move(node));
    return filters == Filters::Allowed ? parseFilterExpression(std::move(node)) : std::move(node);
}

ExpressionPtr ExpressionParser::parsePrimary()
{
    switch (current().type) {
    case Token::Type::Name:
        return parseNameOrConstant();
    case Token::Type::String:
        return parseString();
    case Token::Type::Integer:
    case Token::Type::Float:
        return parseNumber();
    case Token::Type::Operator:
        if (takeOperator("(")) {
            ExpressionPtr inner = parseTuple(Conditionals::Allowed, Parentheses::Written);
            expectOperator(")");
            return inner;
        }
        if (isOperator("[")) {
            return parseList();
        }
        if (isOperator("{")) {
            return parseDict();
        }
        break;
    default:
        break;
    }
    unexpected("an expression");
}

void ExpressionParser::noteSpecialName(std::string_view name)
{
    for (MacroDefinition* const macro : m_macros) {
        macro->usesVarargs = macro->usesVarargs || name == "varargs";
        macro->usesKwargs = macro->usesKwargs || name == "kwargs";
        macro->usesCaller = macro->usesCaller || name == "caller";
    }
}

ExpressionPtr ExpressionParser::parseNameOrConstant()
{
    Token token = take();
    const std::string& name = token.text;
    auto node = make(Kind::Constant, token.line);
    if (name == "true" || name == "True") {
        node->constant = Value::boolean(true);
    } else if (name == "false" || name == "False") {
        node->constant = Value::boolean(false);
    } else if (name == "none" || name == "None") {
        node->constant = Value::none();
    } else {
        noteSpecialName(name);
        node->kind = Kind::Name;
        node->symbol = m_symbols.add(name);
        node->name = name;
    }
    return node;
}

ExpressionPtr ExpressionParser::parseNumber()
{
    const Token token = take();
    auto node = make(Kind::Constant, token.line);
    const char* begin = token.text.data();
    const char* const end = begin + token.text.size();
    if (token.type == Token::Type::Float) {
        double value = 0;
        // Out of range, from_chars leaves the value alone; Python reads infinity or zero.
        if (std::from_chars(begin, end, value).ec != std::errc()) {
            fail("the number " + token.text + " is out of range");
        }
        node->constant = Value::real(value);
        return node;
    }
    const char kind = token.text.size() > 1 ? static_cast<char>(token.text[1] | 0x20) : '\0';
    const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    begin += base == 10 ? 0 : 2;
    std::int64_t value = 0;
    if (std::from_chars(begin, end, value, base).ec != std::errc()) {
        fail("the number " + token.text + " does not fit into 64 bits");
    }
    node->constant = Value::integer(value);
    return node;
}

ExpressionPtr ExpressionParser::parseString()
{
    auto node = make(Kind::Constant, current().line);
    std::string text;
    while (isType(Token::Type::String)) {
        text += take().text;
    }
    node->constant = Value::string(std::move(text));
    return node;
}

ExpressionPtr ExpressionParser::parseList()
{
    auto node = make(Kind::List, take().line);
    while (!isOperator("]")) {
        if (!node->operands.empty()) {
            expectOperator(",");
            if (isOperator("]")) {
                break;
            }
        }
        node->operands.push_back(parseExpression());
    }
    expectOperator("]");
    return finish(std::move(node));
}

ExpressionPtr ExpressionParser::parseDict()
{
    auto node = make(Kind::Dict, take().line);
    while (!isOperator("}")) {
        if (!node->operands.empty()) {
            expectOperator(",");
            if (isOperator("}")) {
                break;
            }
        }
        node->operands.push_back(parseExpression());
        expectOperator(":");
        node->operands.push_back(parseExpression());
    }
    expectOperator("}");
    return finish(std::move(node));
}

bool ExpressionParser::atTupleEnd(std::string_view endName) const
{
    return isType(Token::Type::OutputEnd) || isType(Token::Type::BlockEnd)
        || isType(Token::Type::End) || isOperator(")") || (!endName.empty() && isName(endName));
}

ExpressionPtr ExpressionParser::parseTuple(Conditionals conditionals, Parentheses parentheses,
                                           std::string_view endName)
{
    auto node = make(Kind::Tuple, current().line);
    bool isTuple = false;
    while (!atTupleEnd(endName)) {
        node->operands.push_back(parseExpression(conditionals));
        if (!isOperator(",")) {
            break;
        }
        take();
        isTuple = true;
    }
    if (!isTuple && !node->operands.empty()) {
        return std::move(node->operands.front());
    }
    if (!isTuple && parentheses == Parentheses::Absent) {
        unexpected("an expression");
    }
    return finish(std::move(node));
}

} // namespace engine::chat::jinja
