# SPDX-License-Identifier: Apache-2.0
"""Nakasato (arXiv:1112.4539, paper 000): direct sum and tree over N, points in random order and along a curve (tables 2, 3), the tree over
theta (table 5), mean errors over N and theta (tables 6, 7). Tree: monopoles, as the paper's; where it says so, the default as well.

The paper's points of tables 2, 3 and 5 fill a sphere, ours too. Its galaxy of tables 6 and 7 (GalactICS, bulge : disc : halo as
1 : 2 : 12) we do not have: ours is the model of M31, a bulge, a disc and a halo as 1 : 1.1 : 25.
"""

from report import lines, panel

K = 1024
SECONDS = {50: (3.95e-2, 3.00e-2), 100: (9.65e-2, 6.08e-2), 200: (2.34e-1, 1.27e-1), 400: (5.83e-1, 2.65e-1), 800: (1.36, 5.66e-1)}
SECONDS_OF_THETA = {0.2: 16.5, 0.3: 5.24, 0.4: 2.24, 0.5: 1.14, 0.6: 0.682, 0.7: 0.492, 0.8: 0.398, 0.9: 0.343, 1.0: 0.310}
ERRORS = {  # (theta, thousands): acceleration (table 6), potential (table 7)
    (0.2, 10): (2.93e-4, 4.46e-5), (0.3, 10): (6.37e-4, 9.87e-5), (0.4, 10): (1.23e-3, 1.84e-4), (0.5, 10): (2.04e-3, 2.98e-4),
    (0.2, 50): (1.69e-4, 4.39e-5), (0.3, 50): (4.42e-4, 1.07e-4), (0.4, 50): (8.86e-4, 1.90e-4), (0.5, 50): (1.50e-3, 2.96e-4),
    (0.2, 200): (2.24e-4, 5.52e-5), (0.3, 200): (4.52e-4, 1.42e-4), (0.4, 200): (8.27e-4, 2.66e-4), (0.5, 200): (1.36e-3, 4.23e-4),
    (0.9, 10): (7.85e-3, None), (1.0, 10): (9.95e-3, None), (0.9, 50): (5.95e-3, None), (1.0, 50): (7.69e-3, None),
    (0.9, 200): (5.22e-3, None), (1.0, 200): (6.81e-3, None)}
MOST_PAIRS = {"cpu": 1e10, "gpu": 1e12}  # of a direct sum that is still run


def over_n(programs, small):
    sizes = [thousands * K for thousands in ((2, 5) if small else SECONDS)]
    summed = [n for n in sizes if float(n) ** 2 <= MOST_PAIRS[programs.backend]]
    direct = dict(zip(summed, (case["solve_s"] for case in programs.cases("sphere", summed, theta=0, repeat=1))))
    drawn, curve = (programs.cases("sphere", sizes, theta=0.6, order=0, along_curve=along) for along in (False, True))
    return [[n, direct.get(n), a["solve_s"], a["build_s"], b["solve_s"], b["build_s"], *SECONDS.get(n // K, (None, None))]
            for n, a, b in zip(sizes, drawn, curve)]


def over_theta(programs, small):
    n = (4 if small else 800) * K
    thetas = (0.6, 1.0) if small else tuple(SECONDS_OF_THETA)
    cases = programs.cases("sphere", n, theta=thetas, order=(0, 4), along_curve=True)
    seconds = {(case["theta"], case["order"]): case["solve_s"] for case in cases}
    return n, [[theta, seconds[theta, 0], seconds[theta, 4], None if small else SECONDS_OF_THETA[theta]] for theta in thetas]


def mean_errors(programs, small):
    rows = []
    for thousands in (2,) if small else (10, 50, 200):
        for theta in (0.3, 0.5) if small else (0.2, 0.3, 0.4, 0.5, 0.9, 1.0):
            found = programs.solve({"kind": "m31", "n": thousands * K}, {"order": 0, "theta": theta}, 500 if small else 2000)
            of_paper = ERRORS.get((theta, thousands), (None, None))
            rows.append([thousands * K, theta, found["error_acceleration"]["mean"], of_paper[0], found["error"]["mean"], of_paper[1]])
    return rows


def run(programs, report, options):
    by_n = over_n(programs, options.small)
    report.table("Seconds over N: theta 0.6, monopoles (paper: tables 2 and 3)",
                 ["N", "direct sum", "tree, random order", "of these sort and build", "tree, along a curve", "of these sort and build",
                  "paper, random", "paper, Morton order"], by_n)
    n, by_theta = over_theta(programs, options.small)
    report.table(f"Seconds over theta: {n:,} points along a curve (paper: table 5)",
                 ["theta", "monopoles", "order 4", "paper, monopoles"], by_theta)
    errors = mean_errors(programs, options.small)
    report.table("Mean relative errors, monopoles (paper: tables 6 and 7)",
                 ["N", "theta", "acceleration", "paper", "potential", "paper"], errors)
    sizes = sorted({row[0] for row in errors})
    return [
        panel("points", "seconds", [lines(by_n, 0, 1, "direct sum"), lines(by_n, 0, 2, "tree, random order"),
                                    lines(by_n, 0, 4, "tree, along a curve"),
                                    lines(by_n, 0, 6, "paper, random", style="s--"), lines(by_n, 0, 7, "paper, Morton", style="^--")]),
        panel("theta", "seconds", [lines(by_theta, 0, 1, "monopoles"), lines(by_theta, 0, 2, "order 4"),
                                   lines(by_theta, 0, 3, "paper, monopoles", style="s--")], ("linear", "log")),
        panel("theta", "mean error of the acceleration",
              [lines([row for row in errors if row[0] == size], 1, 2, f"{size:,}") for size in sizes]
              + [lines([row for row in errors if row[0] == size], 1, 3, f"paper, {size:,}", style="s--") for size in sizes],
              ("linear", "log"))]
