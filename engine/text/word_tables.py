#!/usr/bin/env python3
"""Writes word_tables.inc (what BERT's word tokenizer knows of characters).

Usage: python3 word_tables.py > word_tables.inc
"""
# SPDX-License-Identifier: Apache-2.0
import sys
import unicodedata as u

HANGUL = range(0xAC00, 0xD7A4)  # composed by a formula, so decomposed by one


def unaccented(c):
    """The first character of the canonical decomposition."""
    return ord(u.normalize("NFD", c)[0])


def lower(c):
    return ord(c.lower()[0])


def rows(out, items, per_line):
    for i in range(0, len(items), per_line):
        out.append("    " + ", ".join(items[i:i + per_line]) + ",")


def ranges(points, has):
    found = []
    for p in points:
        if has(chr(p)):
            if found and found[-1][1] == p - 1:
                found[-1][1] = p
            else:
                found.append([p, p])
    return [f"{{0x{a:X},0x{b:X}}}" for a, b in found]


def runs(mapped, skipped=()):
    found = []
    for p in range(0x110000):
        if p in skipped or 0xD800 <= p < 0xE000:
            continue
        delta = mapped(chr(p)) - p
        if delta == 0:
            continue
        if found:
            first, last, stride, old = found[-1]
            gap = p - last
            if old == delta and ((stride == 0 and gap in (1, 2)) or gap == stride):
                found[-1] = (first, p, gap, old)
                continue
        found.append((p, p, 0, delta))
    return [f"{{0x{a:X},0x{b:X},{s or 1},{d}}}" for a, b, s, d in found]


def main():
    points = range(0x110000)
    out = [f"// Unicode {u.unidata_version}: letters, marks, punctuation, controls. Made by word_tables.py; do not edit.",
           "// SPDX-License-Identifier: Apache-2.0", "// clang-format off",
           "constexpr auto kUnaccented = std::to_array<LetterRun>({"]
    rows(out, runs(unaccented, HANGUL), 6)
    out += ["});", "constexpr auto kLower = std::to_array<LetterRun>({"]
    rows(out, runs(lower), 6)
    for name, has in (("kMarks", lambda c: u.category(c)[0] == "M"),
                      ("kPunctuation", lambda c: u.category(c)[0] == "P"),
                      ("kControls", lambda c: u.category(c) in ("Cc", "Cf", "Co", "Cs"))):
        out += ["});", f"constexpr auto {name} = std::to_array<Range>({{"]
        rows(out, ranges(points, has), 10)
    out += ["});", "// clang-format on"]
    sys.stdout.write("\n".join(out) + "\n")


main()
