#include "engine/gguf/file_diff.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace engine::gguf {

namespace {

constexpr std::uint64_t kStopInterval = 4096; // elements between two looks at the stop token

/// Also of NaN and of signed zeros.
bool isSameNumber(std::optional<double> a, std::optional<double> b)
{
    return a && b && std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b);
}

bool isSameScalar(const Value& a, const Value& b)
{
    switch (a.type()) {
    case ValueType::Bool:
        return a.asBool() == b.asBool();
    case ValueType::String:
        return a.asText() == b.asText();
    case ValueType::F32:
    case ValueType::F64:
        return isSameNumber(a.asNumber(), b.asNumber());
    case ValueType::U64:
        return a.asUnsigned() == b.asUnsigned();
    default:
        return a.asInteger() == b.asInteger();
    }
}

bool isSameBytes(std::span<const std::byte> a, std::span<const std::byte> b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// The n-th part of that name in B belongs to the n-th in A.
class Pairs
{
public:
    template <typename Parts, typename NameOf>
    Pairs(const Parts& parts, NameOf nameOf)
        : m_isTaken(parts.size(), false)
        , m_next(parts.size(), kNone)
    {
        m_first.reserve(parts.size());
        for (std::size_t at = parts.size(); at > 0; --at) {
            const auto number = static_cast<std::uint32_t>(at - 1);
            const auto [found, isNew] = m_first.try_emplace(nameOf(parts[number]), number);
            if (!isNew) {
                m_next[number] = found->second;
                found->second = number;
            }
        }
    }

    /// The next one of this name that nobody took.
    std::optional<std::uint32_t> take(std::string_view name)
    {
        const auto found = m_first.find(name);
        if (found == m_first.end() || found->second == kNone) {
            return std::nullopt;
        }
        const std::uint32_t number = found->second;
        found->second = m_next[number];
        m_isTaken[number] = true;
        m_isOrderDifferent |= number < m_latest;
        m_latest = std::max(m_latest, number);
        return number;
    }

    [[nodiscard]] std::vector<std::uint32_t> left() const
    {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t at = 0; at < m_isTaken.size(); ++at) {
            if (!m_isTaken[at]) {
                numbers.push_back(at);
            }
        }
        return numbers;
    }
    /// What was taken does not stand in the order in which it was asked for.
    [[nodiscard]] bool isOrderDifferent() const { return m_isOrderDifferent; }

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::unordered_map<std::string_view, std::uint32_t> m_first;
    std::vector<bool> m_isTaken;
    std::vector<std::uint32_t> m_next;
    std::uint32_t m_latest = 0;
    bool m_isOrderDifferent = false;
};

/// Compares values of two files.
class ValueComparer
{
public:
    ValueComparer(bool isSameByteOrder, std::stop_token stop)
        : m_isSameByteOrder(isSameByteOrder)
        , m_stop(std::move(stop))
    {
    }

    [[nodiscard]] MetadataDiff compare(const Value& a, const Value& b) const
    {
        MetadataDiff diff { .state = DiffState::Same };
        if (a.type() != b.type()) {
            diff.isTypeDifferent = true;
        } else if (a.type() == ValueType::Array) {
            diff.isTypeDifferent = a.elementType() != b.elementType();
            diff.array = compareArrays(a, b);
        }
        if (diff.isTypeDifferent || diff.array || !isSame(a, b)) {
            diff.state = DiffState::Different;
        }
        return diff;
    }

private:
    [[nodiscard]] bool isSame(const Value& a, const Value& b) const
    {
        if (a.type() != b.type()) {
            return false;
        }
        return a.type() == ValueType::Array
            ? a.elementType() == b.elementType() && !compareArrays(a, b)
            : isSameScalar(a, b);
    }

    /// Nothing where no element differs.
    [[nodiscard]] std::optional<ArrayDiff> compareArrays(const Value& a, const Value& b) const
    {
        // Equal bytes are equal numbers only in the same byte order.
        if (m_isSameByteOrder && a.elementType() == b.elementType() && a.count() == b.count()
            && isSameBytes(a.elementBytes(), b.elementBytes())) {
            return std::nullopt;
        }
        ArrayDiff diff;
        auto left = a.elements();
        auto right = b.elements();
        const std::uint64_t count = std::max(a.count(), b.count());
        for (std::uint64_t at = 0; at < count; ++at) {
            const auto x = left.next();
            const auto y = right.next();
            // Nothing is left only when the files were overwritten after they were opened.
            if ((!x && !y) || (at % kStopInterval == 0 && m_stop.stop_requested())) {
                break;
            }
            if (x && y && isSame(*x, *y)) {
                continue;
            }
            if (diff.different++ == 0) {
                diff.first = at;
                diff.a = x;
                diff.b = y;
            }
        }
        return diff.different > 0 ? std::optional(diff) : std::nullopt;
    }

    bool m_isSameByteOrder;
    std::stop_token m_stop;
};

} // namespace

MetadataComparison compareMetadata(const GgufFile& a, const GgufFile& b,
                                   const std::stop_token& stop)
{
    MetadataComparison result;
    const auto left = a.metadata();
    const auto right = b.metadata();
    const ValueComparer comparer(a.header().bigEndian == b.header().bigEndian, stop);
    Pairs pairs(right, [](const MetadataEntry& entry) { return entry.key; });
    for (std::uint32_t at = 0; at < left.size() && !stop.stop_requested(); ++at) {
        const auto other = pairs.take(left[at].key);
        MetadataDiff diff = other ? comparer.compare(left[at].value, right[*other].value)
                                  : MetadataDiff { .state = DiffState::OnlyInA };
        diff.a = at;
        diff.b = other;
        result.entries.push_back(diff);
    }
    if (!stop.stop_requested()) {
        for (const std::uint32_t at : pairs.left()) {
            result.entries.push_back({ .state = DiffState::OnlyInB, .b = at });
        }
    }
    result.isOrderDifferent = pairs.isOrderDifferent();
    result.differences = static_cast<std::uint64_t>(std::ranges::count_if(
        result.entries, [](const MetadataDiff& each) { return each.state != DiffState::Same; }));
    return result;
}

TensorComparison compareTensors(const GgufFile& a, const GgufFile& b)
{
    TensorComparison result;
    const auto left = a.tensors();
    const auto right = b.tensors();
    Pairs pairs(right, [](const TensorInfo& tensor) { return tensor.name; });
    for (std::uint32_t at = 0; at < left.size(); ++at) {
        TensorDiff diff { .state = DiffState::OnlyInA, .a = at };
        diff.b = pairs.take(left[at].name);
        if (diff.b) {
            const TensorInfo& other = right[*diff.b];
            diff.isShapeDifferent =
                left[at].dimensions != other.dimensions || left[at].shape != other.shape;
            diff.isTypeDifferent = left[at].typeNumber != other.typeNumber;
            diff.state = diff.isShapeDifferent || diff.isTypeDifferent ? DiffState::Different
                                                                       : DiffState::Same;
        }
        result.tensors.push_back(diff);
    }
    for (const std::uint32_t at : pairs.left()) {
        result.tensors.push_back({ .state = DiffState::OnlyInB, .b = at });
    }
    result.isOrderDifferent = pairs.isOrderDifferent();
    result.differences = static_cast<std::uint64_t>(std::ranges::count_if(
        result.tensors, [](const TensorDiff& each) { return each.state != DiffState::Same; }));
    return result;
}

} // namespace engine::gguf
