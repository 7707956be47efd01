# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/performance.md and docs/accuracy.md: work x setting -> seconds, rates, bytes, errors, on one rank.

Seconds are those of a whole solve, the median of three after some that are not timed, of a mesh or points that count as new each
time. Where a tolerance is asked for more of them are not timed, as it learns. Errors are those of random targets against the
direct sum, in one more solve: of accelerations where they are wanted, else of potentials. What fails is a row that says why; the
rest goes on.
"""

import sys

import bench  # of benchmarks/scaling
from programs import pairs_per_target
from report import lines, panel

DEFAULTS = "defaults"
TOLERANCES = ("1e-3", "1e-4", "1e-5")
SETTINGS = {DEFAULTS: {}, **{f"tolerance {error}": {"tolerance": error, "warmup": 5} for error in TOLERANCES},
            "theta 0.5, order 4": {"theta": 0.5, "order": 4}}
FAST, FOURIER = "defaults: Fourier", "Fourier transforms"
EACH = ["setting", "cells, points", "took", "s", "targets a second", "pairs a second", "pairs a target", "bytes a target",
        "error, 99%", "largest", "times the defaults'"]
SETTING, TARGETS, TOOK, SECONDS, RATE, PAIRS_RATE, PAIRS, BYTES, P99, LARGEST, TIMES = range(len(EACH))


def works(small, gpu):
    """Names; what is solved: gravlet_bench's problem or a description, its keys, and the settings, each with its sizes. On CPUs the
    larger sizes are solved at the defaults alone."""
    collapse = {"cores": 2, "min_level": 2, "max_level": 4, "jeans_cells": 4} if small else \
        {"cores": 8, "max_level": 13} if gpu else {"cores": 8, "max_level": 7, "jeans_cells": 8}
    tophat = {"radius": 0.3, "min_level": 2, "max_level": 3} if small else \
        {"radius": 0.1, "max_level": 8} if gpu else {"radius": 0.1, "min_level": 3, "max_level": 5}

    def sizes(of, tiny, all_settings, defaults_alone=()):
        numbers = tiny if small else [*all_settings, *defaults_alone]
        return {of: numbers}, {of: numbers if small or gpu else all_settings}

    def each(first, others, settings):
        return {setting: (first if setting in (FAST, DEFAULTS) else others) | how for setting, how in settings.items()}

    settings = {name: how for name, how in SETTINGS.items() if not small or name not in ("tolerance 1e-3", "tolerance 1e-5")}

    grid = sizes("grid", [16], [256] if gpu else [64], () if gpu else [128])
    maclaurin = sizes("level", [3, 4], [5, 6], [7])
    plummer = sizes("n", [2000], [1_000_000] if gpu else [100_000], [8_000_000] if gpu else [1_000_000])
    pull = {"acceleration": True}
    # On CPUs a periodic direct sum, which a tolerance measures by, takes longer than all else here.
    periodic = {name: how for name, how in settings.items() if gpu or "tolerance" not in how}
    images = pull | {"boundary": "periodic", "samples": 500 if gpu and not small else 100}
    return {
        "Uniform mesh, potential": ("grid", {}, each(*grid, {FAST: {"uniform_mesh": "auto"}, **settings})),
        "MacLaurin mesh, potential": ("maclaurin", {}, each(*maclaurin, settings)),
        "Plummer points, acceleration": ("plummer", pull, each(*plummer, settings)),
        "collapse_mesh, acceleration": ({"kind": "collapse_mesh"} | collapse, pull, settings),
        "Periodic tophat mesh, acceleration": ({"kind": "tophat"} | tophat, images, periodic),
    }


def taken(case):
    """What acts as one, and at which order; words, as a tolerance chooses it."""
    adaptive = case["criterion"] not in ("opening", "auto") and case["alpha"] > 0
    criterion = f"{case['criterion']}, alpha {case['alpha']:.2g}" if adaptive else f"theta {case['theta']:.2g}"
    return f"{criterion}, order {case['order']}"


def row_of(setting, case):
    if "failure" in case:
        return [setting, None, f"failed: {case['failure']}", *[None] * (len(EACH) - 3)]
    error = case.get("acceleration_error") or case.get("potential_error") or {}
    pairs, seconds = pairs_per_target(case), case["solve_s"]
    rate = case["targets"] / seconds
    return [setting, case["targets"], taken(case) if pairs else FOURIER, seconds, rate, pairs * rate or None, pairs or None,
            case["peak_bytes_per_target"], error.get("p99"), error.get("max"), None]


def with_times(rows):
    """The last column: seconds over those of the defaults (of trees) for as many targets."""
    least = {row[TARGETS]: row[SECONDS] for row in rows if row[SETTING] == DEFAULTS}
    for row in rows:
        if row[SECONDS] is not None and least.get(row[TARGETS]):
            row[TIMES] = row[SECONDS] / least[row[TARGETS]]
    return sorted(rows, key=lambda row: row[TARGETS] or 0)  # settings keep their order


def measured(programs, problem, keys, settings, samples):
    """Rows of one work: each setting a process, so that one that ends itself takes no other with it."""
    rows = []
    for setting, how in settings.items():
        try:
            cases = programs.attempts(problem, **({"uniform_mesh": "tree", "acceleration": False, "samples": samples} | keys | how))
        except bench.Failed as error:
            cases = [{"failure": str(error)}]
        rows += [row_of(setting, case) for case in cases]
        print(f"{problem if isinstance(problem, str) else problem['kind']}, {setting}: done", file=sys.stderr, flush=True)
    return with_times(rows)


def picked(found, columns, settings=None):
    """Rows of all works, of these columns, after the work's name."""
    return [[name, *(row[column] for column in columns)] for name, rows in found.items() for row in rows
            if settings is None or row[SETTING] in settings]


def summary(report, found):
    fast = [TARGETS, SETTING, SECONDS, RATE, PAIRS_RATE, BYTES, P99, LARGEST]
    report.table("How long a solve takes, at the defaults", ["work", *(EACH[column] for column in fast)],
                 picked(found, fast, (FAST, DEFAULTS)))
    exact = [TARGETS, SETTING, TOOK, P99, LARGEST, PAIRS, SECONDS, TIMES]
    report.table("How exact it is, and what that costs", ["work", *(EACH[column] for column in exact)], picked(found, exact))


def run(programs, report, chosen):
    gpu = programs.backend == "gpu"
    found = {}
    for name, (problem, keys, settings) in works(chosen.small, gpu).items():
        found[name] = measured(programs, problem, keys, settings, 100 if chosen.small else 2000 if gpu else 500)
        report.table(name, EACH, found[name])
    summary(report, found)
    return panels(report.tables)


def panels(tables):
    """Targets a second over the error, of each work at its largest size that has more settings than the defaults."""
    found = {table["title"]: table["rows"] for table in tables if table["columns"] == EACH}
    largest = {name: max((row[TARGETS] for row in rows if row[TARGETS] and row[SETTING] not in (FAST, DEFAULTS)), default=None)
               for name, rows in found.items()}
    curves = {name: sorted((row for row in rows if row[TARGETS] == largest[name] and row[TOOK] != FOURIER),
                           key=lambda row: row[P99] or 0) for name, rows in found.items()}
    return [panel("error, 99 in 100 targets below", "targets a second", [
        lines(rows, P99, RATE, f"{name}, {largest[name]:,}") for name, rows in curves.items() if largest[name]])]
