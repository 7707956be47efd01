# SPDX-License-Identifier: Apache-2.0
"""Step 3 of the guide (docs/guide/first_solve.md): each rank brings its share of 3000 points. One mass is wrong at first, which
all ranks hear of; then the report of a solve is read. Ends with 1 if the wrong mass is not refused, or the report is not as it
has to be."""

import sys

import gravlet
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
everyone = 3000
i = np.arange(everyone * world.rank // world.size, everyone * (world.rank + 1) // world.size)
x, y, z = (i + 0.5) / everyone, i * 0.7548776662466927 % 1, i * 0.5698402909980532 % 1  # spread evenly over the unit cube
mass = np.full(len(i), 1 / everyone)

# error_samples: compare so many targets with the direct sum, after each solve
solver = gravlet.Solver(world, softening=0.01, error_samples=200)
refused = False
if world.rank == world.size - 1:
    mass[0] = np.nan
try:
    solver.points(x, y, z, mass, want=("potential", "acceleration"))
except gravlet.Error as error:  # on every rank, with the same message
    refused = error.code == "invalid_input"
    if world.rank == 0:
        print("refused:", error)
mass[0] = 1 / everyone
result = solver.points(x, y, z, mass, want=("potential", "acceleration"))  # the solver is as good as before

report = solver.report
if world.rank == 0:
    print(f"{report['targets']} targets on {report['ranks']} ranks took {report['seconds']:.2g} s on {report['backend']}")
    print(f"99 in 100 accelerations err by less than {report['acceleration_error']['p99']:.2g}")
    for warning in report["warnings"]:
        print("warning:", warning)
solver.close()
right = refused and report["targets"] == everyone and report["acceleration_error"]["p99"] < 6e-5
sys.exit(0 if right else 1)
