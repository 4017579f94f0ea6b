#include "engine/model/tensor_role.h"

#include <array>
#include <charconv>
#include <span>

namespace engine::model {

namespace {

struct Row
{
    std::string_view stem; ///< a * at its end stands for any rest
    Part part;
};

/// Tensors of a block from top to bottom.
constexpr auto kOfBlocks = std::to_array<Row>({
    { "attn_norm", Part::Attention },
    { "attn_norm_2", Part::Attention },
    { "ln1", Part::Attention },
    { "attn_q_a", Part::Attention },
    { "attn_q_a_norm", Part::Attention },
    { "attn_q_b", Part::Attention },
    { "attn_qkv", Part::Attention },
    { "attn_q", Part::Attention },
    { "attn_kv_a_mqa", Part::Attention },
    { "attn_kv_a_norm", Part::Attention },
    { "attn_kv_b", Part::Attention },
    { "attn_k_b", Part::Attention },
    { "attn_k", Part::Attention },
    { "attn_v_b", Part::Attention },
    { "attn_v", Part::Attention },
    { "attn_q_norm", Part::Attention },
    { "attn_k_norm", Part::Attention },
    { "attn_rel_b", Part::Attention },
    { "attn_sinks", Part::Attention },
    { "attn_gate", Part::Attention },
    { "attn_*", Part::Attention },
    { "attn_sub_norm", Part::Attention },
    { "attn_output", Part::Attention },
    { "attn_out", Part::Attention },
    { "attn_o", Part::Attention },
    { "attn_output_norm", Part::Attention },
    { "post_attention_norm", Part::Attention },
    { "cross_attn_norm", Part::Attention },
    { "cross_attn_*", Part::Attention },
    { "ssm_in", Part::StateSpace },
    { "ssm_conv1d", Part::StateSpace },
    { "ssm_x", Part::StateSpace },
    { "ssm_dt", Part::StateSpace },
    { "ssm_ba", Part::StateSpace },
    { "ssm_beta", Part::StateSpace },
    { "ssm_alpha", Part::StateSpace },
    { "ssm_a", Part::StateSpace },
    { "ssm_d", Part::StateSpace },
    { "ssm_*", Part::StateSpace },
    { "ssm_norm", Part::StateSpace },
    { "ssm_out", Part::StateSpace },
    { "shortconv.in_proj", Part::StateSpace },
    { "shortconv.conv", Part::StateSpace },
    { "shortconv.*", Part::StateSpace },
    { "shortconv.out_proj", Part::StateSpace },
    { "time_mix_*", Part::StateSpace },
    { "ffn_norm", Part::FeedForward },
    { "ln2", Part::FeedForward },
    { "ffn_gate_inp", Part::Experts },
    { "exp_probs_b", Part::Experts },
    { "ffn_gate_exps", Part::Experts },
    { "ffn_up_exps", Part::Experts },
    { "ffn_gate_up_exps", Part::Experts },
    { "ffn_down_exps", Part::Experts },
    { "ffn_gate.*", Part::Experts }, // one tensor an expert, in old files
    { "ffn_up.*", Part::Experts },
    { "ffn_down.*", Part::Experts },
    { "ffn_gate_inp_shexp", Part::Experts },
    { "ffn_gate_shexp", Part::Experts },
    { "ffn_up_shexp", Part::Experts },
    { "ffn_down_shexp", Part::Experts },
    { "ffn_gate", Part::FeedForward },
    { "ffn_up", Part::FeedForward },
    { "ffn_act", Part::FeedForward },
    { "ffn_*", Part::FeedForward },
    { "ffn_sub_norm", Part::FeedForward },
    { "ffn_down", Part::FeedForward },
    { "channel_mix_*", Part::FeedForward },
    { "post_ffw_norm", Part::FeedForward },
    { "layer_output_norm", Part::FeedForward },
});

constexpr auto kOutside = std::to_array<Row>({
    { "token_embd", Part::Input },
    { "v.patch_embd*", Part::Input },
    { "token_types", Part::Input },
    { "position_embd", Part::Input },
    { "v.position_embd*", Part::Input },
    { "v.class_embd*", Part::Input },
    { "per_layer_*", Part::Input },
    { "token_embd_norm", Part::Input },
    { "v.pre_ln", Part::Input },
    { "rope_freqs", Part::Input },
    { "rope_factors_long", Part::Input },
    { "rope_factors_short", Part::Input },
    { "enc.output_norm", Part::Output },
    { "dec.output_norm", Part::Output },
    { "v.post_ln", Part::Output },
    { "output_norm", Part::Output },
    { "output", Part::Output },
    { "cls*", Part::Output },
    { "mm.*", Part::Output },
});

constexpr std::size_t kLongestStack = 8;

/// Takes "enc.blk.3." off the front of the name.
void takeBlock(TensorRole& role)
{
    constexpr std::string_view kBlock = "blk.";
    const auto at = role.own.find(kBlock);
    const bool isPlace = at == 0
        || (at != std::string_view::npos && at > 1 && at <= kLongestStack + 1
            && role.own[at - 1] == '.' && role.own.find('.') == at - 1);
    if (!isPlace) {
        return;
    }
    const char* const end = role.own.data() + role.own.size();
    std::uint32_t number = 0;
    const auto [after, error] = std::from_chars(role.own.data() + at + kBlock.size(), end, number);
    if (error == std::errc() && after != end && *after == '.' && after + 1 != end) {
        role.block = number;
        role.stack = role.own.substr(0, at > 0 ? at - 1 : 0);
        role.own = { after + 1, static_cast<std::size_t>(end - after - 1) };
    }
}

void takePlace(TensorRole& role, std::span<const Row> rows)
{
    std::size_t known = 0; // letters of the best row that ends in a *
    role.rank = static_cast<std::uint32_t>(rows.size());
    for (std::uint32_t at = 0; at < rows.size(); ++at) {
        const Row& row = rows[at];
        const bool isOpen = row.stem.ends_with('*');
        const auto start = row.stem.substr(0, row.stem.size() - (isOpen ? 1 : 0));
        if (isOpen ? role.stem.starts_with(start) && start.size() > known : role.stem == start) {
            role.part = row.part;
            role.rank = at;
            known = start.size();
            if (!isOpen) {
                return;
            }
        }
    }
}

} // namespace

TensorRole tensorRole(std::string_view name)
{
    TensorRole role;
    role.own = name;
    takeBlock(role);
    role.stem = role.own;
    for (const std::string_view kind : { ".weight", ".bias" }) {
        if (role.stem.size() > kind.size() && role.stem.ends_with(kind)) {
            role.stem.remove_suffix(kind.size());
            break;
        }
    }
    takePlace(role, role.block ? std::span<const Row>(kOfBlocks) : std::span<const Row>(kOutside));
    return role;
}

bool isNorm(const TensorRole& role)
{
    return role.stem.find("norm") != std::string_view::npos || role.stem == "ln1"
        || role.stem == "ln2";
}

std::string shortName(const TensorRole& role)
{
    return std::string(role.own.ends_with(".weight") ? role.stem : role.own);
}

} // namespace engine::model
