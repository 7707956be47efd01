#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors against pairs and time, by criterion: benchmarks/criteria.py GRAVLET_BENCH cpu|gpu [potential] [problem...].

For each problem and order the opening angle, and alpha of the other criteria, are swept; of each setting the pairs, the median time
of five solves and the errors at a sample of targets, all of the same solves, as Markdown. Then what each criterion costs at some errors
of 99%: interpolated between the two settings on both sides, in powers.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

SIZES = {"gpu": {"plummer": "--n 4e6", "nfw": "--n 4e6", "disc": "--n 4e6", "maclaurin": "--level 7", "grid": "--grid 128"},
         "cpu": {"plummer": "--n 2e5", "nfw": "--n 2e5", "disc": "--n 2e5", "maclaurin": "--level 5", "grid": "--grid 48"}}
SWEEPS = {2: {"opening": (1.0, 0.8, 0.6, 0.45), "acceleration": (0.3, 0.1, 0.03, 0.01), "multipole": (0.03, 0.01, 0.003, 0.001)},
          4: {"opening": (1.0, 0.85, 0.7, 0.55), "acceleration": (1.0, 0.3, 0.1, 0.03), "multipole": (0.1, 0.03, 0.01, 0.003)}}
LOOSER = 0.03  # alpha of potentials, next to that of accelerations
ERRORS = (4e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5)


def run(bench, backend, potential, problem, order, criterion, value):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "bench.json")
        knob = ["--theta", str(value)] if criterion == "opening" else ["--criterion", criterion, "--alpha", str(value)]
        subprocess.run([bench, "--problem", problem, *SIZES[backend][problem].split(), "--backend", backend, "--order", str(order), *knob,
                        "--samples", "20000" if backend == "gpu" else "5000", "--warmup", "1", "--repeat", "5", "--json", out]
                       + ([] if potential else ["--acceleration"]) + (["--memory", "host"] if backend == "cpu" else []),
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as text:
            return json.load(text)["cases"][0]


def milliseconds_at(found, error):
    """Between the two settings with errors of 99% on both sides of it."""
    found = sorted(found)
    for (low, fast), (high, slow) in zip(found, found[1:]):
        if low <= error <= high:
            share = math.log(error / low) / math.log(high / low)
            return math.exp((1 - share) * math.log(fast) + share * math.log(slow))
    return None


def main():
    words = sys.argv[1:]
    if len(words) < 2 or words[1] not in SIZES:
        sys.exit(__doc__)
    bench, backend = words[:2]
    potential = "potential" in words
    problems = [word for word in words[2:] if word != "potential"] or list(SIZES[backend])
    name = "potential_error" if potential else "acceleration_error"
    costs = {}
    print("| problem, order | criterion | nodes + cells, far | milliseconds | 99% | 99.99% | largest | rms |\n|" + "---|" * 8)
    for problem in problems:
        for order, sweeps in SWEEPS.items():
            for criterion, values in sweeps.items():
                for value in values:
                    value = value * LOOSER if potential and criterion != "opening" else value
                    case = run(bench, backend, potential, problem, order, criterion, value)
                    targets, error = case["targets"], case[name]
                    per_target = [case[kind + "_interactions"] / targets for kind in ("node", "cell", "far")]
                    costs.setdefault((problem, order), {}).setdefault(criterion, []).append((error["p99"], 1e3 * case["solve_s"]))
                    print(f"| {problem}, {order} | {criterion} {value:.3g} | {per_target[0]:.0f} + {per_target[1]:.0f}, "
                          f"{64 * per_target[2]:.0f} | {1e3 * case['solve_s']:.2f} | {error['p99']:.2e} | {error['p9999']:.2e} | "
                          f"{error['max']:.2e} | {error['rms']:.2e} |", flush=True)
    print("\n| problem, order, criterion | " + " | ".join(f"{error:.0e}" for error in ERRORS) + " |\n|" + "---|" * (1 + len(ERRORS)))
    for (problem, order), by_criterion in costs.items():
        for criterion, found in by_criterion.items():
            row = (milliseconds_at(found, error) for error in ERRORS)
            print(f"| {problem}, {order}, {criterion} | " + " | ".join("" if ms is None else f"{ms:.3g}" for ms in row) + " |")


if __name__ == "__main__":
    main()
