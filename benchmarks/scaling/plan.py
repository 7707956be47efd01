# SPDX-License-Identifier: Apache-2.0
"""Which runs a series has: for a number of ranks, what gravlet_bench is asked for."""

import dataclasses

SERIES = ("weak", "strong")
DEVICES = ("cpu", "gpu")
PROBLEMS = {"plummer": "Plummer sphere, points", "cube": "uniform cube, points", "grid": "uniform mesh",
            "maclaurin": "MacLaurin, AMR mesh"}


@dataclasses.dataclass
class Sizes:
    weak_n: float    # bodies a rank
    strong_n: float  # bodies in all
    level: int       # of the MacLaurin mesh


# For solves of seconds on one core (of a GPU: some hundred milliseconds), and for a study of two or three minutes.
SIZES = {"cpu": Sizes(1e6, 4e6, 7), "gpu": Sizes(16e6, 64e6, 7)}
QUICK_SIZES = {"cpu": Sizes(2e5, 1.6e6, 6), "gpu": Sizes(4e6, 16e6, 7)}


def missing(series, problem):
    """Why there is no such series; empty if there is one."""
    if (series, problem) == ("weak", "maclaurin"):
        return "the size of the MacLaurin mesh is that of a level, not of a number of ranks"
    return ""


def problem_arguments(series, problem, ranks, sizes):
    bodies = sizes.weak_n * ranks if series == "weak" else sizes.strong_n
    if problem == "maclaurin":
        return ["--problem", problem, "--level", str(sizes.level)]
    if problem == "grid":
        return ["--problem", problem, "--grid", str(8 * max(1, round(bodies ** (1 / 3) / 8)))]
    n = ["--n", f"{sizes.weak_n:.0f}", "--per-rank"] if series == "weak" else ["--n", f"{sizes.strong_n:.0f}"]
    return ["--problem", problem, *n, "--acceleration"]


def arguments(series, problem, ranks, device, sizes, given):
    """All but the threads and the file. `given`, further arguments from the command line, go before ours of the same name."""
    where = {"cpu": ["--backend", "cpu", "--memory", "host"], "gpu": ["--backend", "gpu", "--memory", "device"]}[device]
    # One rank would sum a mesh of one level without a tree, and more ranks with one.
    ours = {"--warmup": "1", "--repeat": "3", "--samples": "0", "--uniform-mesh": "tree"}
    names = {word.split("=")[0] for word in given}
    rest = [word for name, value in ours.items() if name not in names for word in (name, value)]
    return [*problem_arguments(series, problem, ranks, sizes), *where, *rest, *given]
