#!/usr/bin/env python3
"""Writes what inspect.sh measures: vocabulary.gguf (150,000 tokens and merges) and sparse.gguf (100 GB, 3,000 tensors, a few KB on disk).

usage: inspect_files.py FOLDER
"""
# SPDX-License-Identifier: Apache-2.0
import os
import random
import struct
import sys

TOKENS = 150_000
TENSORS = 3_000
SPARSE_BYTES = 100 * 10**9
U32, I32, F32, STRING, ARRAY = 4, 5, 6, 8, 9


def text(value):
    raw = value.encode()
    return struct.pack('<Q', len(raw)) + raw


def entry(key, kind, value):
    return text(key) + struct.pack('<I', kind) + value


def array(key, kind, values):
    return entry(key, ARRAY, struct.pack('<IQ', kind, len(values)) + b''.join(values))


def header(tensors, entries):
    return b'GGUF' + struct.pack('<IQQ', 3, tensors, len(entries)) + b''.join(entries)


def padded(data):
    return data + b'\0' * (-len(data) % 32)


def vocabulary(path):
    rng = random.Random(1)
    syllables = ['an', 'be', 'co', 'du', 'er', 'fi', 'go', 'hu', 'in', 'jo', 'ka', 'le', 'mi', 'no', 'or', 'pa']
    words = [''.join(rng.choices(syllables, k=rng.randint(1, 4))) + str(i) for i in range(TOKENS)]
    entries = [
        entry('general.architecture', STRING, text('llama')),
        entry('llama.block_count', U32, struct.pack('<I', 1)),
        entry('tokenizer.ggml.model', STRING, text('gpt2')),
        array('tokenizer.ggml.tokens', STRING, [text(word) for word in words]),
        array('tokenizer.ggml.scores', F32, [struct.pack('<f', -i) for i in range(TOKENS)]),
        array('tokenizer.ggml.token_type', I32, [struct.pack('<i', 1)] * TOKENS),
        array('tokenizer.ggml.merges', STRING, [text(word[:2] + ' ' + word[2:]) for word in words]),
    ]
    tensor = text('output_norm.weight') + struct.pack('<IQIQ', 1, 64, 0, 0)
    with open(path, 'wb') as out:
        out.write(padded(header(1, entries) + tensor) + b'\0' * 256)


def sparse(path):
    columns, rows = 8192, SPARSE_BYTES // TENSORS // 8192
    size = columns * rows  # of Q8_0: 34 bytes for 32 values
    size = size // 32 * 34 // 32 * 32
    rows = size // 34 * 32 // columns
    size = (columns * rows // 32 * 34 + 31) // 32 * 32
    kinds = ['attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down', 'attn_norm', 'ffn_norm', 'x']
    directory = b''.join(
        text(f'blk.{i // len(kinds)}.{kinds[i % len(kinds)]}.weight') + struct.pack('<IQQIQ', 2, columns, rows, 8, i * size)
        for i in range(TENSORS))
    entries = [entry('general.architecture', STRING, text('llama')),
               entry('llama.block_count', U32, struct.pack('<I', TENSORS // len(kinds)))]
    head = padded(header(TENSORS, entries) + directory)
    with open(path, 'wb') as out:
        out.write(head)
        out.truncate(len(head) + TENSORS * size)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    vocabulary(os.path.join(sys.argv[1], 'vocabulary.gguf'))
    sparse(os.path.join(sys.argv[1], 'sparse.gguf'))
