#include "engine/model/architecture_outline.h"

#include "engine/model/block_peers.h"
#include "engine/model/hparams.h"
#include "engine/model/tensor_fit.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>

namespace engine::model {

namespace {

using Kind = OutlineSection::Kind;
using Measure = Outline::Measure;

constexpr std::uint32_t kLast = 0xFFFFFFFF; // rank

/// A tensor on its way into its part.
struct Entry
{
    OutlinedTensor tensor;
    std::uint32_t rank = 0;
    bool isNorm = false;
};
using Entries = std::vector<Entry>;
using Parts = std::map<Part, Entries>;

/// Where a section stands: kind, stack by its first tensor in the file, number.
using Place = std::tuple<Kind, std::size_t, std::uint32_t>;

struct Draft
{
    std::string stack;
    Parts parts;
};

Kind kindOf(const TensorRole& role)
{
    if (role.block) {
        return Kind::Block;
    }
    return role.part == Part::Input ? Kind::Input
        : role.part == Part::Output ? Kind::Output
                                    : Kind::Other;
}

bool saysItIsNoModel(const gguf::GgufFile& file)
{
    const auto* type = file.find("general.type");
    return type && type->asText().value_or("model") != "model";
}

/// What comes after attention comes after what stands in for it, too.
void moveLastNorm(Parts& parts)
{
    const auto attention = parts.find(Part::Attention);
    const auto space = parts.find(Part::StateSpace);
    if (attention == parts.end() || space == parts.end()) {
        return;
    }
    // not of std::ranges: clang-14, which builds the fuzzers, cannot compile its result
    const auto last = std::stable_partition(
        attention->second.begin(), attention->second.end(), [](const Entry& entry) {
            return tensorRole(entry.tensor.name).stem != "post_attention_norm";
        });
    for (auto entry = last; entry != attention->second.end(); ++entry) {
        entry->rank = kLast;
        space->second.push_back(std::move(*entry));
    }
    attention->second.erase(last, attention->second.end());
    if (attention->second.empty()) {
        parts.erase(attention);
    }
}

/// Parts that only scale go with the next one: the norm before the experts, before a state space.
void joinNorms(Parts& parts)
{
    for (auto at = parts.begin(); at != parts.end();) {
        const auto next = std::next(at);
        if (next == parts.end() || next->first > Part::Experts
            || !std::ranges::all_of(at->second, &Entry::isNorm)) {
            ++at;
            continue;
        }
        std::ranges::move(at->second, std::back_inserter(next->second));
        at = parts.erase(at);
    }
}

/// A part whose result is added to what came into it: the last one, and each before one that
/// starts from that sum, through a norm of its own. A state space takes part in attention's work.
bool isAdded(const Parts& parts, Parts::const_iterator at)
{
    const auto next = std::next(at);
    return at->first != Part::Other
        && (next == parts.end() || next->first == Part::Other
            || (next->first != Part::StateSpace
                && std::ranges::any_of(next->second, &Entry::isNorm)));
}

class Outliner
{
public:
    explicit Outliner(const gguf::GgufFile& file)
        : m_file(file)
    {
        const auto* value = file.find("general.architecture");
        m_outline.architecture = value ? value->asText().value_or("") : std::string_view();
        m_outline.tensors = file.tensors().size();
    }

    Outline run(Marks marks)
    {
        if (marks == Marks::None) {
            addTensors();
        } else if (!requireWeights(m_file) || saysItIsNoModel(m_file)) {
            m_outline.measure = Measure::NoWholeModel;
            addTensors();
        } else if (const auto hparams = readHparams(m_file)) {
            m_outline.measure = Measure::Architecture;
            addFit(fitTensors(m_file, *hparams));
        } else {
            m_outline.measure = measureFor(hparams.error().code);
            addTensors();
            addPeerMarks();
        }
        gather();
        return std::move(m_outline);
    }

private:
    [[nodiscard]] Measure measureFor(ErrorCode code) const
    {
        if (code == ErrorCode::UnknownArchitecture || m_outline.architecture.empty()) {
            return Measure::Peers;
        }
        return code == ErrorCode::UnsupportedFeature ? Measure::PeersForUnknownKind
                                                     : Measure::PeersForFaultyMetadata;
    }

