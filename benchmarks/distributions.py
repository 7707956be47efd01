#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole distributions of errors: benchmarks/distributions.py GRAVLET RANKS [PICTURE.png], from the repository's root.

Runs `gravlet run` on six problems with some orders, angles and criteria, at all targets, against the direct sum. Prints the tables of
docs/notebook/2026-11-accuracy.md ("Distributions"), in Markdown, and draws the shares of targets whose acceleration errs by more. Five
minutes on two cores.
"""

import os
import sys

from command import run

SHARES = (0.5, 0.1, 1e-2, 1e-3, 1e-4, 0.0)
POINTS = "{{kind: {}, n: {}}}"
CHECKPOINT = "{kind: flash_file, path: ../shared/data/maclaurin_amr_directsum_hdf5_chk_0001}"
PROBLEMS = {
    "Plummer sphere": POINTS.format("plummer", 50000),
    "NFW sphere": POINTS.format("nfw", 50000),
    "disc in a halo": POINTS.format("disc", 50000),
    "MacLaurin 4": "{kind: maclaurin, max_level: 4}",
    "mesh nested to a corner, 18 levels": "{kind: corner, max_level: 18}",
    "FLASH checkpoint": CHECKPOINT,
}
SETTINGS = {
    "0.5, 2": {"theta": 0.5, "order": 2},
    "0.8, 2": {"theta": 0.8, "order": 2},
    "0.8, 4": {"theta": 0.8, "order": 4},
    "left out (1.0, 4)": {},
    "acceleration": {"criterion": "acceleration"},
    "multipole": {"criterion": "multipole"},
}


def solve(problem, keys):
    """A solve for accelerations too; theta and order are left out where they are not given."""
    keys = {f"solver.{key}": value for key, value in ({"theta": -1, "order": -1} | keys).items()}
    return run("examples/maclaurin.yaml", keys | {"problem": problem, "solver.acceleration": "true", "compare.reference": "direct",
                                                  "compare.samples": 0})


def at(curve, field, share):
    """The error that this share of the targets exceeds, from the nearest share that was written."""
    if share == 0.0:
        return curve[field][-1]
    shares = curve["share"]
    return curve[field][min(range(len(shares)), key=lambda k: abs(shares[k] - share))]


def table(results):
    head = " | ".join("worst" if share == 0.0 else f"{100 * share:g}%" for share in SHARES)
    print(f"| | theta, order or criterion | nodes + cells | {head} |\n|" + "---|" * (3 + len(SHARES)))
    for problem, found in results.items():
        for number, (name, result) in enumerate(found.items()):
            pairs = result["interactions"]
            cells = (" / ".join(f"{at(result['error_curve'], field, share):.1e}".replace("e-0", "e-") for field in ("potential", "acceleration"))
                     for share in SHARES)
            print(f"| {problem if number == 0 else ''} | {name} | {pairs['node_per_target']:.0f} + {pairs['cell_per_target']:.0f} | "
                  + " | ".join(cells) + " |", flush=True)


def draw(results, picture):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(12, 7), sharex=True, sharey=True, constrained_layout=True)
    for axis, (problem, found) in zip(axes.flat, results.items()):
        for number, (name, result) in enumerate(found.items()):
            curve = result["error_curve"]
            axis.loglog(curve["acceleration"][:-1], curve["share"][:-1], "-" if number < 4 else "--", lw=1.6, label=name)
            axis.plot(curve["acceleration"][-1], 1.0 / result["error"]["samples"], ".", color=axis.lines[-1].get_color())
        axis.set_title(problem, fontsize=10)
        axis.grid(alpha=0.25, lw=0.5)
    for axis in axes[-1]:
        axis.set_xlabel("relative error of the acceleration")
    for axis in axes[:, 0]:
        axis.set_ylabel("share of targets with more")
    axes[0, 0].legend(title="theta, order", fontsize=8, title_fontsize=8)
    figure.savefig(picture, dpi=110)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    results = {}
    for name, problem in PROBLEMS.items():
        if problem == CHECKPOINT and not os.path.exists("../shared/data"):
            print("no ../shared/data: the checkpoint is left out", file=sys.stderr)
            continue
        found = {setting: solve(problem, keys) for setting, keys in SETTINGS.items()}
        name += f", {found['0.5, 2']['report']['targets']:,} " + ("points" if " n: " in problem else "cells")
        results[name] = found
        print(name, file=sys.stderr)
    table(results)
    if len(sys.argv) == 4:
        draw(results, sys.argv[3])


if __name__ == "__main__":
    main()
