# SPDX-License-Identifier: Apache-2.0
"""Kofler et al., a kd-tree with a volume-mass heuristic (paper 004): errors of accelerations and pairs a target on a Hernquist sphere
of 250,000 points without softening (figures 1 to 3), seconds of build and walk over N (tables I, II), energy over time in shared leapfrog
steps of 0.003 Myr (figure 4). Our tree is an octree.

Units: the paper has 1.14e12 solar masses and 0.003 Myr, but no scale length; --scale-kpc is ours to choose. With G = 1 and mass and scale 1
the unit of time is sqrt(a^3 / (G M)).
"""

import math

from programs import pairs_per_target
from report import lines, panel

SWEEP = {"acceleration": {0: (0.5, 0.1, 0.02, 5e-3, 1e-3, 2.5e-4), 2: (100.0, 10.0, 1.0, 0.1, 0.03, 0.01), 4: (100.0, 10.0, 1.0, 0.1, 0.03)},
         "multipole": {0: (1.0, 0.3, 0.1, 0.03, 0.01), 2: (100.0, 3.0, 0.3, 0.03, 0.01, 3e-3), 4: (100.0, 10.0, 1.0, 0.1, 0.03, 0.01)},
         "opening": {0: (1.0, 0.7, 0.5, 0.4), 2: (1.0, 0.8, 0.6, 0.45), 4: (1.0, 0.85, 0.7, 0.55)}}
ALPHAS = (2.5e-3, 1e-3, 5e-4, 2.5e-4, 1e-4)  # of figure 1
WANTED = 4e-3  # error of 99%
BUILD = {250000: (158, 167, 24), 500000: (290, 293, 43), 1000000: (595, 586, 83), 2000000: (1202, 1195, 167)}  # ms: table I, GTX 480, K20c, Bonsai
WALK = {250000: (236, 204, 40), 500000: (476, 405, 81), 1000000: (934, 801, 163), 2000000: (1844, 1588, 325)}  # table II
GRAVITY = 43007.1  # kpc (km/s)^2 / 1e10 solar masses
MYR = 977.792  # kpc/(km/s) in Myr
MASS = 114.0  # 1e10 solar masses
STEP = 0.003  # Myr


def options(parser):
    parser.add_argument("--scale-kpc", type=float, default=30.0, metavar="A",
                        help="kdtree_accuracy: scale length of the sphere, which the paper does not say (30)")
    parser.add_argument("--steps", type=int, default=1000, metavar="N", help="kdtree_accuracy: leapfrog steps (1000)")


def step_of(scale_kpc):
    """0.003 Myr in units of mass and scale 1, G = 1."""
    return STEP / (MYR * math.sqrt(scale_kpc**3 / (GRAVITY * MASS)))


def knob(criterion, value):
    return {"theta": value} if criterion == "opening" else {"criterion": criterion, "alpha": value}


def between(found, at, x, y):
    """Column y where column x is `at`, between the two rows on both sides, in powers; None beyond them."""
    found = sorted(found, key=lambda row: row[x])
    for low, high in zip(found, found[1:]):
        if low[x] <= at <= high[x]:
            share = math.log(at / low[x]) / math.log(high[x] / low[x])
            return low[y] * (high[y] / low[y]) ** share
    return None


def sweep(programs, n, small):
    rows = []
    for criterion, orders in SWEEP.items():
        for order, values in orders.items():
            for value in values[1:3] if small else values:
                case = programs.cases("hernquist", n, order=order, samples=500 if small else 20000, repeat=1,
                                      **knob(criterion, value))[0]
                error = case["acceleration_error"]
                rows.append([criterion, order, value, pairs_per_target(case), 64 * case["far_interactions"] / case["targets"],
                             error["p99"], error["median"], error["max"], case["walk_s"]])
    return rows


def distributions(programs, n, small):
    """Figure 1: of each alpha the shares of the points and what error so many exceed."""
    out = {}
    for alpha in ALPHAS[:2] if small else ALPHAS:
        found = programs.solve({"kind": "hernquist", "n": n}, {"criterion": "acceleration", "alpha": alpha, "order": 0},
                               500 if small else 5000)
        curve = found["error_curve"]
        out[alpha] = [row for row in zip(curve["acceleration"], curve["share"]) if row[1] > 0]
    return out