    void add(OutlinedTensor tensor)
    {
        const TensorRole role = tensorRole(tensor.name);
        const auto stack =
            m_stacks.try_emplace(std::string(role.stack), m_stacks.size()).first->second;
        Draft& draft = m_drafts[{ kindOf(role), role.block ? stack : 0, role.block.value_or(0) }];
        draft.stack = role.stack;
        tensor.label = shortName(role);
        count(tensor.state);
        // The views of the role end with the move.
        Entry entry { {}, role.rank, isNorm(role) };
        Entries& entries = draft.parts[role.part];
        entry.tensor = std::move(tensor);
        entries.push_back(std::move(entry));
    }

    void addTensors()
    {
        for (std::size_t at = 0; at < m_file.tensors().size(); ++at) {
            add({ .name = std::string(m_file.tensors()[at].name), .number = int(at) });
        }
    }

    void addFit(const TensorFit& fit)
    {
        std::unordered_map<std::string_view, const Error*> faults;
        for (const Error& error : fit.errors) {
            faults.try_emplace(error.where.subject, &error);
        }
        std::unordered_map<std::string_view, const ExpectedTensor*> expected;
        for (const ExpectedTensor& tensor : fit.expected) {
            expected.try_emplace(tensor.name, &tensor);
        }
        for (std::size_t at = 0; at < m_file.tensors().size(); ++at) {
            OutlinedTensor tensor { .name = std::string(m_file.tensors()[at].name),
                                    .number = int(at) };
            const auto fault = faults.find(tensor.name);
            tensor.state = !expected.contains(tensor.name) ? TensorState::Unused
                : fault == faults.end()                    ? TensorState::Fits
                                                           : TensorState::Wrong;
            if (tensor.state == TensorState::Wrong) {
                tensor.fault = *fault->second;
            }
            add(std::move(tensor));
        }
        for (const ExpectedTensor& tensor : fit.expected) {
            if (!m_file.findTensor(tensor.name)) {
                addAbsent(tensor);
            }
        }
    }

    void addAbsent(const ExpectedTensor& needed)
    {
        if (needed.required) {
            add({ .name = needed.name,
                  .state = TensorState::Missing,
                  .columns = needed.columns,
                  .rows = needed.rows });
        } else if (needed.name == "output.weight") {
            if (const auto* embedding = m_file.findTensor("token_embd.weight")) {
                add({ .name = needed.name,
                      .number = int(embedding - m_file.tensors().data()),
                      .state = TensorState::Shared });
            }
        }
    }

    /// Of one stack at a time.
    void addPeerMarks()
    {
        std::map<std::string, std::vector<std::uint32_t>> stacks;
        for (const auto& [place, draft] : m_drafts) {
            if (std::get<Kind>(place) == Kind::Block) {
                stacks[draft.stack].push_back(std::get<std::uint32_t>(place));
            }
        }
        for (const auto& [stack, blocks] : stacks) {
            addPeerMarks(stack, blocks);
        }
    }

    void addPeerMarks(const std::string& stack, const std::vector<std::uint32_t>& blocks)
    {
        const std::size_t number = m_stacks.at(stack);
        std::vector<BlockNames> names(blocks.size());
        for (std::size_t at = 0; at < blocks.size(); ++at) {
            for (const auto& [part, entries] : draftOf(number, blocks[at]).parts) {
                for (const Entry& entry : entries) {
                    names[at].insert(tensorRole(entry.tensor.name).own);
                }
            }
        }
        // The names move when a block gets more tensors.
        std::vector<std::pair<std::uint32_t, std::vector<std::string>>> lacking;
        const PeerComparison peers = comparePeers(names);
        m_outline.isComparable = m_outline.isComparable || peers.usual;
        for (std::size_t at = 0; at < blocks.size(); ++at) {
            const PeerDifference& difference = peers.differences[at];
            lacking.emplace_back(
                blocks[at],
                std::vector<std::string>(difference.lacking.begin(), difference.lacking.end()));
            markBeyond(draftOf(number, blocks[at]), difference.beyond);
            const std::uint32_t next = at + 1 < blocks.size() ? blocks[at + 1] : blocks[at] + 1;
            // Holes in the numbers, unless those make no sense.
            for (std::uint32_t hole = blocks[at] + 1;
                 peers.usual && hole < next && next - blocks[at] <= blocks.size(); ++hole) {
                lacking.emplace_back(
                    hole, std::vector<std::string>(peers.usual->begin(), peers.usual->end()));
            }
        }
        for (const auto& [block, own] : lacking) {
            for (const std::string& name : own) {
                add({ .name = (stack.empty() ? "" : stack + ".") + "blk." + std::to_string(block)
                          + "." + name,
                      .state = TensorState::Lacking });
            }
        }
    }

