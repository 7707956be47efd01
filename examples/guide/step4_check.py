# SPDX-License-Identifier: Apache-2.0
"""Step 4 of the guide (docs/guide/first_solve.md): the points of step 3, solved by the tree and, with theta = 0, by the direct
sum. Prints the largest relative errors; ends with 1 if they are larger than such a tree's."""

import sys

import gravlet
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
everyone = 3000
i = np.arange(everyone * world.rank // world.size, everyone * (world.rank + 1) // world.size)
x, y, z = (i + 0.5) / everyone, i * 0.7548776662466927 % 1, i * 0.5698402909980532 % 1


def solve(**options):
    with gravlet.Solver(world, softening=0.01, **options) as solver:
        return solver.points(x, y, z, 1 / everyone, want=("potential", "acceleration"))


tree = solve()
direct = solve(theta=0)  # every body acts on every other one

of_potential = np.abs(tree.potential / direct.potential - 1)
of_acceleration = np.linalg.norm(tree.acceleration - direct.acceleration, axis=0) / np.linalg.norm(direct.acceleration, axis=0)
largest = [world.allreduce(errors.max(initial=0), MPI.MAX) for errors in (of_potential, of_acceleration)]
if world.rank == 0:
    print(f"largest relative error: potential {largest[0]:.2g}, acceleration {largest[1]:.2g}")
sys.exit(0 if largest[0] < 2e-6 and largest[1] < 3e-4 else 1)
