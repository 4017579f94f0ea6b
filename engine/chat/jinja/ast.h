// A parsed template: expressions and statements, immutable once the parser is done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"
#include "engine/chat/jinja/value.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace engine::chat::jinja {

struct Expression;
struct Statement;
using ExpressionPtr = std::unique_ptr<Expression>;
using Body = std::vector<std::unique_ptr<Statement>>;

/// A name as a number; equal names are equal numbers within one template.
using Symbol = int;

/// The arguments of a call, a filter or a test as expressions.
struct CallArguments
{
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> keywords;
    ExpressionPtr star; ///< *list
    ExpressionPtr doubleStar; ///< **dict
};

struct Expression
{
    enum class Kind {
        Constant,
        Captured, ///< the text that a filter of a block works on
        Name,
        List, ///< operands: items
        Tuple, ///< operands: items
        Dict, ///< operands: key, value, key, value, …
        Attribute, ///< operands: object; name
        Element, ///< operands: object, key
        Slice, ///< operands: object, start, stop, step (null where left out)
        Call, ///< operands: callee
        Filter, ///< operands: subject
        Test, ///< operands: subject
        Negate,
        Plus,
        Not,
        Binary, ///< operands: left, right
        Concat, ///< operands: parts of a ~ b ~ c
        Compare, ///< operands: first, …; one comparison fewer than operands
        And,
        Or,
        Conditional ///< operands: value, condition, other value (null where left out)
    };

    Kind kind = Kind::Constant;
    int line = 0;
    int depth = 1; ///< of the tree below
    Value constant;
    std::string name;
    Symbol symbol = -1;
    BinaryOperator op = BinaryOperator::Add;
    std::vector<Comparison> comparisons;
    std::vector<ExpressionPtr> operands;
    CallArguments arguments;
    FilterBody filter =
        nullptr; ///< null where there is none of this name: fails when it is reached
    TestBody test = nullptr;
};

/// What a value is assigned to.
struct Target
{
    enum class Kind { Name, Attribute, Tuple };
    Kind kind = Kind::Name;
    Symbol symbol = -1;
    std::string attribute; ///< of a namespace
    std::vector<Target> parts;
};

struct Parameter
{
    Symbol symbol = -1;
    std::string name;
    ExpressionPtr fallback; ///< null where there is none
};

/// A macro, or the body of a call block.
struct MacroDefinition
{
    std::string name;
    Symbol symbol = -1;
    std::vector<Parameter> parameters;
    Body body;
    bool usesVarargs = false;
    bool usesKwargs = false;
    bool usesCaller = false;
};

struct Branch
{
    ExpressionPtr condition; ///< null in else
    Body body;
};

struct Statement
{
    enum class Kind {
        Text,
        Output, ///< expression
        If, ///< branches
        For, ///< target in expression, condition, body, otherwise, recursive
        Set, ///< target, expression
        SetBlock, ///< target, body, expression: the filters or null
        With, ///< bindings, body
        Macro, ///< macro
        Call, ///< expression: the call; macro: the body
        FilterBlock, ///< expression: the filters; body
        Scope, ///< body with names of its own
        Break,
        Continue
    };

    Kind kind = Kind::Text;
    int line = 0;
    std::string text;
    ExpressionPtr expression;
    ExpressionPtr condition;
    std::vector<Branch> branches;
    Body body;
    Body otherwise;
    Target target;
    std::vector<std::pair<Target, ExpressionPtr>> bindings;
    MacroDefinition macro;
    bool recursive = false;
};

/// Names and their numbers.
class SymbolTable
{
public:
    [[nodiscard]] Symbol add(const std::string& name)
    {
        const auto [place, isNew] =
            m_numbers.try_emplace(name, static_cast<Symbol>(m_names.size()));
        if (isNew) {
            m_names.push_back(name);
        }
        return place->second;
    }
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

private:
    std::unordered_map<std::string, Symbol> m_numbers;
    std::vector<std::string> m_names;
};

struct Template
{
    SymbolTable symbols;
    Body body;
    // Names with a meaning of their own.
    Symbol loop = -1;
    Symbol caller = -1;
    Symbol varargs = -1;
    Symbol kwargs = -1;
};

} // namespace engine::chat::jinja