    void markBeyond(Draft& draft, const std::vector<std::string_view>& own)
    {
        for (auto& [part, entries] : draft.parts) {
            for (Entry& entry : entries) {
                if (std::ranges::find(own, tensorRole(entry.tensor.name).own) != own.end()) {
                    entry.tensor.state = TensorState::Beyond;
                    count(TensorState::Beyond);
                }
            }
        }
    }

    Draft& draftOf(std::size_t stack, std::uint32_t block)
    {
        return m_drafts.at({ Kind::Block, stack, block });
    }

    void count(TensorState state)
    {
        m_outline.missing += state == TensorState::Missing || state == TensorState::Lacking;
        m_outline.wrong += state == TensorState::Wrong;
        m_outline.unused += state == TensorState::Unused || state == TensorState::Beyond;
    }

    void gather()
    {
        for (auto& [place, draft] : m_drafts) {
            OutlineSection section { .kind = std::get<Kind>(place),
                                     .stack = draft.stack,
                                     .block = std::get<std::uint32_t>(place) };
            const bool isBlock = section.kind == Kind::Block;
            m_outline.blocks += isBlock;
            if (isBlock) {
                moveLastNorm(draft.parts);
                joinNorms(draft.parts);
            }
            for (auto at = draft.parts.begin(); at != draft.parts.end(); ++at) {
                const bool isSum = isBlock && m_outline.measure == Measure::Architecture
                    && isAdded(draft.parts, at);
                std::ranges::stable_sort(at->second, {}, &Entry::rank);
                OutlinedPart part { .part = at->first, .isAdded = isSum };
                for (Entry& entry : at->second) {
                    part.tensors.push_back(std::move(entry.tensor));
                }
                section.parts.push_back(std::move(part));
            }
            m_outline.sections.push_back(std::move(section));
        }
    }

    const gguf::GgufFile& m_file;
    Outline m_outline;
    std::map<std::string, std::size_t> m_stacks;
    std::map<Place, Draft> m_drafts;
};

bool sameTensor(const gguf::GgufFile& file, const OutlinedTensor& a, const OutlinedTensor& b)
{
    if (a.number < 0 || b.number < 0 || isOdd(a.state) || isOdd(b.state) || a.label != b.label) {
        return false;
    }
    const auto& left = file.tensors()[static_cast<std::size_t>(a.number)];
    const auto& right = file.tensors()[static_cast<std::size_t>(b.number)];
    return left.shape == right.shape && left.typeNumber == right.typeNumber
        && file.data(left).size() == file.data(right).size();
}

} // namespace

bool isOdd(TensorState state)
{
    return state != TensorState::Unmarked && state != TensorState::Fits
        && state != TensorState::Shared;
}

Outline outline(const gguf::GgufFile& file, Marks marks)
{
    return Outliner(file).run(marks);
}

bool alike(const gguf::GgufFile& file, const OutlineSection& a, const OutlineSection& b)
{
    return a.kind == b.kind && a.stack == b.stack
        && std::ranges::equal(
               a.parts, b.parts, [&file](const OutlinedPart& left, const OutlinedPart& right) {
                   return left.part == right.part
                       && std::ranges::equal(left.tensors, right.tensors,
                                             [&file](const auto& one, const auto& other) {
                                                 return sameTensor(file, one, other);
                                             });
               });
}

} // namespace engine::model
