# SPDX-License-Identifier: Apache-2.0
"""A course report on GPU kernels (paper 002, table 1 and figure 6.4): serial sum, tiled sum on the GPU, tree on the GPU, from 1,000 to
1,000,000 points drawn evenly; and what we have beside: the sum and the tree on one core and on all.

Seconds are of one solve, potential and acceleration; the paper's of two time steps. Its sums are in single precision and its serial one
is plain C; our direct sum is in double precision, on the CPU by SIMD instructions: neither a plain one nor a single-precision one is here.
"""

import math

from report import lines, panel

PAPER = {1000: (23.768, 0.313, 6.3), 5000: (598.89, 1.884, 17.2), 10000: (2404.344, 5.622, 27.8), 50000: (60508.89, 104.271, 163.3),
         100000: (242378.26, 410.687, 375.2), 500000: (612258.57, 10160.527, 2343.6), 1000000: (2297531.15, 40509.186, 5128.6)}
DIRECT, TREE = {"theta": 0, "repeat": 1}, {"theta": 1.0}
ALL_PAIRS = {}  # what the solver takes for few points if it is not asked for a tree: walks whose lists have all of them, without one
# What to call it, backend, on all threads?, how, most points of it that are still run
KERNELS = (("direct sum, 1 thread", "cpu", False, DIRECT, 5e4), ("direct sum, all threads", "cpu", True, DIRECT, 1e5),
           ("direct sum, GPU", "gpu", True, DIRECT, 1e6), ("all pairs, 1 thread", "cpu", False, ALL_PAIRS, 2e4),
           ("all pairs, GPU", "gpu", True, ALL_PAIRS, 2e4), ("tree, 1 thread", "cpu", False, TREE, 1e6),
           ("tree, all threads", "cpu", True, TREE, 1e6), ("tree, GPU", "gpu", True, TREE, 1e6))


def seconds_of(programs, kernel, sizes):
    """Seconds of a solve by one of KERNELS, by number of points."""
    _, backend, all_threads, how, most = kernel
    sizes = [n for n in sizes if n <= most]
    cases = programs.cases("cube", sizes, backend=backend, threads=programs.threads if all_threads else 1, **how)
    return {n: case["solve_s"] for n, case in zip(sizes, cases) if how is not ALL_PAIRS or case["node_interactions"] == 0}


def crossing(rows, dearer_first, dearer_later):
    """Points from which on one column is below another, between the sizes that were run, in powers; or in words."""
    both = [(row[0], math.log(row[dearer_first] / row[dearer_later])) for row in rows
            if row[dearer_first] is not None and row[dearer_later] is not None]
    if not both or both[-1][1] > 0:
        return "nowhere"
    if both[0][1] <= 0:
        return f"below {both[0][0]:,}"
    for (low, above), (high, below) in reversed(list(zip(both, both[1:]))):
        if above > 0 >= below:
            return f"{low * (high / low) ** (above / (above - below)):,.0f}"
    return "nowhere"


def run(programs, report, options):
    kernels = [kernel for kernel in KERNELS if kernel[1] in ("cpu", programs.backend)]
    sizes = (1000, 3000) if options.small else tuple(PAPER)
    seconds = [seconds_of(programs, kernel, sizes) for kernel in kernels]
    rows = [[n, *(of.get(n) for of in seconds), *([ms / 2e3 for ms in PAPER[n]] if n in PAPER else [None] * 3)] for n in sizes]
    names = [kernel[0] for kernel in kernels]
    ours = len(kernels)
    report.table(f"Seconds a solve; threads: {programs.threads}; tree: theta 1, whose errors are in the next table (paper: half of "
                 "table 1, a step of two)",
                 ["N", *names, "paper, serial sum", "paper, tiled sum, GPU", "paper, tree, GPU"], rows)
    errors = programs.cases("cube", sizes[-1], samples=1000, repeat=1, **TREE)[0]["acceleration_error"]
    report.table(f"Relative errors of the tree's accelerations, {sizes[-1]:,} points", ["median", "99%", "largest of 1,000"],
                 [[errors["median"], errors["p99"], errors["max"]]])
    crossings = [[names[tree], names[direct], crossing(rows, 1 + tree, 1 + direct)]
                 for tree in range(ours) for direct in range(ours)
                 if kernels[direct][3] is DIRECT and kernels[tree][3] is TREE and kernels[tree][1:3] == kernels[direct][1:3]]
    if not options.small:
        crossings.append(["paper, tree, GPU", "paper, tiled sum, GPU", crossing(rows, ours + 3, ours + 2)])
    report.table("Points from which on the tree is faster", ["tree", "than", "points"], crossings)
    return [panel("points", "seconds a solve", [lines(rows, 0, 1 + number, name) for number, name in enumerate(names)]),
            panel("points", "seconds a step, paper", [lines(rows, 0, ours + 1, "serial sum"), lines(rows, 0, ours + 2, "tiled sum, GPU"),
                                                      lines(rows, 0, ours + 3, "tree, GPU")])]
