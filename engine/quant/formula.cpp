#include "engine/quant/formula.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

namespace engine::quant {

namespace {

constexpr std::string_view kTimes = "·";
constexpr std::string_view kMinus = "−";
constexpr std::string_view kPlus = "+";

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The length of the symbol in front: letters, and in square brackets what it is chosen by.
std::size_t symbolSize(std::string_view text)
{
    std::size_t size = 0;
    while (size < text.size() && isLetter(text[size])) {
        ++size;
    }
    if (size < text.size() && text[size] == '[') {
        size = text.find(']', size) + 1;
    }
    return size;
}

/// Cuts the next token off the front of `text`: a symbol, a number, an operator or a bracket; empty
/// at the end.
std::string_view takeToken(std::string_view& text)
{
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    std::size_t size = 0;
    if (!text.empty() && isLetter(text.front())) {
        size = symbolSize(text);
    } else if (!text.empty() && isDigit(text.front())) {
        while (size < text.size() && (isDigit(text[size]) || text[size] == '.')) {
            ++size;
        }
    } else if (text.starts_with(kTimes) || text.starts_with(kMinus)) {
        size = text.starts_with(kTimes) ? kTimes.size() : kMinus.size();
    } else if (!text.empty()) {
        size = 1;
    }
    const auto token = text.substr(0, size);
    text.remove_prefix(size);
    return token;
}

const Operand& operandOf(std::string_view symbol, std::span<const Operand> operands)
{
    const auto found = std::ranges::find(operands, symbol, &Operand::symbol);
    assert(found != operands.end());
    return *found;
}

/// Recursive descent, one token ahead.
class Evaluator
{
public:
    Evaluator(std::string_view formula, std::span<const Operand> operands)
        : m_rest(formula)
        , m_operands(operands)
        , m_token(takeToken(m_rest))
    {
    }

    float sum()
    {
        float value = product();
        while (m_token == kPlus || m_token == kMinus) {
            const bool isPlus = m_token == kPlus;
            advance();
            const float next = product();
            value = isPlus ? value + next : value - next;
        }
        return value;
    }

    [[nodiscard]] bool atEnd() const { return m_token.empty(); }

private:
    float product()
    {
        float value = factor();
        while (m_token == kTimes) {
            advance();
            value = value * factor();
        }
        return value;
    }

    float factor()
    {
        const auto token = m_token;
        assert(!token.empty());
        advance();
        if (token == "(") {
            const float value = sum();
            assert(m_token == ")");
            advance();
            return value;
        }
        if (isDigit(token.front())) {
            float number = 0;
            std::from_chars(token.data(), token.data() + token.size(), number);
            return number;
        }
        return operandOf(token, m_operands).value;
    }

    void advance() { m_token = takeToken(m_rest); }

    std::string_view m_rest;
    std::span<const Operand> m_operands;
    std::string_view m_token;
};

} // namespace

float evaluate(std::string_view formula, std::span<const Operand> operands)
{
    Evaluator evaluator(formula, operands);
    const float value = evaluator.sum();
    assert(evaluator.atEnd());
    return value;
}

std::string numberText(float value, int digits)
{
    if (std::isnan(value)) {
        return "NaN";
    }
    char buffer[32];
    const auto written = std::to_chars(buffer, buffer + sizeof(buffer), std::fabs(value),
                                       std::chars_format::general, digits);
    const std::string magnitude = std::isinf(value) ? "∞" : std::string(buffer, written.ptr);
    return std::signbit(value) ? std::string(kMinus) + magnitude : magnitude;
}

std::string withNumbers(std::string_view formula, std::span<const Operand> operands, int digits)
{
    std::string text;
    std::string_view before; // the token in front
    for (auto token = takeToken(formula); !token.empty(); token = takeToken(formula)) {
        const bool isOperator = token == kPlus || token == kMinus || token == kTimes;
        if (isOperator) {
            text.append(" ").append(token).append(" ");
        } else if (!isLetter(token.front())) {
            text += token;
        } else {
            const float value = operandOf(token, operands).value;
            const bool isNegative = std::signbit(value) && !std::isnan(value);
            const bool isAdded = isNegative && before == kPlus;
            const bool inBrackets = isNegative && !isAdded && !before.empty() && before != "(";
            if (isAdded) {
                text.resize(text.size() - kPlus.size() - 1);
                text.append(kMinus).append(" ");
            }
            text.append(inBrackets ? "(" : "")
                .append(numberText(isAdded ? -value : value, digits))
                .append(inBrackets ? ")" : "");
        }
        before = token;
    }
    return text;
}

} // namespace engine::quant
