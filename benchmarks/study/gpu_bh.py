# SPDX-License-Identifier: Apache-2.0
"""GPU-BH, the tree code that gravlet began from (Lukat & Banerjee 2016, paper 003): accuracy on the MacLaurin spheroid (figure 9),
ranks to a GPU (12, 13, 28), weak series of a sphere that grows with the ranks (table 3, figures 15 to 17), strong series of a cloud that has
fallen into cores (24 to 27), gravity's share of a step (14, 19, 20), steps on GPUs and CPUs (29), periodic beside isolated boundaries.

The paper's numbers are those of its text and tables: curves of its figures are in pictures that our copy lacks. Its processing unit is a
GPU (Fermi) with six cores, ours a rank, or a GPU with a rank. Its strong series starts from a checkpoint of 1.85e7 cells that we do not
have: ours is the problem `collapse_mesh`, or --checkpoint. Seconds are those of a solve, medians of three after one that is not timed.
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

import bench  # of benchmarks/scaling, as series
import series as of
from report import lines, panel

THETAS = (1.0, 0.75, 0.5, 0.25, 0.1)
DIRECT_ERROR = 2.17e-4  # section 4.1: the largest of the direct sum, level 7
MOST_PAIRS = {"cpu": 1e10, "gpu": 1e13}  # of a direct sum that is still run
BOX = 8e17  # cm
SPHERES = {"SP-RSS": (3.50e17 / BOX, 6, 7e6), "SP-RSL": (1.73e17 / BOX, 7, 2e7)}  # table 2: radius, deepest level, cells
# Table 3, the smallest of its three series, of level 8: processing units, radius, cells.
WEAK = {1: (4.50e16, 2.73e6), 4: (9.70e16, 1.10e7), 8: (1.36e17, 2.01e7), 12: (1.70e17, 3.22e7), 16: (1.98e17, 4.25e7),
        20: (2.20e17, 5.31e7), 24: (2.40e17, 6.32e7), 28: (2.61e17, 7.42e7)}
WEAK_EFFICIENCY = {28: 0.80}     # section 4.2.3, of these
STRONG_EFFICIENCY = {24: 0.73}   # section 4.2.5, over one of four
THROUGHPUT = {4: 2.0e5, 24: 8.7e5}  # cells a second, figure 27
SHARES = {"CPU-BH on 72 cores": 0.8189, "10 GPUs and 60 cores, at the same state": 0.3619, "10 GPUs and 60 cores, at the end": 0.3699,
          "2 GPUs and 24 cores": 0.65, "24 GPUs and 24 cores": 0.23}
RANKS_TO_A_GPU = (1, 2, 4, 8, 12, 24)
COMPARED_STEPS = 40  # of a collapse, on the CPU as well


def options(parser):
    parser.add_argument("--checkpoint", type=pathlib.Path, metavar="FILE", help="gpu_bh: a FLASH file for the strong series")
    parser.add_argument("--core-collapse", type=pathlib.Path, metavar="PATH",
                        default=bench.ROOT / "build/release/examples/core_collapse/core_collapse",
                        help="gpu_bh: the example (build/release/examples/core_collapse/core_collapse)")
    parser.add_argument("--gpus", type=int, default=1, metavar="N", help="gpu_bh: GPUs of this machine to use (1)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART",
                        help=f"gpu_bh: these parts of {', '.join(PARTS)} (all)")


def said(what):
    print(f"{what}: done", file=sys.stderr, flush=True)


def accuracy(programs, chosen):
    """Largest error of all cells, by theta and order, with a cell's own potential and without."""
    level = 4 if chosen.small else 7 if programs.backend == "gpu" else 5
    orders = (0, 2) if chosen.small else (0, 1, 2, 3, 4)
    thetas = THETAS[:3] if chosen.small else THETAS

    def largest(**how):
        cases = programs.cases("maclaurin", 1, level=level, acceleration=False, analytic=True, warmup=0, repeat=1, uniform_mesh="tree",
                               **how)
        return {(case["theta"], case["order"]): case["analytic_error"]["max"] for case in cases}, cases[0]["targets"]

    found, cells = largest(theta=thetas, order=orders)
    without, _ = largest(theta=thetas, order=orders[-1], no_self_potential=True)
    rows = [[theta, *(found[theta, order] for order in orders), without[theta, orders[-1]]] for theta in thetas]
    direct = None
    if float(cells) ** 2 <= MOST_PAIRS[programs.backend]:
        exact, bare = largest(theta=0)[0], largest(theta=0, no_self_potential=True)[0]
        direct = next(iter(exact.values()))
        rows.append([0, *([direct] * len(orders)), next(iter(bare.values()))])
    said("accuracy")
    return level, cells, orders, rows


