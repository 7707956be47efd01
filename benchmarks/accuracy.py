#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/notebook/2026-11-accuracy.md, in Markdown: benchmarks/accuracy.py GRAVLET RANKS [table...] from the repository's root.

Errors of the potential are those of a solve for the potential alone (which may use local expansions more freely), errors of the
acceleration those of a solve for both. A few minutes a table on two cores.
"""

import sys

from command import run

MACLAURIN = "examples/maclaurin.yaml"
ALL = {"compare.samples": 0}
SAMPLE = {"compare.reference": "direct", "compare.samples": 1000, "compare.hunt": 1000}
PAIRS = [(theta, order) for theta in (1.0, 0.8, 0.5, 0.3) for order in (0, 2, 4)]


def solve(file, keys):
    return (run(file, keys | {"solver.acceleration": "false"})["error"],
            run(file, keys | {"solver.acceleration": "true"})["error_acceleration"])


def cell(errors, names):
    return " / ".join(f"{errors[name]:.1e}".replace("e-0", "e-") for name in names)


def by_theta_and_order(file, keys, pairs, names):
    """Two tables: a line for each theta, a column for each order."""
    orders = sorted({order for _, order in pairs})
    found = {p: solve(file, keys | {"solver.theta": p[0], "solver.order": p[1]}) for p in pairs}
    for field, title in enumerate(("potential", "acceleration")):
        print(f"\n| {title}, theta | " + " | ".join(f"order {order}" for order in orders) + " |\n|" + "---|" * (len(orders) + 1))
        for theta in sorted({theta for theta, _ in pairs}, reverse=True):
            row = (cell(found[theta, o][field], names) if (theta, o) in found else "" for o in orders)
            print(f"| {theta} | " + " | ".join(row) + " |", flush=True)


def lines(cases, names):
    """One table: a line for each case."""
    print("\n| case | potential | acceleration |\n|---|---|---|")
    for name, file, keys in cases:
        potential, acceleration = solve(file, keys)
        print(f"| {name} | {cell(potential, names)} | {cell(acceleration, names)} |", flush=True)


def maclaurin7():
    by_theta_and_order(MACLAURIN, {"problem.max_level": 7}, [(t, o) for t in (1.0, 0.8, 0.5) for o in (0, 2, 3, 4)], ["max", "p99"])


def maclaurin6():
    by_theta_and_order(MACLAURIN, SAMPLE, PAIRS, ["max", "p999", "rms"])


def checkpoint():
    by_theta_and_order("examples/flash_checkpoint.yaml", ALL | {"compare.reference": "direct"}, PAIRS, ["max", "p999", "p99"])


def corner():
    keys = {"solver.theta": 0.5, "solver.order": 2, "compare.reference": "direct"} | ALL
    lines([(f"{levels} levels", MACLAURIN, {"problem": f"{{kind: corner, max_level: {levels}}}"} | keys)
           for levels in (7, 17, 18)], ["max", "p999", "rms"])


def periodic():
    keys = {"solver.theta": 0.5, "solver.order": 2} | SAMPLE | {"compare.samples": 500, "compare.hunt": 100}  # an Ewald sum a pair
    meshes = {"sine_wave, 64^3": ("sine_wave, min_level: 4", "periodic"),
              "sine_wave, levels 4 to 5": ("sine_wave, min_level: 4, max_level: 5", "periodic"),
              "sech2_layer, 64^3": ("sech2_layer, min_level: 4, max_level: 4", "[periodic, periodic, isolated]"),
              "ostriker_cylinder, levels 3 to 5": ("ostriker_cylinder, min_level: 3, max_level: 5", "[periodic, isolated, isolated]")}
    lines([(f"{name}, {boundary}", MACLAURIN, {"problem": f"{{kind: {kind}}}", "solver.boundary": boundary} | keys)
           for name, (kind, own) in meshes.items() for boundary in (own, "isolated")], ["max", "p999", "rms"])


def analytic():
    lines([(f"{kind}, {8 << level}^3", MACLAURIN,
            {"problem": f"{{kind: {kind}, min_level: {level + 1}, max_level: {level + 1}}}", "solver.theta": 0.5})
           for kind in ("sine_wave", "sech2_layer", "ostriker_cylinder") for level in (2, 3, 4)], ["max", "rms"])


TABLES = [maclaurin7, maclaurin6, checkpoint, corner, periodic, analytic]
for table in TABLES:
    if len(sys.argv) == 3 or table.__name__ in sys.argv[3:]:
        print(f"\n### {table.__name__}")
        table()
