#!/usr/bin/env bash
# Measures `vitrine-cli inspect --json`: on a vocabulary of 150,000 tokens (with gguf-dump --json beside it, in turns), and on a sparse file of
# 100 GB with 3,000 tensors. Prints medians and the largest resident memory of our runs.
# usage: inspect.sh VITRINE_CLI [GGUF_DUMP [RUNS]]    GGUF_DUMP: a command, such as "PATH/peer/run.sh gguf-dump"; "" leaves it out
# Exit status 1 where a figure misses its aim: 30 times as fast as the peer, 50 ms, 60 MB.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
[ $# -ge 1 ] || {
  sed -n '2,5s/^# //p' "$0" >&2
  exit 2
}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/inspect_files.py" "$work"
python3 - "$work" "$1" "${2-}" "${3:-9}" <<'PYTHON'
import os, shlex, statistics, subprocess, sys, time

work, cli, dump, runs = sys.argv[1], sys.argv[2], shlex.split(sys.argv[3]), int(sys.argv[4])


def run(command):
    """Seconds and peak resident bytes of one run."""
    start = time.perf_counter()
    with open(os.devnull, 'wb') as null:
        process = subprocess.Popen(command, stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f'{command[0]} failed with status {status}')
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def measure(name, path, peer):
    ours, theirs, memory = [], [], 0
    for i in range(runs + 1):  # the first warms the page cache
        for_peer = run(peer + [path])[0] if peer and i <= 3 else None
        seconds, resident = run([cli, 'inspect', '--json', path])
        memory = max(memory, resident)
        if i > 0:
            ours.append(seconds)
            theirs += [] if for_peer is None else [for_peer]
    line = f'{name}: {statistics.median(ours) * 1e3:.1f} ms, {memory / 1e6:.1f} MB resident'
    if theirs:
        line += (f'; gguf-dump {statistics.median(theirs) * 1e3:.0f} ms,'
                 f' ratio {statistics.median(theirs) / statistics.median(ours):.0f}')
    print(line, flush=True)
    return statistics.median(ours), statistics.median(theirs) if theirs else None, memory


seconds, peer, memory = measure('150,000 tokens', work + '/vocabulary.gguf', dump + ['--json'] if dump else [])
ok = memory < 60e6 and (peer is None or peer / seconds >= 30)
seconds, _, memory = measure('100 GB sparse, 3,000 tensors', work + '/sparse.gguf', [])
sys.exit(0 if ok and memory < 60e6 and seconds < 0.05 else 1)
PYTHON
