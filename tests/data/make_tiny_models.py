#!/usr/bin/env python3
# Writes the tiny models of tests/data/architectures-more and the numbers that llama.cpp gives for them.
# SPDX-License-Identifier: Apache-2.0
"""Tooling only; the tests need nothing of it. Needs gguf 0.19.0 and numpy 2.4 (PyPI, a venv of your own), for the
expected numbers also the peer (shared/peer/README.md).

  make_tiny_models.py models   OUT PACK [name ...]   writes OUT/<name>/model.gguf, random weights from a fixed seed;
                                                     the tokens come from PACK/llama-gqa-tied/model.gguf
  make_tiny_models.py expected OUT RUN  [name ...]   writes OUT/<name>/expected.json; RUN is the peer's run.sh

Layout and meaning of the files are those of the conformance pack's architectures/README.md; the vocabulary is a part
of its (80 tokens). Which keys and tensors an architecture has is taken from llama.cpp's loader (src/models/*.cpp)."""
import json
import math
import subprocess
import sys
import time
import urllib.request
import zlib
from pathlib import Path

import numpy as np

VOCABULARY = 80
CONTEXT = 512
MODELS = {}


class Tiny:
    """A model in the making: keys and tensors in the order they were named."""

    def __init__(self, name, architecture, width=16, blocks=2, heads=4, kv=2, ff=24, head=None, tolerance=2e-4,
                 eps="layer_norm_rms_epsilon"):
        self.name, self.architecture, self.tolerance = name, architecture, tolerance
        self.width, self.blocks, self.heads, self.kv, self.ff = width, blocks, heads, kv, ff
        self.head = head or width // max(heads, 1)
        self.keys = {"vocab_size": VOCABULARY, "context_length": CONTEXT, "embedding_length": width,
                     "block_count": blocks, "feed_forward_length": ff, "attention.head_count": heads,
                     "attention.head_count_kv": kv, "attention." + eps: 1e-5}
        if head:
            self.keys["attention.key_length"] = head
            self.keys["attention.value_length"] = head
        self.tensors = {}
        self.loud = 1.0  # gain of the branches' last matrices
        self.random = np.random.default_rng(zlib.crc32(name.encode()))

    def put(self, name, array, kind=None):
        self.tensors[name] = (np.ascontiguousarray(array, dtype=np.float32), kind)

    def matrix(self, name, columns, rows, *stack, gain=1.0, kind=None):
        shape = (*reversed(stack), rows, columns)
        self.put(name + ".weight", self.random.standard_normal(shape) * gain / math.sqrt(columns), kind)

    def vector(self, name, length, mean=0.0, spread=0.2, shape=None):
        self.put(name, (mean + spread * self.random.standard_normal(length)).reshape(shape or length))

    def norm(self, name, length=None, bias=False):
        self.vector(name + ".weight", length or self.width, 1.0)
        if bias:
            self.vector(name + ".bias", length or self.width)

    def linear(self, name, columns, rows, bias=False, gain=1.0):
        self.matrix(name, columns, rows, gain=gain)
        if bias:
            self.vector(name + ".bias", rows)

    def embed(self, output=False):
        self.loud *= 1.0 if output else 3.0  # else a token's own row wins
        self.put("token_embd.weight", self.random.standard_normal((VOCABULARY, self.width)) * (1.0 if output else 0.6))
        if output:
            self.matrix("output", self.width, VOCABULARY, gain=2.0)

    def attention(self, b, qkv="split", bias=False, out_bias=False, qk_norm=None, kv=None, head=None):
        d, h, kv, n = self.width, self.heads, kv or self.kv, head or self.head
        if qkv == "fused":
            self.linear(b + "attn_qkv", d, (h + 2 * kv) * n, bias, gain=1.5)
        else:
            for part, heads in (("q", h), ("k", kv), ("v", kv)):
                self.linear(b + "attn_" + part, d, heads * n, bias, gain=1.5)
        self.linear(b + "attn_output", h * n, d, out_bias, gain=self.loud)
        if qk_norm:
            self.norm(b + "attn_q_norm", n if qk_norm == "heads" else h * n)
            self.norm(b + "attn_k_norm", n if qk_norm == "heads" else kv * n)

    def feed_forward(self, b, kind="gated", bias=False, ff=None, suffix=""):
        ff = ff or self.ff
        if kind == "gated":
            self.linear(b + "ffn_gate" + suffix, self.width, ff, bias, gain=1.5)
        self.linear(b + "ffn_up" + suffix, self.width, 2 * ff if kind == "fused" else ff, bias, gain=1.5)
        self.linear(b + "ffn_down" + suffix, ff, self.width, bias, gain=self.loud)

    def expert_keys(self, count=4, used=2, ff=8, **more):
        self.experts, self.expert_ff = count, ff
        self.keys |= {"expert_count": count, "expert_used_count": used}
        if ff != self.ff:
            self.keys["expert_feed_forward_length"] = ff
        for key, value in more.items():
            self.keys["expert_" + key] = value

    def expert_layer(self, b, shared=0, bias=False, probs_bias=False, gate=True, fused=False, share_gate=False):
        d, n, f = self.width, self.experts, self.expert_ff
        self.linear(b + "ffn_gate_inp", d, n, gain=2.0)
        if probs_bias:
            self.vector(b + "exp_probs_b.bias", n, spread=0.3)
        if fused:
            self.matrix(b + "ffn_gate_up_exps", d, 2 * f, n, gain=1.5)
        else:
            if gate:
                self.matrix(b + "ffn_gate_exps", d, f, n, gain=1.5)
            self.matrix(b + "ffn_up_exps", d, f, n, gain=1.5)
        self.matrix(b + "ffn_down_exps", f, d, n, gain=self.loud)
        if share_gate:
            self.vector(b + "ffn_gate_inp_shexp.weight", d)
        if shared:
            self.feed_forward(b, "gated" if gate else "plain", ff=shared, suffix="_shexp")

    def rope(self, base=10000.0, dimensions=None):
        self.keys |= {"rope.freq_base": base, "rope.dimension_count": dimensions or self.head}

    def each(self):
        for i in range(self.blocks):
            yield i, f"blk.{i}."