def tophat(radius, level, small):
    return {"kind": "tophat", "radius": radius, "min_level": 2 if small else 4, "max_level": level}


def numbers_up_to(most):
    """1, 2, 4, ... and `most`."""
    return [*(2**k for k in range(10) if 2**k < most), most]


def ranks_to_a_gpu(programs, chosen, name):
    """Seconds on ranks 1, 2, ... of the CPU; or of ranks that share GPUs in both ways, and of the CPU beside. Cells are in host memory,
    as FLASH's are."""
    radius, level, _ = SPHERES[name]
    problem = tophat(radius, level - 2 if chosen.small else level, chosen.small)
    cores = bench.cores()

    def solve(ranks, backend, **how):
        threads = max(1, cores // ranks) if backend == "gpu" else 1
        return programs.described(problem, ranks=ranks, backend=backend, threads=threads, memory="host", **how)[0]

    counts = [1, 2] if chosen.small else [2**k for k in range(10) if 2**k <= cores]
    how = {}
    if programs.backend == "gpu":  # CPUs are beside it: one solve each
        counts, how = sorted({1, cores}), {"warmup": 0, "repeat": 1}
    on_cpu = {ranks: solve(ranks, "cpu", **how) for ranks in counts}
    rows = [["CPU", ranks, case["targets"], case["solve_s"], None, on_cpu[1]["solve_s"] / case["solve_s"], None]
            for ranks, case in on_cpu.items()]
    best = min(case["solve_s"] for case in on_cpu.values())
    for gpus in numbers_up_to(chosen.gpus) if programs.backend == "gpu" else ():
        for each in RANKS_TO_A_GPU:
            ranks = gpus * each
            if ranks > cores:
                continue
            share, gather = (solve(ranks, "gpu", gpus=gpus, sharing=how) for how in ("share", "gather"))
            fastest = min(share["solve_s"], gather["solve_s"])
            rows.append([f"{gpus} GPU", ranks, share["targets"], share["solve_s"], gather["solve_s"], on_cpu[1]["solve_s"] / fastest,
                         best / fastest])
    said(name)
    return rows


def ranks_of(programs, chosen):
    """Ranks, or GPUs with a rank each."""
    return [*range(1, chosen.gpus + 1)] if programs.backend == "gpu" else [2**k for k in range(10) if 2**k <= bench.cores()]


def weak(programs, chosen):
    """The sphere grows so that its surface, and the cells there, grow with the ranks. Smaller levels have the paper's radii too."""
    rows, shares, first = [], [], None
    level = 8 if programs.backend == "gpu" else 5 if chosen.small else 7
    for ranks in ranks_of(programs, chosen):
        radius = (WEAK[ranks][0] if ranks in WEAK else WEAK[1][0] * math.sqrt(ranks)) / BOX
        case = programs.described(tophat(radius, level, True), ranks=ranks, threads=1)[0]
        speed = case["targets"] / (ranks * case["solve_s"])
        first = first or speed
        rows.append([ranks, radius, case["targets"], case["solve_s"], speed / first, WEAK.get(ranks, (None, None))[1],
                     WEAK_EFFICIENCY.get(ranks)])
        groups = of.grouped({"figures": case})
        whole = sum(groups.values())
        shares.append([ranks, *(groups[name] / whole for name in of.STAGES)])
    said("weak series")
    return level, rows, shares


def strong(programs, chosen):
    if chosen.checkpoint:
        problem = {"kind": "flash_file", "path": str(chosen.checkpoint.resolve())}
    else:
        cores, level = (2, 6) if chosen.small else (26, 15) if programs.backend == "gpu" else (8, 9)
        problem = {"kind": "collapse_mesh", "cores": cores, "max_level": level}
    rows, first, parts, on_cpu = [], None, [], None
    if programs.backend == "gpu":
        on_cpu = programs.described(problem, ranks=bench.cores(), threads=1, backend="cpu", memory="host", warmup=0, repeat=1)[0]["solve_s"]
    for ranks in ranks_of(programs, chosen):
        case = programs.described(problem, ranks=ranks, threads=1)[0]
        groups = of.grouped({"figures": case})
        first = first or (case["solve_s"], groups)
        rows.append([ranks, case["targets"], case["solve_s"], first[0] / (ranks * case["solve_s"]), case["targets"] / case["solve_s"],
                     on_cpu / case["solve_s"] if on_cpu else None])
        whole = sum(first[1].values())  # what one rank hardly does has no efficiency
        parts.append([ranks, *(first[1][name] / (ranks * groups[name]) if first[1][name] > 0.01 * whole else None for name in of.STAGES)])
    said("strong series")
    return problem, rows, parts


def steps_of(programs, chosen, backend, *how):
    """Steps of a rotating core's collapse, by examples/core_collapse: number, free-fall times, cells, gravity's share, seconds."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "core.csv"
        done = subprocess.run([chosen.core_collapse, "core", *how, f"csv={table}", f"gravlet.backend={backend}"],
                              capture_output=True, text=True, check=False, env=bench.environment(programs.threads))
        if not table.exists():
            raise bench.Failed(f"{chosen.core_collapse.name}, exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        with open(table, encoding="utf-8", newline="") as file:
            return [[int(line["step"]), float(line["time"]), int(line["cells"]), float(line["gravity"]), float(line["seconds"])]
                    for line in csv.DictReader(file)]


def collapse(programs, chosen):
    """All steps on the backend; on GPUs also seconds of the first ones, whole and gravity's, on it and on the CPU."""
    if not chosen.core_collapse.exists():
        print(f"no {chosen.core_collapse}: gravity's share of a step is left out", file=sys.stderr)
        return [], []
    finest = f"finest={3 if chosen.small else 6 if programs.backend == 'gpu' else 4}"
    found = steps_of(programs, chosen, programs.backend, finest, "steps=12" if chosen.small else "end=1.3")
    rows = []
    if programs.backend == "gpu":
        both = [found, steps_of(programs, chosen, "cpu", finest, f"steps={COMPARED_STEPS}")]
        count = min(map(len, both))
        for what, part in (("steps", lambda step: step[4]), ("gravity", lambda step: step[3] * step[4])):
            gpu, cpu = (sum(map(part, steps[:count])) for steps in both)
            rows.append([f"{what}, the first {count}", gpu, cpu, cpu / gpu])
    said("collapse")
    return found, rows


def periodic(programs, chosen):
    """Seconds with all directions periodic over those with none."""
    rows = []
    problems = {"tophat": tophat(0.3, 4 if chosen.small else 6, chosen.small)}
    problems["collapse_mesh"] = {"kind": "collapse_mesh", "cores": 2 if chosen.small else 8, "max_level": 5 if chosen.small else 8}
    for name, problem in problems.items():
        alone, images = programs.described(problem, boundary=("isolated", "periodic"), uniform_mesh="tree")
        rows.append([name, alone["targets"], alone["solve_s"], images["solve_s"], images["solve_s"] / alone["solve_s"]])
    said("periodic")
    return rows


def run(programs, report, chosen):
    for part in chosen.only:
        PARTS[part](programs, report, chosen)
    return panels(report.tables)


def report_accuracy(programs, report, chosen):
    level, cells, orders, errors = accuracy(programs, chosen)
    report.table(f"MacLaurin {level}, {cells:,} cells: largest error of the potential (paper: figure 9, level 7; its direct sum "
                 f"{DIRECT_ERROR}, all below 1e-2, near theta 0.2 the direct sum's)",
                 ["theta", *(f"order {order}" for order in orders), f"order {orders[-1]}, without a cell's own potential"], errors)


def report_sharing(programs, report, chosen):
    for name in list(SPHERES)[:1] if chosen.small or programs.backend == "cpu" else SPHERES:
        report.table(f"{name}: seconds on ranks that share GPUs, and on the CPU (paper: figures 12, 13, 28: on 24 cores, over CPU-BH on "
                     f"these, 5 with 2 GPUs to 45 with 24; {SPHERES[name][2]:.0e} cells)",
                     ["on", "ranks", "cells", "s (GPUs: by turns)", "gathered", "speed over one rank of the CPU", "over all cores"],
                     ranks_to_a_gpu(programs, chosen, name))


def report_weak(programs, report, chosen):
    level, grown, shares = weak(programs, chosen)
    report.table(f"A sphere that grows with the ranks, level {level} (paper: table 3 and figure 15, level 8)",
                 ["ranks", "radius", "cells", "s", "cells a second and rank over one's", "paper, cells", "paper, efficiency"], grown)
    report.table("Its stages' shares of a solve, mean rank (paper: figures 16, 17: essential nodes 10% on 16 GPUs, 15% on 28)",
                 ["ranks", *of.STAGES], shares)


def report_strong(programs, report, chosen):
    problem, rows, parts = strong(programs, chosen)
    report.table(f"{problem['kind']}: a strong series (paper: figures 25, 27: efficiency {STRONG_EFFICIENCY[24]:.0%} on 24 GPUs, "
                 f"{THROUGHPUT[4]:.1e} cells a second on 4, {THROUGHPUT[24]:.1e} on 24; 26: on 4 GPUs with 24 cores 19 times as "
                 "fast as CPU-BH on these, on 24 with 144 13 times)",
                 ["ranks", "cells", "s", "efficiency", "cells a second", "speed over all cores"], rows)
    report.table("Its stages' efficiencies (paper: figure 24)", ["ranks", *of.STAGES], parts)


def report_collapse(programs, report, chosen):
    steps, compared = collapse(programs, chosen)
    if steps:
        report.table("Gravity's share of a step, a rotating core (paper: figures 14, 19, 20: a turbulent cloud, 27% growing to 36%)",
                     ["step", "free-fall times", "cells", "gravity's share"], [step[:4] for step in steps[::max(1, len(steps) // 8)]])
        report.table("The paper's shares (figures 14, 19)", ["what", "gravity's share"], [list(row) for row in SHARES.items()])
    if compared:
        report.table("Its seconds on a GPU and on all cores (paper: figure 29: steps 10.5 times as fast as with CPU-BH on 24 GPUs and 24 "
                     "cores, 3.0 times as fast as with multigrid)", ["what", "GPU", "CPU", "times"], compared)


def report_periodic(programs, report, chosen):
    report.table("Seconds with periodic boundaries beside isolated ones (the paper has no figure of it)",
                 ["what", "cells", "isolated", "periodic", "times"], periodic(programs, chosen))


PARTS = {"accuracy": report_accuracy, "sharing": report_sharing, "weak": report_weak, "strong": report_strong,
         "collapse": report_collapse, "periodic": report_periodic}


def panels(tables):
    """The study's panels, of the tables that there are."""

    def rows_of(begin):
        return next((table["rows"] for table in tables if begin in table["title"][:len(begin) + 20]), [])

    drawn = []
    if errors := rows_of("MacLaurin"):
        orders = next(table["columns"] for table in tables if table["rows"] is errors)
        drawn.append(panel("theta", "largest error of the potential", [
            *(lines(errors, 0, k, orders[k]) for k in range(1, len(orders) - 1)),
            lines(errors, 0, len(orders) - 1, "without own potential", style="s--"),
            lines([[0, DIRECT_ERROR], [1, DIRECT_ERROR]], 0, 1, "paper, direct sum", style=":", color="k")], ("linear", "log")))
    for name in SPHERES:
        if rows := rows_of(name):
            places = dict.fromkeys(row[0] for row in rows)
            ways = [lines([row for row in rows if row[0] == place], 1, 3, place) for place in places]
            ways += [lines([row for row in rows if row[0] == place], 1, 4, f"{place}, gathered", style="s--")
                     for place in places if any(row[0] == place and row[4] is not None for row in rows)]
            drawn.append(panel("ranks", f"seconds a solve, {name}", ways))
    if rows := rows_of("A sphere that grows"):
        drawn.append(panel("ranks (paper: GPUs)", "weak efficiency", [
            lines(rows, 0, 4, "gravlet"), lines([[1, 1.0], *WEAK_EFFICIENCY.items()], 0, 1, "paper", style="s--")],
            ("linear", "linear")))
    if rows := rows_of("a strong series"):
        drawn.append(panel("ranks (paper: GPUs)", "cells a second", [
            lines(rows, 0, 4, "gravlet"), lines([*THROUGHPUT.items()], 0, 1, "paper, GPU-BH", style="s--"),
            lines([[4, 1.0e4], [24, 6.6e4]], 0, 1, "paper, CPU-BH", style="^--"),
            lines([[4, 4.7e4], [24, 1.7e5]], 0, 1, "paper, multigrid", style="d--")]))
    if rows := rows_of("Gravity's share of a step"):
        drawn.append(panel("step", "gravity's share of a step", [
            lines(rows, 0, 3, "gravlet, a rotating core"),
            lines([[rows[0][0], 0.27], [rows[-1][0], 0.36]], 0, 1, "paper, first to last of a turbulent cloud", style="s--")],
            ("linear", "linear")))
    return drawn
