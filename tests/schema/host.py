# SPDX-License-Identifier: Apache-2.0
"""What Python makes of the schema, as lines that test_schema.py compares with those of the other languages (host.c). On the standard
input, JSON: options to set, each by itself, with what it needs."""

import json
import sys

import numpy as np

import gravlet


def print_report(solve, report):
    def line(path, value):
        if isinstance(value, dict):
            for name, inner in value.items():
                line(f"{path}.{name}", inner)
        elif isinstance(value, (list, tuple)):
            for i, inner in enumerate(value):
                line(f"{path}[{i}]", inner)
        else:
            said = "absent" if value is None else int(value) if isinstance(value, bool) else repr(value) if isinstance(value, float) else value
            print(f"report {path} {said}")

    report = dict(report)
    for name in report["stages"]:
        print(f"stage {solve} {name}")
    for name in ("stages", "warnings"):
        report[name] = len(report[name])
    line(solve, report)


def print_results(solve, fields):
    components = [fields.potential, *fields.acceleration, *fields.tidal]
    for k, values in enumerate(components):
        print(f"result {solve}.{k} {float(values[5])!r}")


for number, name in enumerate(gravlet._schema.ERRORS):
    print(f"code {name} {number + 1}")
for name, value in gravlet.Solver().options.items():
    print(f"default {name} {value}")
for name, (value, needs) in json.load(sys.stdin).items():
    print(f"option {name} {gravlet.Solver(**{**needs, name: value}).options[name]}")

every = ("potential", "acceleration", "tidal")
i = np.arange(1500)
x, y, z = ((i + 1) * c - np.floor((i + 1) * c) for c in (0.7548776662466927, 0.5698402909980532, 0.8191725133961645))
solver = gravlet.Solver(backend="cpu", threads=1, tolerance=1e-3, error_samples=1200, criterion="acceleration")
print_results("points", solver.points(x, y, z, 1.0 + i % 7, want=every))
print_report("points", solver.report)

i = np.arange(64)
x, y, z = 0.125 + 0.25 * (i % 4), 0.125 + 0.25 * (i // 4 % 4), 0.125 + 0.25 * (i // 16)
solver = gravlet.Solver(backend="cpu", threads=1, near_cells="cuboid", boundary="periodic", domain=((0, 0, 0), (1, 1, 1)))
print_results("cells", solver.cells(x, y, z, np.full(64, 0.25), 1.0 + i % 5, want=every))
print_report("cells", solver.report)
