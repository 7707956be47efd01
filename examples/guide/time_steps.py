# SPDX-License-Identifier: Apache-2.0
"""Time steps of a host (docs/guide/time.md): a solve for all points, one for those alone whose steps end now, and a restart from
a checkpoint. Ends with 1 if a point that is not active is written, or if the restarted solver has other bits."""

import sys

import gravlet
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
everyone = 2000
i = np.arange(everyone * world.rank // world.size, everyone * (world.rank + 1) // world.size)
x, y, z = (i + 0.5) / everyone, i * 0.7548776662466927 % 1, i * 0.5698402909980532 % 1
mass = np.full(len(i), 1 / everyone)

solver = gravlet.Solver(world, tolerance=1e-4)
result = solver.points(x, y, z, mass)

# Every tenth point's step ends now; nothing has moved since the last solve.
active = np.arange(len(i)) % 10 == 0
result.potential[1] = -1
solver.only_changed()
solver.points(x, y, z, mass, active=active, out=result)
wrong = result.potential[1] != -1 or solver.report["targets"] > everyone / 10 + world.size

# What the tolerance has learned goes into a checkpoint, and into the solver of the run that goes on from it.
learned = solver.get_steering()
other = gravlet.Solver(world, tolerance=1e-4)
other.set_steering(learned)
restarted = other.points(x, y, z, mass)
solver.points(x, y, z, mass, out=result)
wrong = wrong or np.any(restarted.potential != result.potential)

wrong = world.allreduce(bool(wrong), MPI.LOR)
if world.rank == 0:
    print("wrong" if wrong else "few targets, and the same bits after a restart")
sys.exit(1 if wrong else 0)