def model(function):
    MODELS[function.__name__.replace("_", "-")] = function
    return function


def usual(m, norm_bias=False, second="ffn_norm", output=True, qkv="split", bias=False, out_bias=False, qk_norm=None,
          feed="gated", feed_bias=False, experts=None, dense=0, rope=True):
    """Blocks of norm, attention, norm, feed-forward layer."""
    if rope:
        m.rope()
    m.embed(output)
    m.norm("output_norm", bias=norm_bias)
    for i, b in m.each():
        m.norm(b + "attn_norm", bias=norm_bias)
        m.attention(b, qkv, bias, out_bias, qk_norm)
        if second:
            m.norm(b + second, bias=norm_bias)
        if experts is not None and i >= dense:
            m.expert_layer(b, **experts)
        else:
            m.feed_forward(b, feed, feed_bias)
    return m


@model
def internlm2(name):
    return usual(Tiny(name, "internlm2"))


@model
def xverse(name):
    return usual(Tiny(name, "xverse"))


@model
def baichuan(name):
    # 7B is known by its 32 blocks, 13B (ALiBi; not among tests/data) by 40; roundings grow on the way
    return usual(Tiny(name, "baichuan", blocks=32, width=8, heads=2, kv=2, ff=4, tolerance=2e-3))


@model
def baichuan_alibi(name):
    return usual(Tiny(name, "baichuan", blocks=40, width=8, heads=2, kv=2, ff=4))


@model
def minicpm(name):
    m = Tiny(name, "minicpm")
    m.keys |= {"embedding_scale": 1.7, "residual_scale": 0.8, "logit_scale": 0.7}
    return usual(m, output=False)


@model
def orion(name):
    return usual(Tiny(name, "orion", eps="layer_norm_epsilon"), norm_bias=True)


@model
def nemotron(name):
    m = Tiny(name, "nemotron", eps="layer_norm_epsilon")
    usual(m, norm_bias=True, feed="plain")
    m.rope(dimensions=4)
    return m


@model
def olmo(name):
    m = Tiny(name, "olmo", eps="layer_norm_epsilon")
    m.keys["attention.clamp_kqv"] = 0.9
    m.rope()
    m.embed()
    for _, b in m.each():
        m.attention(b)
        m.feed_forward(b)
    return m


@model
def olmoe(name):
    m = Tiny(name, "olmoe", ff=8, kv=4)
    m.expert_keys()
    return usual(m, qk_norm="row", experts={})


