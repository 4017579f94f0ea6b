# Shared by the scripts of this folder: where things lie, stages with a log, the build. Sourced, not run.
# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
logs="${VITRINE_LOGS:-$repo/build/logs}"

# Everything that is not a result goes to standard error: run.sh's standard output is the answer alone.
say() { printf 'vitrine: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# stage NAME TEXT COMMAND…: one line on the terminal, the output in build/logs/NAME.log, shown where it fails.
stage() {
  local name=$1 text=$2 log started status=0
  shift 2
  log="$logs/$name.log"
  mkdir -p "$logs"
  started=$SECONDS
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -eq 0 ]; then
    say "$text ($((SECONDS - started)) s)"
    return 0
  fi
  say "$text: failed, exit status $status; the end of $log:"
  tail -n 60 "$log" >&2
  return "$status"
}

# A compiler takes up to about 1 GiB: no more of them than the memory carries.
job_count() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null)
  [ "${memory:-0}" -ge 1 ] || memory=1
  echo $((cores < memory ? cores : memory))
}

# configure PRESET [CMAKE-ARGUMENT…]: fills build/PRESET unless it stands and the preset is no newer.
configure() {
  local preset=$1 folder="$repo/build/$1"
  shift
  # A build folder that was copied along with the tree still points at the old place: begin it anew.
  if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repo" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if [ ! -f "$folder/build.ninja" ] || [ "$repo/CMakePresets.json" -nt "$folder/build.ninja" ] || [ $# -gt 0 ]; then
    (cd "$repo" && cmake --preset "$preset" "$@")
  fi
}

# build PRESET [TARGET…]
build() {
  local folder="$repo/build/$1"
  shift
  cmake --build "$folder" --parallel "$(job_count)" ${1:+--target "$@"}
}

# made PRESET [CMAKE-ARGUMENT…]: configured and built whole.
made() {
  stage "configure-$1" "build/$1 is configured" configure "$@" && stage "build-$1" "build/$1 is built" build "$1"
}

# Qt needs a UTF-8 locale for file names and text; a bare system has none set.
utf8_locale() {
  if [ "$(locale charmap 2>/dev/null)" != UTF-8 ]; then
    export LC_ALL=C.UTF-8
  fi
}
