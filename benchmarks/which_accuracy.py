#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""which_accuracy.py --out FOLDER: the table of docs/guide/accuracy.md, to FOLDER/which_accuracy.json, as scripts/study writes its
own; benchmarks/study/tables.py writes the page. Run it with the Python package: PYTHONPATH=BUILD/python.

Two kinds of work, one thread of a CPU: points of a Plummer sphere, and a dense blob on cells of two levels. Errors are those of
2000 random targets against the direct sum; costs are pairs a target, and seconds over those of the defaults, each the least of the
last solves of some, which are made in turn.
"""

import argparse
import datetime
import pathlib
import sys
import time

import gravlet
import numpy as np

sys.path += [str(pathlib.Path(__file__).resolve().parent / folder) for folder in ("scaling", "study")]
import bench  # noqa: E402  (what machine this is)
import markdown  # noqa: E402
import store  # noqa: E402

SETTINGS = ({}, {"tolerance": 1e-3}, {"tolerance": 1e-4}, {"tolerance": 1e-5}, {"theta": 0.8, "order": 2},
            {"theta": 0.8, "order": 4}, {"theta": 0.5, "order": 4})
SOLVES, LAST = 9, 6  # a tolerance learns in the first ones


def plummer(n=100_000):
    random = np.random.default_rng(1)
    radius = 1 / np.sqrt(random.uniform(0, 0.99, n)**(-2 / 3) - 1)
    direction = random.normal(size=(n, 3))
    return radius[:, None] * direction / np.linalg.norm(direction, axis=1)[:, None], np.full(n, 1 / n)


def blob(across=32):
    """The unit cube in so many cells a direction, its middle half refined once: centres, sides, masses."""
    centres, sides = [], []
    for low, high, side in ((0, 1, 1 / across), (0.25, 0.75, 0.5 / across)):
        line = np.arange(low + side / 2, high, side)
        places = np.stack(np.meshgrid(line, line, line, indexing="ij"), -1).reshape(-1, 3)
        if low == 0:
            places = places[~np.all(np.abs(places - 0.5) < 0.25, axis=1)]
        centres.append(places)
        sides.append(np.full(len(places), side))
    centres, sides = np.concatenate(centres), np.concatenate(sides)
    density = 1 + 100 * np.exp(-np.sum((centres - 0.5)**2, axis=1) / 0.02)
    return centres, sides, density * sides**3


def said(value):
    """0.8, 4, 1e-3."""
    return f"{value:.0e}".replace("e-0", "e-") if value < 0.01 else f"{value:g}"


def rows_of(name, work):
    """A row for each setting: what was asked for, what came, what it cost."""
    timed = [gravlet.Solver(threads=1, keep_tree=False, **setting) for setting in SETTINGS]
    seconds = [[] for _ in SETTINGS]
    for _ in range(SOLVES):
        for solver, times in zip(timed, seconds):
            work(solver)
            times.append(solver.report["seconds"])
    for setting, times in zip(SETTINGS, seconds):
        solver = gravlet.Solver(threads=1, keep_tree=False, error_samples=2000, **setting)
        for _ in range(SOLVES):
            work(solver)
        report = solver.report
        error = report["acceleration_error"] or report["potential_error"]
        pairs = (report["node_interactions"] + report["cell_interactions"]) / report["targets"]
        words = ", ".join(f"`{option}: {said(value)}`" for option, value in setting.items()) or "nothing"
        row = [name, words, error["p99"], error["max"], round(pairs), min(times[-LAST:]) / min(seconds[0][-LAST:])]
        print(markdown.line(row), flush=True)
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER", help="made if it is not there")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    points, cells = plummer(), blob()
    both = ("potential", "acceleration")
    works = {"points": lambda solver: solver.points(*points, want=both),
             "points, potential alone": lambda solver: solver.points(*points),
             "cells": lambda solver: solver.cells(*cells, want=both),
             "cells, potential alone": lambda solver: solver.cells(*cells)}
    began, date = time.monotonic(), datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    columns = ["work", "setting", "99 in 100 err by less than", "worst", "pairs", "time"]
    print("\n".join(markdown.head(columns)))
    rows = [row for name, work in works.items() for row in rows_of(name, work)]
    store.write(folder / "which_accuracy.json", {
        "study": "which_accuracy", "date": date, "commit": bench.commit(), "processor": bench.processor(), "threads": 1,
        "backend": "cpu", "device": "", "settings": {}, "command": "benchmarks/which_accuracy.py --out FOLDER", "seconds": time.monotonic() - began,
        "tables": [{"title": "Errors and costs by setting", "columns": columns, "rows": rows}]})


main()
