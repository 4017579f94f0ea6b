#!/usr/bin/env python3
"""Writes unicode_tables.inc (case mappings and character classes as Python's str methods know them).

Usage: python3 unicode_tables.py > unicode_tables.inc
"""
# SPDX-License-Identifier: Apache-2.0
import sys
import unicodedata as u

MID_WORD = [0x27, 0x2E, 0x3A, 0xB7, 0x387, 0x55F, 0x5F4, 0x2018, 0x2019, 0x2024, 0x2027,
            0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A]


def mask(c):
    cat = u.category(c)
    bits = [c.isalpha(), c.isdecimal(), c.isdigit(), c.isnumeric(), c.isspace(), c.isprintable(),
            c.isupper(), c.islower(), cat == "Lt",
            cat in ("Mn", "Me", "Cf", "Lm", "Sk") or ord(c) in MID_WORD]
    return sum(1 << i for i, b in enumerate(bits) if b)


def rows(out, items, per_line):
    for i in range(0, len(items), per_line):
        out.append("    " + ", ".join(items[i:i + per_line]) + ",")


def main():
    points = [chr(p) for p in range(0x110000) if not 0xD800 <= p < 0xE000]
    runs = []
    for c in points:
        m = mask(c)
        if not runs or runs[-1][1] != m:
            runs.append((ord(c), m))
    simple, special = [], []
    for c in points:
        forms = (c.upper(), c.lower(), c.title())
        if forms == (c, c, c):
            continue
        if any(len(f) > 1 for f in forms):
            special.append((c, forms))
        else:
            simple.append((ord(c), tuple(ord(f) - ord(c) for f in forms)))
    cases = []
    for p, deltas in simple:
        if cases:
            first, last, stride, old = cases[-1]
            gap = p - last
            if old == deltas and ((stride == 0 and gap in (1, 2)) or gap == stride):
                cases[-1] = (first, p, gap, old)
                continue
        cases.append((p, p, 0, deltas))
    out = [f"// Unicode {u.unidata_version}: classes and case mappings. Made by unicode_tables.py; do not edit.",
           "// SPDX-License-Identifier: Apache-2.0", "// clang-format off",
           "constexpr auto kClassRuns = std::to_array<ClassRun>({"]
    rows(out, [f"{{0x{p:X},0x{m:X}}}" for p, m in runs], 10)
    out += ["});", "constexpr auto kCaseRuns = std::to_array<CaseRun>({"]
    rows(out, [f"{{0x{a:X},0x{b:X},{s or 1},{d[0]},{d[1]},{d[2]}}}" for a, b, s, d in cases], 5)
    out += ["});", "constexpr auto kSpecialCases = std::to_array<SpecialCase>({"]

    def text(s):
        return 'U"' + "".join(f"\\U{ord(c):08X}" for c in s) + '"'
    rows(out, [f"{{0x{ord(c):X},{text(f[0])},{text(f[1])},{text(f[2])}}}" for c, f in special], 2)
    out += ["});", "// clang-format on"]
    sys.stdout.write("\n".join(out) + "\n")


main()
