# SPDX-License-Identifier: Apache-2.0
"""The command, for scripts that are called with GRAVLET and RANKS first."""

import json
import os
import subprocess
import sys
import tempfile

MPIRUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../scripts/mpirun")


def run(file, keys):
    """One solve of FILE with these keys set: what --json writes."""
    keys = {"output": "{}", "run.warmup": 0, "run.repeat": 1} | keys
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "run.json")
        subprocess.run([MPIRUN, sys.argv[2], sys.argv[1], "run", file, "--json", out] + [f"--set={key}={value}" for key, value in keys.items()],
                       check=True, stdout=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"})
        with open(out, encoding="utf-8") as text:
            return json.load(text)
