# SPDX-License-Identifier: Apache-2.0
"""Step 1 of the guide (docs/guide/first_solve.md): eight points at the corners of a cube, solved by one process. Ends with 1 if
the potential or the acceleration is not what eight masses at such distances make."""

import sys

import gravlet
import numpy as np
from mpi4py import MPI

positions = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
mass = np.ones(8)

with gravlet.Solver(MPI.COMM_SELF) as solver:  # without mpi4py: gravlet.Solver()
    result = solver.points(positions, mass, want=("potential", "acceleration"))

# Of each corner three others are at distance 1, three at sqrt(2), one at sqrt(3).
exact = -3 - 3 / 2**0.5 - 1 / 3**0.5
pull = 1 + 2 / 2**1.5 + 1 / 3**1.5
error = max(abs(result.potential[0] / exact - 1), abs(result.acceleration[0, 0] / pull - 1))
print(f"potential {result.potential[0]:.5f}, acceleration {result.acceleration[0]}, relative error {error:.1e}")
sys.exit(0 if error < 1e-5 else 1)
