# SPDX-License-Identifier: Apache-2.0
"""Which runs a series has: for a number of ranks, what gravlet_bench is asked for.

Meshes of weak series keep their levels: what is refined grows with the ranks, a surface by its radius, a cloud by its volume and the
number of its cores. Cells are in proportion to ranks but for a third or so, which efficiencies, of cells a second, do not have in them.
"""

import dataclasses
import math
import pathlib
import re

SERIES = ("weak", "strong")
DEVICES = ("cpu", "gpu")
PROBLEMS = {"plummer": "Plummer sphere, points", "cube": "uniform cube, points", "grid": "uniform mesh",
            "maclaurin": "MacLaurin, AMR mesh", "tophat": "tophat sphere, AMR mesh", "collapse": "cores of a cloud, AMR mesh"}
USUAL = ("plummer", "cube", "grid", "maclaurin")
DESCRIBED = pathlib.Path(__file__).resolve().parent / "meshes"  # what gravlet_bench reads of meshes
MESHES = ("maclaurin", "tophat", "collapse")
CELLS = {"maclaurin": 8000, "tophat": 12000}  # of a mesh of level L and radius r, over (r 2^L)^2
CORE = 25000                                  # cells of a core and level beyond the fourth
CLOUD = 0.125                                 # radius of one rank's cloud
WIDEST = 0.5                                  # that the box has room for


@dataclasses.dataclass
class Sizes:
    weak_n: float    # bodies a rank
    strong_n: float  # bodies in all
    level: int       # of the meshes


# For solves of seconds on one core (of a GPU: some hundred milliseconds), and for a study of two or three minutes.
SIZES = {"cpu": Sizes(1e6, 4e6, 7), "gpu": Sizes(16e6, 64e6, 7)}
QUICK_SIZES = {"cpu": Sizes(2e5, 1.6e6, 6), "gpu": Sizes(4e6, 16e6, 7)}


def name_of(description):
    """What the series of a described problem are called."""
    return re.sub(r"[^a-z0-9_]+", "_", description.stem.lower())


def title(problem):
    return PROBLEMS.get(problem, problem)


def size_of(series, problem, sizes):
    """What a file of runs says of their size."""
    if problem in MESHES:
        return f"level {sizes.level}" if series == "strong" else f"level {sizes.level}, {sizes.weak_n:g} a rank"
    if problem not in PROBLEMS:
        return "as described"
    return sizes.weak_n if series == "weak" else sizes.strong_n


def missing(series, problem, ranks, sizes):
    """Why there is no such run; empty if there is one."""
    if series == "weak" and problem in MESHES and radius_of(problem, ranks, sizes) > WIDEST:
        return f"level {sizes.level} has room for {sizes.weak_n:g} cells a rank of fewer ranks"
    return ""


def radius_of(problem, ranks, sizes):
    if problem == "collapse":
        return CLOUD * ranks ** (1 / 3)
    return math.sqrt(sizes.weak_n * ranks / CELLS[problem]) / 2**sizes.level


def mesh_arguments(series, problem, ranks, sizes):
    values = [f"problem.max_level={sizes.level}"]
    if series == "weak":
        values.append(f"problem.{'a1' if problem == 'maclaurin' else 'radius'}={radius_of(problem, ranks, sizes):.4f}")
    if series == "weak" and problem == "collapse":
        each = round(sizes.weak_n / (CORE * max(1, sizes.level - 4)))
        values.append(f"problem.cores={max(1, each) * ranks}")
    return ["--config", str(DESCRIBED / f"{problem}.yaml"), *(word for value in values for word in ("--set", value))]


def problem_arguments(series, problem, ranks, sizes, description):
    bodies = sizes.weak_n * ranks if series == "weak" else sizes.strong_n
    if problem not in PROBLEMS:
        return ["--config", str(description)]
    if problem in MESHES:
        return mesh_arguments(series, problem, ranks, sizes)
    if problem == "grid":
        return ["--problem", problem, "--grid", str(8 * max(1, round(bodies ** (1 / 3) / 8)))]
    n = ["--n", f"{sizes.weak_n:.0f}", "--per-rank"] if series == "weak" else ["--n", f"{sizes.strong_n:.0f}"]
    return ["--problem", problem, *n, "--acceleration"]


def arguments(series, problem, ranks, device, sizes, given, description=None):
    """All but the threads and the file. `given`, further arguments from the command line, go before ours of the same name;
    `description`: the file of a described problem."""
    where = {"cpu": ["--backend", "cpu", "--memory", "host"], "gpu": ["--backend", "gpu", "--memory", "device"]}[device]
    # One rank would sum a mesh of one level without a tree, and more ranks with one.
    ours = {"--warmup": "1", "--repeat": "3", "--samples": "0", "--uniform-mesh": "tree"}
    names = {word.split("=")[0] for word in given}
    rest = [word for name, value in ours.items() if name not in names for word in (name, value)]
    return [*problem_arguments(series, problem, ranks, sizes, description), *where, *rest, *given]
