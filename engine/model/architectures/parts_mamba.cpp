#include "engine/model/architectures/parts_mamba.h"

namespace engine::model::parts {

namespace {

StateSpace readShared(Composer& c)
{
    constexpr std::uint32_t most = 1U << 20U;
    constexpr std::uint32_t mostLength = 4096;
    auto& keys = c.keys();
    StateSpace s;
    s.kernel = keys.required("ssm.conv_kernel", 2, 64);
    s.inner = keys.required("ssm.inner_size", 1, most);
    s.length = keys.required("ssm.state_size", 1, mostLength);
    return s;
}

void requireDivisor(Composer& c, std::uint32_t& divisor, std::uint32_t of, const char* ofName,
                    const char* key)
{
    if (of % divisor != 0) {
        c.keys().fail(ErrorCode::BadKeyValue,
                      { std::to_string(divisor), std::string("a divisor of ") + ofName }, key);
        divisor = 1;
    }
}

/// One of the three things that Mamba 1 makes of its input, cut out and normed where the file norms
/// it.
Slot cut(Composer& c, const StateSpace& s, Slot all, std::uint32_t first, std::uint32_t length,
         const char* name)
{
    const auto out = c.slot(name, length);
    c.add(op::CopyPieces { all, { first, 0 }, out, {}, 1, length });
    const auto* weight = c.optionalVector(std::string(name) + "_norm.weight", length);
    if (weight || s.normed) {
        c.add(op::RmsNorm { out, weight, c.hparams().rmsEpsilon, out });
    }
    return out;
}

} // namespace

StateSpace readMamba(Composer& c)
{
    auto s = readShared(c);
    s.rank = c.keys().required("ssm.time_step_rank", 1, s.inner);
    s.normed = c.keys().flag("ssm.dt_b_c_rms", false);
    return s;
}

StateSpace readMamba2(Composer& c)
{
    auto s = readShared(c);
    s.rank = c.keys().required("ssm.time_step_rank", 1, s.inner);
    s.groups = c.keys().required("ssm.group_count", 1, s.rank);
    requireDivisor(c, s.rank, s.inner, "ssm.inner_size", "ssm.time_step_rank");
    requireDivisor(c, s.groups, s.rank, "ssm.time_step_rank", "ssm.group_count");
    return s;
}

void mamba(Composer& c, const StateSpace& s, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto fused = c.linear("ssm_in", d, 2ULL * s.inner);
    const auto first = c.rowsOf(fused, 0, s.inner);
    const auto second = c.rowsOf(fused, s.inner, s.inner);
    const auto x = c.slot("mamba x", s.inner);
    const auto gate = c.slot("mamba gate", s.inner);
    const auto made = c.slot("mamba", s.inner);
    const auto step = c.slot("mamba step", s.inner);
    c.add(op::Linear { in,
                       { { first.matrix, first.bias, x }, { second.matrix, second.bias, gate } } });
    c.add(op::ShortConv { x, c.matrix("ssm_conv1d.weight", s.kernel, s.inner),
                          c.optionalVector("ssm_conv1d.bias", s.inner),
                          c.state((s.kernel - 1) * s.inner), Activation::Silu, x });
    const auto all = c.slot("mamba step, b, c", s.rank + 2 * s.length);
    c.linear(x, c.linear("ssm_x", s.inner, s.rank + 2ULL * s.length), all);
    const auto small = cut(c, s, all, 0, s.rank, "ssm_dt");
    const auto b = cut(c, s, all, s.rank, s.length, "ssm_b");
    const auto b2 = cut(c, s, all, s.rank + s.length, s.length, "ssm_c");
    c.linear(small, c.linear("ssm_dt", s.rank, s.inner), step);
    c.add(op::StateScan { .x = x,
                          .xOffset = 0,
                          .b = b,
                          .bOffset = 0,
                          .c = b2,
                          .cOffset = 0,
                          .step = step,
                          .stepBias = nullptr,
                          .a = c.vectors("ssm_a", s.length, s.inner),
                          .d = c.vector("ssm_d", s.inner),
                          .heads = s.inner,
                          .headLength = 1,
                          .groups = 1,
                          .stateLength = s.length,
                          .state = c.state(s.inner * s.length),
                          .out = made });
    c.add(op::Gate { gate, made, Activation::Silu });
    c.linear(gate, c.linear("ssm_out", s.inner, c.width(out)), out);
}

void mamba2(Composer& c, const StateSpace& s, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto shared = s.groups * s.length; // of B, of C
    const auto channels = s.inner + 2 * shared;
    const auto fused = c.linear("ssm_in", d, std::uint64_t(s.inner) + channels + s.rank);
    const auto first = c.rowsOf(fused, 0, s.inner);
    const auto second = c.rowsOf(fused, s.inner, channels);
    const auto third = c.rowsOf(fused, std::uint64_t(s.inner) + channels, s.rank);
    const auto gate = c.slot("mamba gate", s.inner);
    const auto mixed = c.slot("mamba x, b, c", channels);
    const auto step = c.slot("mamba step", s.rank);
    const auto made = c.slot("mamba", s.inner);
    c.add(op::Linear { in,
                       { { first.matrix, first.bias, gate },
                         { second.matrix, second.bias, mixed },
                         { third.matrix, third.bias, step } } });
    c.add(op::ShortConv { mixed, c.matrix("ssm_conv1d.weight", s.kernel, channels),
                          c.optionalVector("ssm_conv1d.bias", channels),
                          c.state((s.kernel - 1) * channels), Activation::Silu, mixed });
    c.add(op::StateScan { .x = mixed,
                          .xOffset = 0,
                          .b = mixed,
                          .bOffset = s.inner,
                          .c = mixed,
                          .cOffset = s.inner + shared,
                          .step = step,
                          .stepBias = c.vector("ssm_dt.bias", s.rank),
                          .a = c.vectors("ssm_a", 1, s.rank),
                          .d = c.vectors("ssm_d", 1, s.rank),
                          .heads = s.rank,
                          .headLength = s.inner / s.rank,
                          .groups = s.groups,
                          .stateLength = s.length,
                          .state = c.state(s.inner * s.length),
                          .out = made });
    c.add(op::Gate { gate, made, Activation::Silu });
    if (const auto* weight = c.optionalVectors("ssm_norm.weight", s.inner / s.groups, s.groups)) {
        c.add(op::RmsNorm { gate, weight, c.hparams().rmsEpsilon, gate, s.groups });
    }
    c.linear(gate, c.linear("ssm_out", s.inner, c.width(out)), out);
}

} // namespace engine::model::parts
