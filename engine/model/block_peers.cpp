#include "engine/model/block_peers.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace engine::model {

namespace {

constexpr std::size_t kFewestBlocks = 4;
constexpr std::size_t kMajorityPercent = 75;
constexpr std::size_t kWhole = 100;
/// More blocks than this part of all that are odd in the same way are so by design.
constexpr std::size_t kRareShare = 16;
/// More than this part of a block's tensors: it is of another kind.
constexpr std::size_t kKindShare = 3;

PeerDifference difference(const BlockNames& usual, const BlockNames& block)
{
    PeerDifference out;
    std::ranges::set_difference(usual, block, std::back_inserter(out.lacking));
    std::ranges::set_difference(block, usual, std::back_inserter(out.beyond));
    const std::size_t differing = out.lacking.size() + out.beyond.size();
    return differing * kKindShare <= usual.size() ? out : PeerDifference {};
}

} // namespace

PeerComparison comparePeers(std::span<const BlockNames> blocks)
{
    PeerComparison out;
    out.differences.resize(blocks.size());
    if (blocks.size() < kFewestBlocks) {
        return out;
    }
    std::map<BlockNames, std::size_t> counts;
    std::size_t most = 0;
    for (const BlockNames& block : blocks) {
        const std::size_t count = ++counts[block];
        if (count > most) {
            most = count;
            out.usual = &block;
        }
    }
    if (most * kWhole < blocks.size() * kMajorityPercent) {
        out.usual = nullptr;
        return out;
    }
    const std::size_t rare = std::max<std::size_t>(1, blocks.size() / kRareShare);
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        if (counts.at(blocks[at]) <= rare) {
            out.differences[at] = difference(*out.usual, blocks[at]);
        }
    }
    return out;
}

} // namespace engine::model
