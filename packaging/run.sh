#!/usr/bin/env bash
# Installs what is missing, builds Vitrine and starts it with FILE, else with a small demo model that it fetches once.
# usage: run.sh [FILE.gguf] [VITRINE-OPTION…]
# Without a display it asks one question under Xvfb, prints the answer (alone) to standard output and leaves
# vitrine-first-run.png in the current folder. Safe to run again: the second time takes seconds.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=packaging/common.sh
. "$packaging/common.sh"

case "${1-}" in
  -h | --help)
    sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

"$packaging/deps.sh" --run
qml=()
if grep -qs '^VITRINE_COMPILE_QML:BOOL=OFF' "$repo/build/release/CMakeCache.txt"; then
  qml=(-DVITRINE_COMPILE_QML=ON) # test.sh left it out
fi
stage configure-release "the build is configured" configure release "${qml[@]}" || exit 1
stage build-release "Vitrine is built" build release vitrine || exit 1

model=()
case "${1-}" in
  '' | -*)
    if demo=$("$packaging/demo_model.sh"); then model=("$demo"); fi
    ;;
  *)
    model=("$1")
    shift
    ;;
esac

utf8_locale
vitrine="$repo/build/release/bin/vitrine"
if [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
  exec "$vitrine" "${model[@]}" "$@"
fi

say "no display: the window opens under Xvfb; its picture goes to vitrine-first-run.png"
ask=()
if [ ${#model[@]} -gt 0 ]; then
  ask=(--prompt "In one sentence, what is a lighthouse for?" --temp 0 --print-answer)
fi
export QT_QPA_PLATFORM=xcb
# Not by exec: Xvfb never tells a parent with process number 1 (this script as a container's only process) that it is up.
xvfb-run --auto-servernum --server-args="-screen 0 1440x900x24" \
  "$vitrine" "${model[@]}" "${ask[@]}" --screenshot vitrine-first-run.png "$@" && exit 0 || exit $?
