#!/usr/bin/env bash
# The checks that need a real GPU, in one run of a few minutes; uses tests/data alone. Everything goes to OUT: devices, the self-test,
# whole models, speed of synthetic models with the table of ops, and (with PEER) llama.cpp's speed on the same files.
# usage: run.sh BUILD OUT [DEVICE]    BUILD: a build folder with vitrine-cli and tests; DEVICE: vulkan:N (vulkan)
#   VITRINE_GPU_SHAPES   what to measure ("1.1B:Q4_0 8B:Q4_K 8B:Q8_0")
#   PEER                 a folder with llama-bench of a build with Vulkan, to compare with
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail
[ $# -ge 2 ] || {
  sed -n '2,6s/^# //p' "$0" >&2
  exit 2
}
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=$(realpath "$1") out=$(realpath -m "$2") device=${3:-vulkan}
shapes=${VITRINE_GPU_SHAPES:-1.1B:Q4_0 8B:Q4_K 8B:Q8_0}
cli=$build/app/cli/vitrine-cli
export QT_QPA_PLATFORM=offscreen VITRINE_CONFORMANCE_DIR=$repo/tests/data
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# step NAME COMMAND…: its output in OUT/NAME, one line here.
step() {
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$out/$name" 2>"$out/$name.err"; then
    echo "$name: done ($((SECONDS - start)) s)"
  else
    echo "$name: FAILED ($((SECONDS - start)) s): $(tail -n 1 "$out/$name.err")"
    failed=1
  fi
  [ -s "$out/$name.err" ] || rm -f "$out/$name.err"
}

step devices.json "$cli" devices --json
command -v nvidia-smi >/dev/null && step nvidia-smi.txt nvidia-smi
step selftest.json "$cli" selftest --device "$device" --json
for test in "$build"/tests/engine/tst_vulkan_*; do
  [ -f "$test" ] && [ -x "$test" ] && step "$(basename "$test").txt" env VITRINE_TEST_FULL=1 "$test"
done
# Ways to multiply a prompt, and shapes of tiles, to choose among (build target bench_vulkan_linear).
linear=$build/tests/bench/bench_vulkan_linear
number=${device#vulkan} number=${number#:} number=${number:-0}
if [ -x "$linear" ]; then
  for type in ${VITRINE_GPU_TILE_TYPES:-Q4_0 Q4_K F16}; do
    step "product-$type-usual.txt" timeout 60 "$linear" "$number" "$type" 4096 4096 256 q8
    for tile in "" 8x4,16x4 8x8,16x4 16x4,16x4 8x8,16x8 16x8,16x4 16x8,16x8; do
      while read -r way without mode; do
        step "product-$type-$way-${tile:-usual}.txt" env VITRINE_VULKAN_WITHOUT="$without" ${tile:+VITRINE_VULKAN_TILE="$tile"} \
          timeout 60 "$linear" "$number" "$type" 4096 4096 256 "$mode"
      done <<'WAYS'
bytes matrix q8
halves matrix,dot q8
floats matrix,dot,float16 float
WAYS
    done
  done
fi
for shape in $shapes; do
  name=${shape/:/-}
  if [ -n "${PEER-}" ]; then # one file for both
    step "synthesize-$name.txt" "$cli" synthesize "$shape" "$work/$name.gguf"
    step "bench-$name.json" "$cli" bench -m "$work/$name.gguf" --device "$device" -p 512 -n 64 -r 5 --json
    step "peer-$name.json" env LD_LIBRARY_PATH="$PEER" "$PEER/llama-bench" -m "$work/$name.gguf" -ngl 99 -p 512 -n 64 -r 5 -o json
    rm -f "$work/$name.gguf"
  else
    step "bench-$name.json" "$cli" bench --synthetic "$shape" --device "$device" -p 512 -n 64 -r 5 --json
  fi
  step "profile-$name.txt" "$cli" bench --synthetic "$shape" --device "$device" -p 512 -n 16 -r 1 --profile
done
grep -h '"median"' "$out"/bench-*.json /dev/null || true
exit $failed
