#!/usr/bin/env bash
# Measures the start of the application under Xvfb: window shown, model ready (median of 5 warm starts), resident memory.
# usage: startup.sh VITRINE MODEL.gguf [RUNS]        exit status 1 where a figure misses its aim
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
[ $# -ge 2 ] || {
  sed -n '2,3s/^# //p' "$0" >&2
  exit 2
}
if [ -z "${STARTUP_UNDER_XVFB-}" ]; then
  STARTUP_UNDER_XVFB=1 xvfb-run --auto-servernum --server-args="-screen 0 1440x900x24" "$0" "$@" && exit 0 || exit $?
fi
vitrine=$1 model=$2 runs=${3:-5}
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=xcb VITRINE_LOG=debug
export XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data"

# number LOG PATTERN: the number in place of N.
number() { sed -nE "s/.*$2.*/\1/p" "$1" | head -n 1; }
memory() { awk -v key="$1:" '$1 == key { print int($2 / 1024) }' "/proc/$pid/status"; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# The first start warms the page cache and is not counted.
for run in $(seq 0 "$runs"); do
  "$vitrine" "$model" >/dev/null 2>"$work/log" &
  pid=$!
  for _ in $(seq 600); do
    ! grep -q 'model ready [0-9]' "$work/log" || break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  shown=$(number "$work/log" 'window shown after ([0-9]+) ms')
  ready=$(number "$work/log" 'model ready ([0-9]+) ms later')
  if [ -z "$shown" ] || [ -z "$ready" ]; then
    echo "startup: no 'window shown' and 'model ready' lines within 30 s; what it said:" >&2
    cat "$work/log" >&2
    exit 1
  fi
  sleep 1 # settled: first frames drawn, loader gone
  resident=$(memory VmRSS) anonymous=$(memory RssAnon) mapped=$(memory RssFile)
  kill "$pid"
  wait "$pid" 2>/dev/null || true
  pid=
  [ "$run" -gt 0 ] || continue
  echo "$shown" >>"$work/shown"
  echo "$ready" >>"$work/ready"
  echo "$resident" >>"$work/resident"
  echo "run $run: window $shown ms, model $ready ms later, resident $resident MiB ($anonymous anonymous, $mapped of files)"
done

size=$(($(stat -Lc %s "$model") / 1048576))
shown=$(median <"$work/shown") ready=$(median <"$work/ready") resident=$(median <"$work/resident")
echo "median of $runs: window shown after $shown ms (aim < 1000), model ready $ready ms later (aim < 500)," \
  "resident $resident MiB (aim < file $size + 200 MB)"
[ "$shown" -lt 1000 ] && [ "$ready" -lt 500 ] && [ $((resident * 1048576)) -lt $(($(stat -Lc %s "$model") + 200000000)) ]