@model
def qwen(name):
    m = Tiny(name, "qwen", kv=4, ff=64)
    m.rope()
    m.embed(True)
    m.norm("output_norm")
    for _, b in m.each():
        m.norm(b + "attn_norm")
        m.linear(b + "attn_qkv", m.width, 3 * m.width, True, gain=1.5)
        m.linear(b + "attn_output", m.width, m.width)
        m.norm(b + "ffn_norm")
        m.feed_forward(b, ff=m.ff // 2)
    return m


@model
def qwen2moe(name):
    m = Tiny(name, "qwen2moe")
    m.expert_keys(shared_feed_forward_length=12)
    return usual(m, bias=True, experts={"shared": 12, "share_gate": True})


@model
def qwen2vl(name):
    m = Tiny(name, "qwen2vl", tolerance=5e-4)  # llama.cpp's own with qwen2 in its place: 2.3e-4
    m.keys["rope.dimension_sections"] = [1, 1, 0, 0]
    return usual(m, bias=True)


@model
def qwen3vl(name):
    m = Tiny(name, "qwen3vl", head=8)
    m.keys |= {"rope.dimension_sections": [2, 1, 1, 0], "n_deepstack_layers": 0}
    return usual(m, qk_norm="heads", output=False)


@model
def qwen3vlmoe(name):
    m = Tiny(name, "qwen3vlmoe", head=8)
    m.keys |= {"rope.dimension_sections": [2, 1, 1, 0], "n_deepstack_layers": 0}
    m.expert_keys()
    return usual(m, qk_norm="heads", experts={})


def delta(m, b, key_heads, value_heads, length, kernel):
    d, keys, values = m.width, key_heads * length, value_heads * length
    m.matrix(b + "attn_qkv", d, 2 * keys + values, gain=1.5)
    m.matrix(b + "attn_gate", d, values, gain=1.5)
    m.put(b + "ssm_conv1d.weight", m.random.standard_normal((2 * keys + values, kernel)) * 0.6)
    m.vector(b + "ssm_dt.bias", value_heads, 0.5)
    m.vector(b + "ssm_a", value_heads, -0.6, 0.1)
    m.matrix(b + "ssm_beta", d, value_heads)
    m.matrix(b + "ssm_alpha", d, value_heads)
    m.norm(b + "ssm_norm", length)
    m.matrix(b + "ssm_out", values, d)


@model
def qwen35moe(name):
    m = Tiny(name, "qwen35moe", head=8)
    m.keys |= {"rope.dimension_sections": [1, 1, 0, 0], "ssm.conv_kernel": 4, "ssm.state_size": 8,
               "ssm.group_count": 1, "ssm.time_step_rank": 2, "ssm.inner_size": 16, "full_attention_interval": 2}
    m.expert_keys(shared_feed_forward_length=8)
    m.rope(dimensions=4)
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        if i % 2 == 0:
            delta(m, b, 1, 2, 8, 4)
        else:
            m.linear(b + "attn_q", m.width, 2 * m.heads * 8, gain=1.5)
            m.linear(b + "attn_k", m.width, m.kv * 8, gain=1.5)
            m.linear(b + "attn_v", m.width, m.kv * 8, gain=1.5)
            m.linear(b + "attn_output", m.heads * 8, m.width)
            m.norm(b + "attn_q_norm", 8)
            m.norm(b + "attn_k_norm", 8)
        m.norm(b + "post_attention_norm")
        m.expert_layer(b, shared=8, share_gate=True)
    return m


@model
def glm4moe(name):
    m = Tiny(name, "glm4moe", blocks=3, head=8)
    m.expert_keys(shared_count=1, weights_scale=1.6, weights_norm=True, gating_func=2)
    # the last block predicts tokens ahead: it is in the file and takes no part
    m.keys |= {"leading_dense_block_count": 1, "nextn_predict_layers": 1}
    usual(m, bias=True, qk_norm="heads", second="post_attention_norm", dense=1,
          experts={"shared": 8, "probs_bias": True})
    m.rope(dimensions=4)
    b = "blk.2.nextn."
    m.matrix(b + "eh_proj", 2 * m.width, m.width)
    m.norm(b + "enorm")
    m.norm(b + "hnorm")
    m.norm(b + "shared_head_norm")
    return m


@model
def llama4(name):
    m = Tiny(name, "llama4", blocks=4)
    m.expert_keys(used=1)
    m.keys["interleave_moe_layer_step"] = 2
    m.rope(base=500000.0)
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        m.attention(b)
        m.norm(b + "ffn_norm")
        if i % 2 == 1:
            m.expert_layer(b, shared=8)
        else:
            m.feed_forward(b)
    return m


@model
def exaone(name):
    return usual(Tiny(name, "exaone"))


@model
def exaone4(name):
    return exaone4_model(Tiny(name, "exaone4"))


@model
def exaone4_window(name):
    # 32B is known by its 64 blocks; not among tests/data
    m = Tiny(name, "exaone4", blocks=64, width=8, heads=2, kv=2, ff=4, tolerance=5e-2)
    m.keys |= {"attention.sliding_window": 7, "attention.sliding_window_pattern": 4}
    m.loud = 0.2  # roundings grow with every block
    return exaone4_model(m)


def exaone4_model(m):
    m.rope(base=100000.0)
    m.embed(True)
    m.norm("output_norm")
    for _, b in m.each():
        m.attention(b, qk_norm="heads")
        m.vector(b + "post_attention_norm.weight", m.width, m.loud)
        m.feed_forward(b)
        m.vector(b + "post_ffw_norm.weight", m.width, m.loud)
    return m


@model
def cohere2(name):
    m = Tiny(name, "cohere2", blocks=4, eps="layer_norm_epsilon")
    m.keys |= {"attention.sliding_window": 7, "logit_scale": 0.8}
    return usual(m, second=None, output=False)


@model
def granitemoe(name):
    m = Tiny(name, "granitemoe", ff=8)
    m.keys |= {"embedding_scale": 1.7, "residual_scale": 0.7, "attention.scale": 0.3, "logit_scale": 0.6}
    m.expert_keys(shared_feed_forward_length=12)
    return usual(m, output=False, experts={"shared": 12})


def mamba2_layer(m, b, inner, state, heads, groups, kernel, bias=True, norm=True):
    channels = inner + 2 * groups * state
    m.matrix(b + "ssm_in", m.width, inner + channels + heads, gain=1.5)
    m.put(b + "ssm_conv1d.weight", m.random.standard_normal((channels, kernel)) * 0.6)
    if bias:
        m.vector(b + "ssm_conv1d.bias", channels)
    m.vector(b + "ssm_dt.bias", heads, 0.3)
    m.vector(b + "ssm_a", heads, -0.7, 0.15, (heads, 1))
    m.vector(b + "ssm_d", heads, 0.5, shape=(heads, 1))
    if norm:
        m.vector(b + "ssm_norm.weight", inner, 1.0, shape=(groups, inner // groups))
    m.matrix(b + "ssm_out", inner, m.width, gain=m.loud)


def ssm_keys(m, inner, state, heads, groups, kernel):
    m.keys |= {"ssm.conv_kernel": kernel, "ssm.inner_size": inner, "ssm.state_size": state,
               "ssm.time_step_rank": heads, "ssm.group_count": groups}


@model
def mamba2(name):
    m = Tiny(name, "mamba2", heads=0, kv=0, ff=0)
    del m.keys["attention.head_count_kv"]
    shape = (32, 8, 4, 2, 4)
    ssm_keys(m, *shape)
    m.embed()
    m.norm("output_norm")
    for _, b in m.each():
        m.norm(b + "attn_norm")
        mamba2_layer(m, b, *shape)
    return m


def mamba_layer(m, b, inner, state, rank):
    m.matrix(b + "ssm_in", m.width, 2 * inner, gain=1.5)
    m.put(b + "ssm_conv1d.weight", m.random.standard_normal((inner, 4)) * 0.6)
    m.vector(b + "ssm_conv1d.bias", inner)
    m.matrix(b + "ssm_x", inner, rank + 2 * state)
    m.matrix(b + "ssm_dt", rank, inner)
    m.vector(b + "ssm_dt.bias", inner, 0.3)
    m.put(b + "ssm_a", -np.exp(m.random.standard_normal((inner, state)) * 0.5))
    m.vector(b + "ssm_d", inner, 0.5)
    m.matrix(b + "ssm_out", inner, m.width, gain=m.loud)


@model
def mamba(name):
    m = Tiny(name, "mamba", heads=0, kv=0, ff=0)
    del m.keys["attention.head_count_kv"]
    inner, state, rank = 32, 8, 3
    m.keys |= {"ssm.conv_kernel": 4, "ssm.inner_size": inner, "ssm.state_size": state, "ssm.time_step_rank": rank}
    m.embed()
    m.norm("output_norm")
    for _, b in m.each():
        m.norm(b + "attn_norm")
        mamba_layer(m, b, inner, state, rank)
    return m


@model
def jamba(name):
    m = Tiny(name, "jamba", blocks=2, kv=[0, 2], ff=8)
    m.expert_keys()
    inner, state, rank = 32, 8, 3
    m.keys |= {"ssm.conv_kernel": 4, "ssm.inner_size": inner, "ssm.state_size": state, "ssm.time_step_rank": rank}
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        if i == 1:
            m.attention(b, kv=2)
        else:
            mamba_layer(m, b, inner, state, rank)
            m.norm(b + "ssm_dt_norm", rank)
            m.norm(b + "ssm_b_norm", state)
            m.norm(b + "ssm_c_norm", state)
        m.norm(b + "ffn_norm")
        if i == 1:
            m.expert_layer(b)
        else:
            m.feed_forward(b)
    return m


@model
def deci(name):
    """Blocks: usual, a matrix for attention, no attention, nothing, usual."""
    m = Tiny(name, "deci", blocks=5, kv=[2, 0, 0, 0, 2], ff=[24, 24, 24, 0, 24])
    m.keys["attention.head_count"] = [4, 4, 0, 0, 4]
    m.rope()
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        if i in (0, 4):
            m.norm(b + "attn_norm")
            m.attention(b, kv=2)
        elif i == 1:
            m.norm(b + "attn_norm")
            m.linear(b + "attn_output", m.width, m.width)
        if i != 3:
            m.norm(b + "ffn_norm")
            m.feed_forward(b, ff=24)
    return m


@model
def granitehybrid(name):
    m = Tiny(name, "granitehybrid", blocks=3, kv=[0, 2, 0], ff=8)
    m.keys |= {"embedding_scale": 1.7, "residual_scale": 0.7, "attention.scale": 0.3, "logit_scale": 0.6,
               "rope.scaling.finetuned": False}
    m.expert_keys(shared_feed_forward_length=12)
    shape = (32, 8, 4, 1, 4)
    ssm_keys(m, *shape)
    m.rope()
    m.embed()
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        if i == 1:
            m.attention(b, kv=2)
        else:
            mamba2_layer(m, b, *shape)
        m.norm(b + "ffn_norm")
        m.expert_layer(b, shared=12)
    return m


@model
def falcon_h1(name):
    m = Tiny(name, "falcon-h1", head=8)
    shape = (32, 8, 4, 1, 4)
    ssm_keys(m, *shape)
    m.rope(base=100000.0)
    m.embed(True)
    m.norm("output_norm")
    for _, b in m.each():
        m.norm(b + "attn_norm")
        m.attention(b)
        mamba2_layer(m, b, *shape, norm=False)
        m.vector(b + "ffn_norm", m.width, 1.0)
        m.feed_forward(b)
    return m


def nemotron_blocks(name, architecture):
    m = Tiny(name, architecture, blocks=4, kv=[0, 0, 2, 0], head=8, ff=[0, 24, 0, 24])
    m.keys["attention.layer_norm_epsilon"] = 1e-5
    shape = (32, 8, 4, 2, 4)
    ssm_keys(m, *shape)
    if architecture.endswith("moe"):
        m.expert_keys(shared_feed_forward_length=12, shared_count=1, weights_norm=True, weights_scale=1.5)
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        if i == 0:
            mamba2_layer(m, b, *shape)
        elif i == 2:
            m.attention(b, kv=2)
        elif architecture.endswith("moe"):
            m.expert_layer(b, shared=12, probs_bias=True, gate=False)
        else:
            m.feed_forward(b, "plain", ff=24)
    return m


@model
def nemotron_h(name):
    return nemotron_blocks(name, "nemotron_h")


@model
def nemotron_h_moe(name):
    return nemotron_blocks(name, "nemotron_h_moe")


@model
def ernie4_5(name):
    return usual(Tiny(name, "ernie4_5", head=8), output=False)


MODELS["ernie4_5"] = MODELS.pop("ernie4-5")


@model
def ernie4_5_moe(name):
    m = Tiny(name, "ernie4_5-moe", blocks=3, head=8)
    m.expert_keys(shared_feed_forward_length=12, shared_count=1)
    m.keys |= {"interleave_moe_layer_step": 1, "leading_dense_block_count": 1}
    return usual(m, dense=1, experts={"shared": 12, "probs_bias": True})


MODELS["ernie4_5-moe"] = MODELS.pop("ernie4-5-moe")


@model
def hunyuan_dense(name):
    return usual(Tiny(name, "hunyuan-dense", head=8), qk_norm="heads", output=False)


@model
def hunyuan_moe(name):
    m = Tiny(name, "hunyuan-moe", head=8, ff=8)
    m.expert_keys()
    m.keys |= {"expert_feed_forward_length": 8, "expert_shared_feed_forward_length": 12}
    return usual(m, qk_norm="heads", experts={"shared": 12}, output=False)


@model
def seed_oss(name):
    return usual(Tiny(name, "seed_oss", head=8), bias=True, second="post_attention_norm")


MODELS["seed_oss"] = MODELS.pop("seed-oss")


@model
def apertus(name):
    m = Tiny(name, "apertus")
    m.keys |= {"xielu.alpha_n": [0.7, 1.1], "xielu.alpha_p": [0.9, 0.6], "xielu.beta": [0.5, 0.4],
               "xielu.eps": [-1e-6, -1e-6]}
    return usual(m, qk_norm="heads", feed="plain")


@model
def smallthinker(name):
    m = Tiny(name, "smallthinker", blocks=5, ff=8)
    m.expert_keys(gating_func=1)
    m.keys |= {"attention.sliding_window": 4096, "expert_feed_forward_length": 8}  # it has no other window
    return usual(m, output=False, experts={})


@model
def arcee(name):
    return usual(Tiny(name, "arcee"), feed="plain")


@model
def deepseek(name):
    m = Tiny(name, "deepseek", kv=4)
    m.expert_keys(shared_count=2, weights_scale=1.0)
    m.keys["leading_dense_block_count"] = 1
    return usual(m, dense=1, experts={"shared": 16})


@model
def dots1(name):
    m = Tiny(name, "dots1", kv=4)
    m.expert_keys(shared_count=1, weights_scale=2.5, weights_norm=True, gating_func=2)
    m.keys["leading_dense_block_count"] = 1
    return usual(m, qk_norm="heads", dense=1, experts={"shared": 8, "probs_bias": True})


@model
def bailingmoe(name):
    m = Tiny(name, "bailingmoe", head=8)
    m.expert_keys(shared_count=1, weights_scale=1.0, weights_norm=True)
    m.keys["leading_dense_block_count"] = 0
    return usual(m, experts={"shared": 8})


@model
def bailingmoe2(name):
    m = Tiny(name, "bailingmoe2")
    m.expert_keys(shared_count=1, weights_scale=2.5, weights_norm=True, gating_func=2, group_count=2,
                  group_used_count=1)
    m.keys["leading_dense_block_count"] = 1
    return usual(m, qkv="fused", qk_norm="heads", dense=1, experts={"shared": 8, "probs_bias": True})


@model
def minimax_m2(name):
    m = Tiny(name, "minimax-m2", head=8, ff=8)
    m.expert_keys(gating_func=2)
    m.keys["expert_feed_forward_length"] = 8
    usual(m, qk_norm="row", experts={"probs_bias": True})
    m.rope(dimensions=4)
    return m


@model
def chatglm(name):
    m = Tiny(name, "chatglm")
    usual(m, qkv="fused", bias=True, feed="fused")
    m.rope(dimensions=2)
    return m


def latent(m, b, query_rank, rank, rope, nope, value, absorbed):
    m.matrix(b + "attn_q_a", m.width, query_rank)
    m.norm(b + "attn_q_a_norm", query_rank)
    m.matrix(b + "attn_q_b", query_rank, m.heads * (nope + rope), gain=1.5)
    m.matrix(b + "attn_kv_a_mqa", m.width, rank + rope, gain=1.5)
    m.norm(b + "attn_kv_a_norm", rank)
    if absorbed:
        m.matrix(b + "attn_k_b", nope, rank, m.heads)
        m.matrix(b + "attn_v_b", rank, value, m.heads)
    else:
        m.matrix(b + "attn_kv_b", rank, m.heads * (nope + value))
    m.matrix(b + "attn_output", m.heads * value, m.width)


@model
def minicpm3(name):
    m = Tiny(name, "minicpm3", kv=4)
    m.keys |= {"attention.q_lora_rank": 8, "attention.kv_lora_rank": 12, "attention.key_length": 10,
               "attention.value_length": 6, "rope.scaling.original_context_length": 1024}
    m.rope(dimensions=4)
    m.embed(True)
    m.put("output.weight", m.tensors["output.weight"][0] / 16)  # the logits are multiplied by 256 / 16
    m.norm("output_norm")
    m.vector("rope_factors_long.weight", 2, 2.0, 0.3)
    m.vector("rope_factors_short.weight", 2, 1.2, 0.1)
    for _, b in m.each():
        m.norm(b + "attn_norm")
        latent(m, b, 8, 12, 4, 6, 6, False)
        m.norm(b + "ffn_norm")
        m.feed_forward(b)
    return m


@model
def mistral4(name):
    m = Tiny(name, "mistral4", kv=1)
    m.expert_keys(shared_count=1, weights_scale=1.0, weights_norm=True)
    m.keys |= {"attention.q_lora_rank": 8, "attention.kv_lora_rank": 12, "attention.key_length": 16,
               "attention.value_length": 12, "attention.key_length_mla": 10, "attention.value_length_mla": 6,
               "attention.temperature_length": 20, "leading_dense_block_count": 1, "rope.scaling.type": "yarn",
               "rope.scaling.factor": 8.0,
               "rope.scaling.original_context_length": 20, "rope.scaling.yarn_log_multiplier": 0.1,
               "attention.temperature_scale": 0.3}
    m.rope(dimensions=4)
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        latent(m, b, 8, 12, 4, 6, 6, True)
        m.norm(b + "ffn_norm")
        if i == 0:
            m.feed_forward(b)
        else:
            m.expert_layer(b, shared=8)
    return m


@model
def afmoe(name):
    m = Tiny(name, "afmoe", blocks=4)
    m.expert_keys(shared_count=1, weights_scale=2.0, weights_norm=True, gating_func=2)
    m.keys |= {"attention.sliding_window": 7, "leading_dense_block_count": 2}
    m.rope()
    m.embed(True)
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        m.attention(b, qk_norm="heads")
        m.matrix(b + "attn_gate", m.width, m.heads * m.head)
        m.norm(b + "post_attention_norm")
        m.norm(b + "ffn_norm")
        if i < 2:
            m.feed_forward(b)
        else:
            m.expert_layer(b, shared=8, probs_bias=True)
        m.norm(b + "post_ffw_norm")
    return m


@model
def lfm2moe(name):
    m = Tiny(name, "lfm2moe", blocks=3, kv=[0, 2, 0])
    m.expert_keys(gating_func=2)
    m.keys |= {"leading_dense_block_count": 1, "shortconv.l_cache": 3}
    m.rope(base=1000000.0)
    m.embed()
    m.norm("token_embd_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        if i == 1:
            m.attention(b, kv=2, qk_norm="heads")
        else:
            m.matrix(b + "shortconv.in_proj", m.width, 3 * m.width, gain=1.5)
            m.put(b + "shortconv.conv.weight", m.random.standard_normal((m.width, 3)) * 0.6)
            m.matrix(b + "shortconv.out_proj", m.width, m.width, gain=m.loud)
        m.norm(b + "ffn_norm")
        if i == 0:
            m.feed_forward(b)
        else:
            m.expert_layer(b, probs_bias=True)
    return m


@model
def starcoder(name):
    m = Tiny(name, "starcoder", kv=1, eps="layer_norm_epsilon", tolerance=1e-2)
    m.put("position_embd.weight", m.random.standard_normal((CONTEXT, m.width)) * 0.5, "F16")
    return usual(m, norm_bias=True, qkv="fused", bias=True, out_bias=True, feed="plain", feed_bias=True, rope=False)


def per_layer(m, b, small):
    m.matrix(b + "inp_gate", m.width, small, gain=1.5)
    m.matrix(b + "proj", small, m.width)
    m.norm(b + "post_norm")


def gemma4_model(name, experts):
    """Blocks: near, near, far with their own keys and values, then near, far that share those of blocks 1 and 2."""
    m = Tiny(name, "gemma4", blocks=5, heads=2, head=12, tolerance=2e-2 if experts else 1e-2)
    kv = [2, 2, 1, 2, 1]
    m.keys |= {"attention.head_count_kv": kv, "attention.sliding_window": 7,
               "attention.sliding_window_pattern": [True, True, False, True, False], "attention.shared_kv_layers": 2,
               "attention.key_length": 12, "attention.value_length": 12, "attention.key_length_swa": 8,
               "attention.value_length_swa": 8, "rope.freq_base": 1000000.0, "rope.freq_base_swa": 10000.0,
               "rope.dimension_count": 12, "rope.dimension_count_swa": 8, "final_logit_softcapping": 30.0,
               "feed_forward_length": [16, 16, 16, 24, 24], "embedding_length_per_layer_input": 0 if experts else 8}
    m.embed()
    m.norm("output_norm")
    m.put("rope_freqs.weight", np.array([1, 1, 1, 1e30, 1e30, 1e30]))
    if experts:
        m.expert_keys()
    else:
        m.put("per_layer_token_embd.weight", m.random.standard_normal((VOCABULARY, 8 * m.blocks)), "F16")
        m.matrix("per_layer_model_proj", m.width, 8 * m.blocks)
        m.norm("per_layer_proj_norm", 8)
    for i, b in m.each():
        far = i in (2, 4)
        n, g = (12, 1) if far else (8, 2)
        m.norm(b + "attn_norm")
        m.matrix(b + "attn_q", m.width, 2 * n, gain=1.5)
        m.norm(b + "attn_q_norm", n)
        if i < 3:
            m.matrix(b + "attn_k", m.width, g * n, gain=1.5)
            m.norm(b + "attn_k_norm", n)
            if not (far and experts):  # else the keys are the values, too
                m.matrix(b + "attn_v", m.width, g * n, gain=1.5)
        m.matrix(b + "attn_output", 2 * n, m.width)
        m.norm(b + "post_attention_norm")
        m.norm(b + "ffn_norm")
        m.feed_forward(b, ff=m.keys["feed_forward_length"][i])
        m.norm(b + "post_ffw_norm")
        m.vector(b + "layer_output_scale.weight", 1, 0.8)
        if experts:
            m.norm(b + "pre_ffw_norm_2")
            m.norm(b + "post_ffw_norm_1")
            m.norm(b + "post_ffw_norm_2")
            m.expert_layer(b, fused=True)
            m.vector(b + "ffn_gate_inp.scale", m.width, 4.0)
            m.vector(b + "ffn_down_exps.scale", m.experts, 1.0)
        else:
            per_layer(m, b, 8)
    return m


@model
def gemma4(name):
    return gemma4_model(name, False)


@model
def gemma4_moe(name):
    return gemma4_model(name, True)


def gemma3n_model(name, blocks, width):
    """Ranks and widths that llama.cpp has no key for: 4 streams, per-layer width 256, LAuReL rank 64, the first 10
    blocks sparse, keys and values shared from block 20 on."""
    m = Tiny(name, "gemma3n", width=width, blocks=blocks, heads=2, kv=1, head=8, ff=24, tolerance=1e-2)
    m.keys |= {"attention.sliding_window": 7, "rope.freq_base": 1000000.0, "rope.dimension_count": 8,
               "attention.shared_kv_layers": max(0, blocks - 20), "embedding_length_per_layer_input": 256,
               "altup.num_inputs": 4, "altup.active_idx": 0,
               "attention.sliding_window_pattern": [i % 5 != 4 for i in range(blocks)],
               "activation_sparsity_scale": [1.6448533535 if i < 10 else 0.0 for i in range(blocks)]}
    m.embed()
    m.norm("output_norm")
    m.put("per_layer_token_embd.weight", m.random.standard_normal((VOCABULARY, 256 * blocks)), "Q4_0")
    m.matrix("per_layer_model_proj", m.width, 256 * blocks)
    m.norm("per_layer_proj_norm", 256)
    m.matrix("altup_proj", m.width, m.width, 3)
    m.matrix("altup_unembd_proj", m.width, m.width, 3)
    for _, b in m.each():
        m.norm(b + "attn_norm")
        m.attention(b, qk_norm="heads")
        m.norm(b + "post_attention_norm")
        m.norm(b + "ffn_norm")
        m.feed_forward(b)
        m.norm(b + "post_ffw_norm")
        per_layer(m, b, 256)
        m.matrix(b + "altup_correct_coef", 4, 4)
        m.vector(b + "altup_correct_scale.weight", m.width, 1.0)
        m.matrix(b + "altup_predict_coef", 4, 16)
        m.matrix(b + "altup_router", m.width, 4, gain=20.0)
        m.norm(b + "altup_router_norm")
        m.matrix(b + "laurel_l", m.width, 64)
        m.matrix(b + "laurel_r", 64, m.width)
        m.norm(b + "laurel_post_norm")
    return m


@model
def gemma3n(name):
    return gemma3n_model(name, 2, 8)


@model
def glm4v(name):
    m = Tiny(name, "glm4", head=8)
    m.keys["rope.dimension_sections"] = [1, 1, 0, 0]  # rotates halves where there are sections
    m.rope(dimensions=4)
    m.embed(True)
    m.norm("output_norm")
    for _, b in m.each():
        m.norm(b + "attn_norm")
        m.attention(b, bias=True)
        m.norm(b + "post_attention_norm")
        m.norm(b + "ffn_norm")
        m.feed_forward(b, "fused")
        m.norm(b + "post_ffw_norm")
    return m


# Checked, but too large or too little different to be among tests/data:

@model
def gemma3n_deep(name):
    m = gemma3n_model(name, 22, 8)
    for tensor, (array, kind) in m.tensors.items():  # roundings grow with every block
        if tensor.endswith(("post_attention_norm.weight", "post_ffw_norm.weight", "post_norm.weight")):
            m.tensors[tensor] = (array * np.float32(0.2), kind)
        if tensor.endswith(("altup_router.weight", "altup_predict_coef.weight")):
            m.tensors[tensor] = (array * np.float32(0.3), kind)
    return m


@model
def falconmamba(name):
    m = mamba(name)
    m.keys["ssm.dt_b_c_rms"] = True
    return m


@model
def granitehybrid_dense(name):
    m = Tiny(name, "granitehybrid", blocks=3, kv=[0, 2, 0])
    m.keys |= {"embedding_scale": 1.7, "residual_scale": 0.7, "attention.scale": 0.3, "logit_scale": 0.6}
    shape = (32, 8, 4, 1, 4)
    ssm_keys(m, *shape)
    m.rope()
    m.embed()
    m.norm("output_norm")
    for i, b in m.each():
        m.norm(b + "attn_norm")
        if i == 1:
            m.attention(b, kv=2)
        else:
            mamba2_layer(m, b, *shape)
        m.norm(b + "ffn_norm")
        m.feed_forward(b)
    return m


@model
def qwen3vl_deepstack(name):
    m = Tiny(name, "qwen3vl", head=8, blocks=4)
    m.keys |= {"rope.dimension_sections": [2, 1, 1, 0], "n_deepstack_layers": 3}
    return usual(m, qk_norm="heads", output=False)


@model
def qwen35moe_ahead(name):
    m = qwen35moe(name)
    m.keys |= {"block_count": 3, "nextn_predict_layers": 1}
    b = "blk.2."
    m.norm(b + "attn_norm")
    m.norm(b + "post_attention_norm")
    m.linear(b + "attn_q", m.width, 2 * m.heads * 8)
    m.linear(b + "attn_k", m.width, m.kv * 8)
    m.linear(b + "attn_v", m.width, m.kv * 8)
    m.linear(b + "attn_output", m.heads * 8, m.width)
    m.norm(b + "attn_q_norm", 8)
    m.norm(b + "attn_k_norm", 8)
    m.expert_layer(b, shared=8, share_gate=True)
    m.matrix(b + "nextn.eh_proj", 2 * m.width, m.width)
    m.norm(b + "nextn.enorm")
    m.norm(b + "nextn.hnorm")
    m.norm(b + "nextn.shared_head_norm")
    return m


def tokens(pack):
    """The beginning and the pieces of the pack's vocabulary, and some of its bytes."""
    from gguf import GGUFReader
    fields = GGUFReader(pack / "llama-gqa-tied" / "model.gguf").fields
    part = {k: fields["tokenizer.ggml." + k].contents() for k in ("tokens", "scores", "token_type")}
    pieces = len(part["tokens"]) - 259
    chosen = [0, 1, 2, *range(3, 3 + VOCABULARY - 3 - pieces), *range(259, 259 + pieces)]
    return {k: [v[i] for i in chosen] for k, v in part.items()}


def write(m, path, vocabulary):
    from gguf import GGMLQuantizationType, GGUFWriter
    from gguf.quants import quantize
    writer = GGUFWriter(path, m.architecture)
    writer.add_string("general.name", "tiny " + m.name)
    writer.add_uint32("general.file_type", 0)
    for key, value in m.keys.items():
        key = key if key.startswith("xielu.") else f"{m.architecture}.{key}"
        if isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, float):
            writer.add_float32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        else:
            writer.add_array(key, value)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(vocabulary["tokens"])
    writer.add_token_scores(vocabulary["scores"])
    writer.add_token_types(vocabulary["token_type"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    for name, (array, kind) in m.tensors.items():
        if kind == "F16":
            array = array.astype(np.float16)
        elif kind:
            array = quantize(array, GGMLQuantizationType[kind])
        writer.add_tensor(name, array, raw_dtype=GGMLQuantizationType[kind] if kind and kind != "F16" else None)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Peer:
    PORT = 8093

    def __init__(self, run, path):
        self.process = subprocess.Popen(
            ["bash", run, "llama-server", "-m", str(path), "--device", "none", "--port", str(self.PORT), "--host",
             "127.0.0.1", "-c", str(CONTEXT), "-ctk", "f32", "-ctv", "f32", "-fa", "off", "-np", "1", "-t", "1",
             "--no-warmup", "-fit", "off", "--chat-template", "chatml"],
            stdout=subprocess.DEVNULL, stderr=open(path.parent / "server.log", "w"))

    def __enter__(self):
        for _ in range(300):
            if self.process.poll() is not None:
                raise RuntimeError("the peer doesn't load it: " + self.log())
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.PORT}/health", timeout=1):
                    return self
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the peer doesn't answer")

    def log(self):
        lines = (Path(self.process.args[4]).parent / "server.log").read_text(errors="replace").splitlines()
        return "\n".join(x for x in lines if "error" in x.lower() or " E " in x or "assert" in x.lower())[-900:]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def log_probabilities(self, prompt):
        body = {"prompt": prompt, "n_predict": 1, "n_probs": VOCABULARY, "temperature": 0, "cache_prompt": False}
        request = urllib.request.Request(f"http://127.0.0.1:{self.PORT}/completion", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            reply = json.load(answer)
        top = reply["completion_probabilities"][0]["top_logprobs"]
        assert len(top) == VOCABULARY, len(top)
        found = [0.0] * VOCABULARY
        for item in top:
            found[item["id"]] = float(f"{item['logprob']:.6g}")
        return found


def greedy(peer, random):
    prompt = [1, *(int(x) for x in random.integers(3, VOCABULARY, 23))]
    continuation, narrowest = [], 99.0
    for _ in range(16):
        found = peer.log_probabilities(prompt + continuation)
        best, second = sorted(found, reverse=True)[:2]
        narrowest = min(narrowest, best - second)
        continuation.append(found.index(best))
    return {"prompt": prompt, "continuation": continuation, "narrowest_lead": round(narrowest, 4)}


def expect(m, folder, run):
    random = np.random.default_rng(zlib.crc32((m.name + " prompts").encode()))
    with Peer(run, folder / "model.gguf") as peer:
        cases = []
        for length in (1, 5, 24, 60):
            prompt = [1, *(int(x) for x in random.integers(3, VOCABULARY, length - 1))]
            cases.append({"tokens": prompt, "logprobs": peer.log_probabilities(prompt)})
        chosen = None
        for _ in range(12):
            candidate = greedy(peer, random)
            if chosen is None or candidate["narrowest_lead"] > chosen["narrowest_lead"]:
                chosen = candidate
            if chosen["narrowest_lead"] > 0.03:
                break
    expected = {"architecture": m.architecture, "reference": "llama.cpp 0.7.0 CPU, F32 KV", "n_ctx": CONTEXT,
                "tolerance": m.tolerance, "cases": cases, "greedy": chosen}
    lines = json.dumps(expected).replace(', "', ',\n"').replace("}, {", "},\n{")
    (folder / "expected.json").write_text(lines + "\n")
    (folder / "server.log").unlink()
    spread = np.std(cases[2]["logprobs"])
    return f"spread {spread:.2f}, narrowest lead {chosen['narrowest_lead']}"


def main():
    step, out, other, names = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]), sys.argv[4:] or list(MODELS)
    vocabulary = tokens(other) if step == "models" else None
    for name in names:
        m = MODELS[name](name)
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        try:
            if step == "models":
                write(m, folder / "model.gguf", vocabulary)
                print(name, (folder / "model.gguf").stat().st_size)
            else:
                print(name, expect(m, folder, str(other)), flush=True)
        except (RuntimeError, OSError, AssertionError) as error:
            print(name, "FAILED", error, flush=True)


main()
