#include "shaders/tools/khr_matrices.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>

namespace shaders {

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kBound = 3; // where the header says how many ids there are

enum Op : std::uint32_t {
    Source = 3,
    Name = 5,
    MemberName = 6,
    Extension = 10,
    Capability = 17,
    TypeInt = 21,
    TypeFloat = 22,
    ConstantTrue = 41,
    ConstantFalse = 42,
    SpecConstantOp = 52,
    Decorate = 71,
    MemberDecorate = 72,
    DecorateId = 332,
    TypeMatrixNv = 5358,
    LoadNv = 5359,
    StoreNv = 5360,
    MulAddNv = 5361,
    LengthNv = 5362,
};
constexpr std::uint32_t kToKhr = 902; // each instruction's number is less by this
constexpr std::uint32_t kCapabilityNv = 5357;
constexpr std::uint32_t kCapabilityKhr = 6022;
constexpr std::string_view kNameNv = "SPV_NV_cooperative_matrix";
constexpr std::string_view kNameKhr = "SPV_KHR_cooperative_matrix";

/// What a matrix is of A · B + C, numbered as in the types of Khronos.
enum Use : std::uint32_t { A = 0, B = 1, Accumulator = 2 };
constexpr std::uint32_t kUses = 3;

/// Its first word, then operands.
using Instruction = std::span<const std::uint32_t>;

std::uint32_t opOf(Instruction instruction)
{
    return instruction[0] & 0xFFFF;
}

void append(Words& out, std::uint32_t op, std::initializer_list<Instruction> operands)
{
    const auto begin = out.size();
    out.push_back(0);
    for (const auto& piece : operands) {
        out.insert(out.end(), piece.begin(), piece.end());
    }
    out[begin] = static_cast<std::uint32_t>(out.size() - begin) << 16 | op;
}

/// A string as SPIR-V has it: four characters a word, at least one zero behind them.
Words packed(std::string_view text)
{
    Words words(text.size() / 4 + 1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        words[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]))
            << i % 4 * 8;
    }
    return words;
}

/// Instructions that name types without being of them.
bool isAnnotation(std::uint32_t op)
{
    return op == Source || op == Name || op == MemberName || op == Decorate || op == MemberDecorate
        || op == DecorateId;
}

class Rewriting
{
public:
    explicit Rewriting(const Words& words)
        : m_words(words)
    {
    }

    /// Empty, or what is wrong.
    std::string run()
    {
        split();
        if (m_problem.empty()) {
            readTypes();
        }
        if (m_problem.empty()) {
            readUses();
        }
        for (std::size_t i = 0; m_problem.empty() && i < m_instructions.size(); ++i) {
            write(m_instructions[i]);
        }
        return m_problem;
    }

    Words takeResult() { return std::move(m_out); }

private:
    /// The first problem is told.
    void fail(const std::string& what)
    {
        if (m_problem.empty()) {
            m_problem = what;
        }
    }

    /// Least operands of the instructions that are looked into.
    static std::size_t leastOperands(std::uint32_t op)
    {
        switch (op) {
        case Capability:
        case Extension:
            return 1;
        case TypeFloat:
        case ConstantTrue:
        case ConstantFalse:
            return 2;
        case TypeInt:
        case SpecConstantOp:
            return 3;
        case StoreNv:
            return 4;
        case TypeMatrixNv:
        case LoadNv:
        case MulAddNv:
            return 5;
        default:
            return 0;
        }
    }

    void split()
    {
        if (m_words.size() < kHeaderWords || m_words[0] != kMagic) {
            fail("this is no SPIR-V of this machine's byte order");
            return;
        }
        const Instruction all = m_words;
        for (std::size_t at = kHeaderWords; at < all.size();) {
            const std::size_t count = all[at] >> 16;
            if (count == 0 || count > all.size() - at) {
                fail("the instruction at word " + std::to_string(at) + " is cut off");
                return;
            }
            m_instructions.push_back(all.subspan(at, count));
            const auto op = opOf(m_instructions.back());
            if (count - 1 < leastOperands(op)) {
                fail("instruction " + std::to_string(op) + " lacks operands");
                return;
            }
            at += count;
        }
        m_out.assign(m_words.begin(), m_words.begin() + kHeaderWords);
        m_firstConstant = m_out[kBound];
        m_out[kBound] += kUses;
    }

