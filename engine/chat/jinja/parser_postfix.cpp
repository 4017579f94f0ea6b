// The part of the expression parser behind a value: attributes, elements, calls, filters, tests.

#include "engine/chat/jinja/parser.h"

#include <algorithm>

namespace engine::chat::jinja {

using Kind = Expression::Kind;

ExpressionPtr ExpressionParser::parsePostfix(ExpressionPtr node)
{
    while (true) {
        if (isOperator(".")) {
            node = parseAttribute(std::move(node));
        } else if (isOperator("[")) {
            node = parseElement(std::move(node));
        } else if (isOperator("(")) {
            node = parseCall(std::move(node));
        } else {
            return node;
        }
    }
}

ExpressionPtr ExpressionParser::parseAttribute(ExpressionPtr node)
{
    const int line = take().line;
    if (isType(Token::Type::Integer)) {
        auto element = make(Kind::Element, line);
        auto index = make(Kind::Constant, line);
        index->constant = Value::integer(std::stoll(take().text.substr(0, 9)));
        element->operands.push_back(std::move(node));
        element->operands.push_back(std::move(index));
        return finish(std::move(element));
    }
    auto attribute = make(Kind::Attribute, line);
    attribute->name = expectName();
    attribute->operands.push_back(std::move(node));
    return finish(std::move(attribute));
}

ExpressionPtr ExpressionParser::parseElement(ExpressionPtr node)
{
    const Nesting nesting(*this);
    const int line = take().line;
    ExpressionPtr out = parseElementOrSlice(std::move(node), line);
    if (isOperator(",")) {
        fail("an element has one key");
    }
    expectOperator("]");
    return out;
}

ExpressionPtr ExpressionParser::parseElementOrSlice(ExpressionPtr node, int line)
{
    auto out = make(Kind::Element, line);
    out->operands.push_back(std::move(node));
    ExpressionPtr first = isOperator(":") ? nullptr : parseExpression();
    if (first && !isOperator(":")) {
        out->operands.push_back(std::move(first));
        return finish(std::move(out));
    }
    take();
    out->kind = Kind::Slice;
    out->operands.push_back(std::move(first));
    const auto part = [this]() -> ExpressionPtr {
        return isOperator(":") || isOperator("]") ? nullptr : parseExpression();
    };
    out->operands.push_back(part());
    out->operands.push_back(takeOperator(":") ? part() : nullptr);
    return finish(std::move(out));
}

ExpressionPtr ExpressionParser::parseCall(ExpressionPtr node)
{
    auto call = make(Kind::Call, current().line);
    call->arguments = parseArguments();
    call->operands.push_back(std::move(node));
    return finish(std::move(call));
}

CallArguments ExpressionParser::parseArguments()
{
    const Nesting nesting(*this);
    CallArguments out;
    expectOperator("(");
    for (bool first = true; !isOperator(")"); first = false) {
        if (!first) {
            expectOperator(",");
            if (isOperator(")")) {
                break;
            }
        }
        const bool isKeyword = isType(Token::Type::Name) && ahead().type == Token::Type::Operator
            && ahead().text == "=";
        if (isOperator("*") && !out.star && !out.doubleStar) {
            take();
            out.star = parseExpression();
        } else if (isOperator("**") && !out.doubleStar) {
            take();
            out.doubleStar = parseExpression();
        } else if (isKeyword && !out.doubleStar) {
            std::string name = take().text;
            take();
            const bool twice =
                std::any_of(out.keywords.begin(), out.keywords.end(),
                            [&](const auto& keyword) { return keyword.first == name; });
            if (twice) {
                fail("the argument '" + name + "' is given twice");
            }
            out.keywords.emplace_back(std::move(name), parseExpression());
        } else if (out.keywords.empty() && !out.star && !out.doubleStar) {
            out.positional.push_back(parseExpression());
        } else {
            fail("the arguments of the call are in the wrong order");
        }
    }
    expectOperator(")");
    return out;
}

ExpressionPtr ExpressionParser::parseFilterExpression(ExpressionPtr node)
{
    while (true) {
        if (isOperator("|")) {
            take();
            node = parseFilter(std::move(node));
        } else if (isName("is")) {
            node = parseTest(std::move(node));
        } else if (isOperator("(")) {
            node = parseCall(std::move(node));
        } else {
            return node;
        }
    }
}

ExpressionPtr ExpressionParser::parseFilters(ExpressionPtr subject)
{
    while (takeOperator("|")) {
        subject = parseFilter(std::move(subject));
    }
    return subject;
}

std::string ExpressionParser::parseDottedName()
{
    std::string name = expectName();
    while (takeOperator(".")) {
        name += '.';
        name += expectName();
    }
    return name;
}

ExpressionPtr ExpressionParser::parseFilter(ExpressionPtr subject)
{
    auto node = make(Kind::Filter, current().line);
    node->name = parseDottedName();
    node->filter = findFilter(node->name);
    if (!node->filter) {
        noteUnknown("there is no filter '" + node->name + "'", node->line);
    }
    if (isOperator("(")) {
        node->arguments = parseArguments();
    }
    node->operands.push_back(std::move(subject));
    return finish(std::move(node));
}

ExpressionPtr ExpressionParser::parseTest(ExpressionPtr node)
{
    const int line = take().line;
    const bool negated = takeName("not");
    auto test = make(Kind::Test, line);
    test->name = parseDottedName();
    test->test = findTest(test->name);
    if (!test->test) {
        noteUnknown("there is no test '" + test->name + "'", line);
    }
    const auto startsValue = [this] {
        switch (current().type) {
        case Token::Type::Name:
            return !isName("else") && !isName("or") && !isName("and");
        case Token::Type::String:
        case Token::Type::Integer:
        case Token::Type::Float:
            return true;
        default:
            return isOperator("[") || isOperator("{");
        }
    };
    if (isOperator("(")) {
        test->arguments = parseArguments();
    } else if (startsValue()) {
        if (isName("is")) {
            fail("tests cannot be chained with 'is'");
        }
        test->arguments.positional.push_back(parsePostfix(parsePrimary()));
    }
    test->operands.push_back(std::move(node));
    ExpressionPtr out = finish(std::move(test));
    if (!negated) {
        return out;
    }
    auto inverse = make(Kind::Not, line);
    inverse->operands.push_back(std::move(out));
    return finish(std::move(inverse));
}

} // namespace engine::chat::jinja
