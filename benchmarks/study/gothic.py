# SPDX-License-Identifier: Apache-2.0
"""GOTHIC (Miki & Umemura 2017, paper 001): seconds a step over the errors of accelerations, by criterion, in block steps and in
shared ones, on an NFW sphere and M31 (figures 3, 4); how much faster block steps get through the same time (figure 5); seconds over N
(figure 8).

A step is a solve: of all points in shared steps, of those that are due in block steps. The shared step is the shortest one of the block
steps. Errors are those of `gravlet run` at a sample of the model's points at time 0 (its NFW sphere ends at 5 r_s, as the paper's; the one
that moves falls off beyond, to be in equilibrium). The paper's steps are wall clock over 1,024 of them, from the start; ours leave out what
comes before the first step. Its softenings are ours: r_s/64, and 16 pc in M31. Its eta and largest step we found nowhere in our copy.
"""

import sys

from programs import seconds_per_step
from report import lines, panel

MODELS = {  # lengths in r_s (NFW) and kpc (M31); the largest step in the units of the model, G = 1
    "nfw": {"problem": {"kind": "nfw", "concentration": 5}, "softening": 1 / 64, "step": 0.25},
    "m31": {"problem": {"kind": "m31"}, "softening": 0.016, "step": 0.25}}
ETA = 0.5
SWEEP = {"opening": (1.0, 0.8, 0.6), "acceleration": (1.0, 0.1, 0.01), "multipole": (0.1, 0.01, 0.001)}
SHARED_STEPS = 8  # that are timed
# Figure 8, by the text: seconds a step of M31 with 2^23 and 2^24 points, block steps, acceleration criterion of 2^-7.
PAPER = {2**23: (0.47, 0.39, 0.14), 2**24: (None, None, 0.30)}
CARDS = ("M2090", "K20X", "GTX TITAN X")


def options(parser):
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS), help="gothic: models to run (both)")


def solver_of(model, criterion, value):
    how = {"theta": value} if criterion == "opening" else {"criterion": criterion, "alpha": value}
    return {"softening": model["softening"]} | how


def setting(programs, model, n, criterion, value, samples):
    """One accuracy: errors, then block steps over one largest step, then shared steps as short as the shortest of these."""
    problem = model["problem"] | {"n": n}
    solver = solver_of(model, criterion, value)
    error = programs.solve(problem, solver, samples)["error_acceleration"]
    largest = model["step"]
    blocks = programs.evolve(problem, solver, {"end": largest, "step": largest, "steps": "softening", "eta": ETA})
    depth = blocks["deepest_level"]
    shortest = largest / 2**depth
    shared = programs.evolve(problem, solver, {"end": SHARED_STEPS * shortest, "step": shortest, "steps": "one"})
    seconds = sum(line["seconds"] for line in blocks["log"][1:])
    one = seconds_per_step(shared)
    return [error["p99"], error["median"], seconds_per_step(blocks), one, one * 2**depth / seconds, depth]


def over_n(programs, small):
    sizes = (1000, 4000) if small else tuple(2**k for k in range(10, 27 if programs.backend == "gpu" else 21, 2))
    rows = []
    for order in (0, 4):
        found = programs.cases("nfw", sizes, criterion="acceleration", alpha=2**-7, order=order, softening=1 / 64)
        rows.append([[case["solve_s"], case["build_s"], case["walk_s"]] for case in found])
    return [[n, *low, *high] for n, low, high in zip(sizes, *rows)]


def run(programs, report, chosen):
    n = 2000 if chosen.small else chosen.n
    models = chosen.models
    sweep = {name: values[:1] for name, values in SWEEP.items()} if chosen.small else SWEEP
    panels = []
    for name in models:
        rows = []
        for criterion, values in sweep.items():
            for value in values:
                rows.append([criterion, value, *setting(programs, MODELS[name], n, criterion, value, 500 if chosen.small else 2000)])
                print(f"{name}, {criterion} {value}: done", file=sys.stderr, flush=True)
        report.table(f"{name}, {n:,} points: seconds a step (paper: figures {3 if name == 'nfw' else 4} and 5)",
                     ["criterion", "theta or alpha", "error, 99%", "median", "block steps", "shared steps", "block steps are faster by",
                      "levels below the largest step"], rows)
        drawn = []
        for number, criterion in enumerate(sweep):
            of = [row for row in rows if row[0] == criterion]
            drawn += [lines(of, 2, 4, f"{criterion}, block", color=f"C{number}"),
                      lines(of, 2, 5, f"{criterion}, shared", style="s:", color=f"C{number}")]
        panels.append(panel(f"{name}: error of the acceleration, 99%", "seconds a step", drawn))
    if "m31" in models and n in PAPER:
        report.table(f"Paper: M31 of {n:,} points, block steps, acceleration criterion of 2^-7, seconds a step",
                     list(CARDS), [list(PAPER[n])])
    rows = over_n(programs, chosen.small)
    report.table("Seconds over N: NFW sphere, all points due, acceleration criterion of 2^-7 (paper: figure 8, which is of M31 in block "
                 "steps)", ["N", "order 0", "sort and build", "walk", "order 4", "sort and build", "walk"], rows)
    panels.append(panel("points", "seconds a solve", [lines(rows, 0, 1, "order 0"), lines(rows, 0, 4, "order 4"),
                                                      lines(rows, 0, 2, "sort and build", style="^--"),
                                                      *(lines([[n, *found] for n, found in PAPER.items()], 0, 1 + card,
                                                              f"paper, M31, {name}", style="s:", color=f"C{5 + card}")
                                                        for card, name in enumerate(CARDS))]))
    return panels
