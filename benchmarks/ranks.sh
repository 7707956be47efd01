#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One problem on several numbers of ranks: time, speed-up, what is exchanged, and how long ranks wait for messages after the
# groups that walk early. benchmarks/ranks.sh GRAVLET FILE.yaml "1 2 4 8" [gravlet run arguments...]
set -euo pipefail
gravlet=$1 file=$2 ranks=$3
shift 3
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
json=$(mktemp)
trap 'rm -f "$json"' EXIT
echo "ranks solve_s speedup walk_early_s walk_s wait_s wait_share essential_s MB_sent nodes cells peak_MB p99_error"
for n in $ranks; do
    mpirun --oversubscribe -np "$n" "$gravlet" run "$file" --json "$json" "$@" </dev/null >/dev/null
    python3 - "$json" "$n" <<'PY'
import json, sys
d, n = json.load(open(sys.argv[1])), int(sys.argv[2])
s, t, e = d["time"]["stages"], d["time"]["solve_median_s"], d["exchange"]
first = sys.argv[1] + ".first"
try:
    base = float(open(first).read())
except OSError:
    base = t * n
    open(first, "w").write(str(base))
wait = s["exchange_finish"]
print(n, f"{t:.3f} {base / t:.2f} {s['walk_early']:.3f} {s['walk']:.3f} {wait:.5f} {wait / t:.2%} {s['essential']:.4f}",
      f"{e['bytes_sent'] / 1e6:.1f} {e['nodes_imported']} {e['cells_imported']} {d['memory']['peak_bytes_per_rank'] / 1e6:.1f}",
      f"{d['error']['p99']:.2e}" if "error" in d else "-")
PY
done
rm -f "$json.first"