    void readTypes()
    {
        for (const auto& instruction : m_instructions) {
            const auto op = opOf(instruction);
            if (op == TypeInt && instruction[2] == 32 && instruction[3] == 0) {
                m_uint = instruction[1];
            } else if (op == TypeFloat) {
                m_floats.push_back(instruction[1]);
            } else if (op == ConstantTrue || op == ConstantFalse) {
                m_layouts[instruction[2]] = op == ConstantTrue ? 1 : 0;
            } else if (op == TypeMatrixNv) {
                if (std::ranges::find(m_floats, instruction[2]) == m_floats.end()) {
                    fail("matrices of integers are not understood");
                }
                m_uses[instruction[1]] = kUses; // not known yet
            } else if (instruction.size() > 2 && !isAnnotation(op)
                       && m_uses.contains(instruction[1])) {
                m_types[instruction[2]] = instruction[1];
            }
        }
        if (m_uint == 0) {
            fail("there is no type of unsigned integers, so there are no matrices");
        }
    }

    void learn(std::uint32_t value, Use use)
    {
        const auto type = m_types.find(value);
        if (type == m_types.end()) {
            fail("a product of what is no matrix");
            return;
        }
        auto& known = m_uses[type->second];
        if (known != kUses && known != use) {
            fail("one type is two of A, B and accumulator: M, N and K must be three different "
                 "constants");
        }
        known = use;
    }

    void readUses()
    {
        for (const auto& instruction : m_instructions) {
            if (opOf(instruction) == MulAddNv) {
                learn(instruction[2], Accumulator);
                learn(instruction[3], A);
                learn(instruction[4], B);
                learn(instruction[5], Accumulator);
            }
        }
        if (std::ranges::any_of(m_uses, [](const auto& use) { return use.second == kUses; })) {
            fail("a type of matrices has no part in any product");
        }
    }

    /// Of a constant that says whether columns are stored one after another.
    Words layout(std::uint32_t columnMajor)
    {
        const auto found = m_layouts.find(columnMajor);
        if (found == m_layouts.end()) {
            fail("whether a matrix is stored by columns must be a constant");
            return {};
        }
        return { m_firstConstant + found->second };
    }

    void write(Instruction instruction)
    {
        const auto op = opOf(instruction);
        const auto operands = instruction.subspan(1);
        switch (op) {
        case Capability:
            append(m_out, op,
                   { Words { operands[0] == kCapabilityNv ? kCapabilityKhr : operands[0] } });
            break;
        case Extension:
            append(m_out, op,
                   { std::ranges::equal(operands, packed(kNameNv)) ? Instruction(packed(kNameKhr))
                                                                   : operands });
            break;
        case TypeMatrixNv:
            append(m_out, op - kToKhr,
                   { operands, Words { m_firstConstant + m_uses[operands[0]] } });
            break;
        case LoadNv:
            append(m_out, op - kToKhr,
                   { operands.first(3), layout(operands[4]), operands.subspan(3, 1),
                     operands.subspan(5) });
            break;
        case StoreNv:
            append(m_out, op - kToKhr,
                   { operands.first(2), layout(operands[3]), operands.subspan(2, 1),
                     operands.subspan(4) });
            break;
        case MulAddNv:
        case LengthNv:
            append(m_out, op - kToKhr, { operands });
            break;
        case SpecConstantOp:
            append(m_out, op,
                   { operands.first(2),
                     Words { operands[2] == LengthNv ? LengthNv - kToKhr : operands[2] },
                     operands.subspan(3) });
            break;
        default:
            append(m_out, op, { operands });
        }
        if (op == TypeInt && operands[0] == m_uint) {
            constexpr std::uint32_t constant = 43;
            for (std::uint32_t value = 0; value < kUses; ++value) {
                append(m_out, constant, { Words { m_uint, m_firstConstant + value, value } });
            }
        }
    }

    const Words& m_words;
    std::vector<Instruction> m_instructions;
    std::uint32_t m_uint = 0; // ids
    std::vector<std::uint32_t> m_floats;
    std::map<std::uint32_t, std::uint32_t> m_layouts; // of constants that are true or false
    std::map<std::uint32_t, std::uint32_t> m_uses; // of types
    std::map<std::uint32_t, std::uint32_t> m_types; // of values
    std::uint32_t m_firstConstant = 0; // ids of the numbers 0, 1 and 2
    Words m_out;
    std::string m_problem;
};

} // namespace

std::string toKhrMatrices(std::vector<std::uint32_t>& words)
{
    Rewriting rewriting(words);
    auto problem = rewriting.run();
    if (problem.empty()) {
        words = rewriting.takeResult();
    }
    return problem;
}

} // namespace shaders
