#!/usr/bin/env bash
# Everything, at length: whole conformance folders, address, undefined-behaviour and thread sanitizers, ten minutes of fuzzing.
# usage: full.sh        takes hours on two cores; CI runs packaging/test.sh
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
VITRINE_TEST_FULL=1 exec bash "$(dirname "${BASH_SOURCE[0]}")/../packaging/test.sh"