def over_n(programs, small):
    sizes = (2000, 4000) if small else tuple(BUILD)
    cases = programs.cases("hernquist", sizes, criterion="acceleration", alpha=1e-3, order=0)
    return [[n, case["build_s"], case["walk_s"], case["solve_s"], *([ms / 1e3 for ms in BUILD[n] + WALK[n]] if n in BUILD else [None] * 6)]
            for n, case in zip(sizes, cases)]


def energy(programs, n, steps, scale_kpc):
    step = step_of(scale_kpc)
    found = programs.evolve({"kind": "hernquist", "n": n}, {"criterion": "acceleration", "alpha": 1e-3, "order": 0},
                            {"end": steps * step, "step": step, "steps": "one"})
    start = found["log"][0]["energy"]
    return [[STEP * number, 1.0 - line["energy"] / start] for number, line in enumerate(found["log"])]


def run(programs, report, chosen):
    n = 4000 if chosen.small else 250000
    found = sweep(programs, n, chosen.small)
    report.table(f"Hernquist sphere, {n:,} points: pairs a target and errors of accelerations (paper: figure 2)",
                 ["criterion", "order", "alpha or theta", "pairs", "far nodes by local expansion", "99%", "median", "largest", "walk s"],
                 found)
    kinds = [(criterion, order) for criterion, orders in SWEEP.items() for order in orders]
    of = {kind: [row for row in found if (row[0], row[1]) == kind] for kind in kinds}
    report.table("Between these: pairs and walk seconds for an error of 0.4% at 99%, and the error with 1,000 pairs (paper: figure 3; no "
                 "number: not between two of the settings)", ["criterion", "order", "pairs", "walk s", "99% error with 1,000 pairs"],
                 [[*kind, between(rows, WANTED, 5, 3), between(rows, WANTED, 5, 8), between(rows, 1000, 3, 5)]
                  for kind, rows in of.items()])
    curves = distributions(programs, n, chosen.small)
    report.table("Error of the acceleration that a share of the points exceeds, monopoles (paper: figure 1)",
                 ["alpha", "half", "10%", "1%"], [[alpha, *(nearest(curve, share) for share in (0.5, 0.1, 0.01))]
                                                  for alpha, curve in curves.items()])
    by_n = over_n(programs, chosen.small)
    report.table("Seconds over N, acceleration criterion of 0.001, monopoles (paper: tables I and II)",
                 ["N", "sort and build", "walk", "solve", "paper's build, GTX 480", "K20c", "Bonsai's", "paper's walk, GTX 480", "K20c",
                  "Bonsai's"], by_n)
    steps = 16 if chosen.small else chosen.steps
    over_time = energy(programs, n, steps, chosen.scale_kpc)
    report.table(f"Energy, (E0 - E)/E0, {steps:,} steps of 0.003 Myr = {step_of(chosen.scale_kpc):.3g} units with a scale of "
                 f"{chosen.scale_kpc:g} kpc (paper: figure 4)", ["Myr", "energy error"], over_time[:: max(1, steps // 8)])
    return [panel("error of the acceleration, 99%", "pairs a target",
                  [lines(rows, 5, 3, f"{kind[0]}, {kind[1]}", style="os^"[kind[1] // 2] + "-", color=f"C{list(SWEEP).index(kind[0])}")
                   for kind, rows in of.items()]),
            panel("error of the acceleration", "share of points with more",
                  [lines(curve, 0, 1, f"alpha {alpha:g}", style="-") for alpha, curve in curves.items()]),
            panel("points", "seconds", [lines(by_n, 0, 1, "sort and build"), lines(by_n, 0, 2, "walk"),
                                        lines(by_n, 0, 5, "paper's build, K20c", style="s--"),
                                        lines(by_n, 0, 8, "paper's walk, K20c", style="^--")]),
            panel("Myr", "(E0 - E)/E0", [lines(over_time, 0, 1, None, style="-")], ("linear", "linear"))]


def nearest(curve, share):
    """The error of the (error, share) in a curve whose share is next to this one."""
    return min(curve, key=lambda row: abs(row[1] - share))[0]
