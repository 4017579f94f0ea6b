#!/usr/bin/env bash
# Builds and runs every test: Release with the window, then engine and services under the sanitizers, then the checks.
# usage: test.sh        VITRINE_TEST_FULL=1 (tests/full.sh) runs whole folders instead of samples, and the thread sanitizer
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=packaging/common.sh
. "$packaging/common.sh"
cd "$repo" || exit 1

full=${VITRINE_TEST_FULL:-0}
fuzz_seconds=60
cmake_arguments=()
qml=() # compiling it ahead takes minutes and changes how it starts, not what it does: left to the full run and to run.sh
if [ "$full" = 1 ]; then
  fuzz_seconds=600
  cmake_arguments=(-DVITRINE_TEST_TIMEOUT=3600)
fi

if [ "$full" = 1 ] || [ ! -f build/release/build.ninja ]; then
  qml=("-DVITRINE_COMPILE_QML=$([ "$full" = 1 ] && echo ON || echo OFF)")
fi

# The sanitizers of Debian 12 cannot place their shadow memory where newer kernels shuffle addresses widely.
unshuffled=()
if setarch -R true 2>/dev/null; then
  unshuffled=(setarch -R)
fi

passed=0
failed=()
# check TEXT COMMAND…: keeps count; the rest goes on after a failure, so that one run shows all of them.
check() {
  local text=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed+=("$text")
    return 1
  fi
}

own_sources() {
  find engine app ui tests \( -name '*.cpp' -o -name '*.h' \) -type f -print0
}
format_check() { own_sources | xargs -0 -r clang-format-14 --dry-run -Werror; }
warning_check() {
  # Only what this build compiled shows here; a build from scratch (CI) shows everything.
  ! grep -A5 -E "^$repo/(engine|app|ui|tests)/.*warning:" "$logs/build-release.log"
}
qmllint_check() {
  local output
  output=$(cmake --build build/release --target all_qmllint 2>&1) && ! grep -qE '(Warning|Error):' <<<"$output" && return 0
  printf '%s\n' "$output"
  return 1
}
# Straight to the terminal: which tests ran, the output of those that failed, ctest's own closing lines.
run_tests() {
  "${unshuffled[@]}" ctest --preset "$1" </dev/null
}
fuzzer_made() {
  stage configure-fuzz 'build/fuzz is configured' configure fuzz &&
    stage build-fuzz 'the fuzzer is built' build fuzz fuzz_gguf
}
fuzz() {
  mkdir -p build/fuzz/corpus build/fuzz/found
  "${unshuffled[@]}" build/fuzz/tests/fuzz/fuzz_gguf -max_total_time="$fuzz_seconds" -timeout=5 -malloc_limit_mb=64 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix=build/fuzz/found/ build/fuzz/corpus tests/data/malformed
}
sanitized() {
  check "$2: build" made "$1" "${cmake_arguments[@]}" && check "$2" run_tests "$1"
}

started=$SECONDS
utf8_locale
check 'packages' "$packaging/deps.sh" || exit 1
check 'layers' stage layers 'the layers hold' bash tests/check_layers.sh
check 'format' stage format 'the sources are formatted' format_check
check 'spelling' stage spelling 'the spelling is right' codespell
"$packaging/demo_model.sh" >/dev/null || say 'tests of the demo model are left out'

if check 'build' made release "${cmake_arguments[@]}" "${qml[@]}"; then
  check 'no warnings' stage warnings 'the compiler has no warnings' warning_check
  check 'qmllint' stage qmllint 'qmllint has nothing to say' qmllint_check
  check 'tests' run_tests release
fi
sanitized asan 'tests with address and undefined-behaviour sanitizers'
if [ "$full" = 1 ]; then
  sanitized tsan 'tests with thread sanitizer'
fi
if check 'fuzzer: build' fuzzer_made; then
  check 'fuzzer' stage fuzz "the parser stood $fuzz_seconds s of the fuzzer" fuzz
fi

minutes=$(((SECONDS - started + 59) / 60))
if [ ${#failed[@]} -gt 0 ]; then
  say "FAILED after $minutes min: $(printf '%s; ' "${failed[@]}" | sed 's/; $//')"
  exit 1
fi
say "all $passed checks passed in $minutes min"
