# SPDX-License-Identifier: Apache-2.0
"""GOTHIC (Miki & Umemura 2017, paper 001, figure 7): the time of a solve over the number of active targets, where all points act.

The paper's figure is of M31, 2^23 points, acceleration criterion of 2^-7, on three GPUs, a line for each number S of threads that share
a target. Its values are in the picture alone, which our copy lacks. The text (section 3.4) says: time is proportional to the active
targets above about 10^4/S of them and constant below, but for a steep rise where nearly all are active, which S = 32 does not have.

Ours are points with that criterion, active ones drawn at random or the innermost, and the cells of a MacLaurin spheroid of the finest
level, at the solver's defaults. Nothing moves between solves and the tree is kept, so that no sort or build is in the seconds: the paper
builds a tree every dozen steps. Errors are of active targets alone: of all of them where the sample is not smaller, in one more solve,
by a solver of its own.
"""

import math
import sys

from programs import pairs_per_target
from report import lines, panel

SHARES = (1, 0.1, 0.01, 1e-3, 1e-4, 1e-5)
SOFTENING = 0.01
POINTS = {"criterion": "acceleration", "alpha": 2**-7, "softening": SOFTENING, "keep_moved": True}
SATURATION, SHARING = 10**4, (1, 2, 4, 8, 16, 32)  # the text's 10^4/S, and the S of figure 7
ACTIVE, SOLVE, WALK, PROPORTION, PAIRS = 1, 2, 3, 5, 6  # columns
COLUMNS = ["share", "active targets", "solve s", "walk s", "of the full solve", "in proportion s", "pairs an active target", "compared",
           "error, median", "99%", "largest"]


def options(parser):
    parser.add_argument("--points", choices=("plummer", "hernquist", "nfw", "sphere", "cube", "disc"), default="plummer",
                        help="active: points to solve for (plummer)")
    parser.add_argument("--mesh-level", type=int, default=7, metavar="L", help="active: deepest level of the MacLaurin mesh (7)")


def series(programs, problem, n, by, chosen, **how):
    """A row for each share of the targets, all of them first."""
    found = programs.cases(problem, n, active=SHARES[:3] if chosen.small else SHARES, active_by=by, **how,
                           samples=200 if chosen.small else 2000)
    print(f"{problem}, {by}: done", file=sys.stderr, flush=True)
    full, rows = found[0], []
    for case in found:
        error = case["acceleration_error"]
        rows.append([case["active"], case["targets"], case["solve_s"], case["walk_s"], case["solve_s"] / full["solve_s"],
                     full["solve_s"] * (case["targets"] / full["targets"]), pairs_per_target(case), error["samples"], error["median"],
                     error["p99"], error["max"]])
    return rows


def doubled(rows):
    """Active targets of a solve that takes twice as long as one for the fewest, between the rows on both sides, in powers; or None."""
    limit = 2 * rows[-1][SOLVE]
    for more, fewer in zip(rows, rows[1:]):
        if more[SOLVE] > limit >= fewer[SOLVE]:
            part = math.log(limit / fewer[SOLVE]) / math.log(more[SOLVE] / fewer[SOLVE])
            return round(fewer[ACTIVE] * (more[ACTIVE] / fewer[ACTIVE]) ** part)
    return None


def saturation(axis):
    axis.axvspan(SATURATION / SHARING[-1], SATURATION, color="#e0e0e0", label=f"paper: $10^4/S$, S {SHARING[0]} to {SHARING[-1]}")


def run(programs, report, chosen):
    n, level = (4000, 4) if chosen.small else (chosen.n, chosen.mesh_level)
    kinds = {f"{chosen.points}, random": series(programs, chosen.points, n, "random", chosen, **POINTS),
             f"{chosen.points}, innermost": series(programs, chosen.points, n, "radius", chosen, **POINTS),
             f"MacLaurin {level}, finest": series(programs, "maclaurin", n, "level", chosen, level=level, keep_tree=True)}
    for name, rows in kinds.items():
        report.table(f"{name}: {rows[0][ACTIVE]:,} targets, of which so many are active (paper: figure 7)", COLUMNS, rows)
    report.table("Active targets below which time hardly depends on them (ours: of a solve of twice the seconds of one for the fewest; no "
                 "number: all take less)", ["what", "active targets"],
                 [[name, doubled(rows)] for name, rows in kinds.items()] +
                 [[f"paper, S = {threads}: 10^4/S", round(SATURATION / threads)] for threads in SHARING])
    (random, of_random), (inner, of_inner), (mesh, of_mesh) = kinds.items()
    return [panel("active targets", "seconds a solve", [
                saturation, lines(of_random, ACTIVE, SOLVE, random, color="C0"), lines(of_inner, ACTIVE, SOLVE, inner, color="C1"),
                lines(of_random, ACTIVE, WALK, "its walk", style="^--", color="C0"),
                lines(of_inner, ACTIVE, WALK, "its walk", style="^--", color="C1"),
                lines(of_random, ACTIVE, PROPORTION, "in proportion", style=":", color="k")]),
            panel("active targets", "seconds a solve", [
                lines(of_mesh, ACTIVE, SOLVE, mesh, color="C2"), lines(of_mesh, ACTIVE, WALK, "its walk", style="^--", color="C2"),
                lines(of_mesh, ACTIVE, PROPORTION, "in proportion", style=":", color="k")]),
            panel("active targets", "pairs an active target", [
                lines(rows, ACTIVE, PAIRS, name, color=f"C{number}") for number, (name, rows) in enumerate(kinds.items())])]
