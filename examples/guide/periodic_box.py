# SPDX-License-Identifier: Apache-2.0
"""A box that repeats in all directions (docs/guide/boundaries.md), with one mass in it: a lattice, whose potential at the mass is
known, and which pulls nowhere. Ends with 1 if either is wrong."""

import sys

import gravlet
import numpy as np
from mpi4py import MPI

box = ((0, 0, 0), (1, 1, 1))
with gravlet.Solver(MPI.COMM_SELF, boundary="periodic", domain=box) as solver:
    result = solver.points(np.array([[0.3, 0.4, 0.6]]), 1.0, want=("potential", "acceleration"))

error = abs(result.potential[0] - 2.8372975)  # Ewald's sum: of all images, and the mean density taken off
pull = np.linalg.norm(result.acceleration)
print(f"potential {result.potential[0]:.7f}, pull {pull:.1e}")
sys.exit(0 if error < 1e-7 and pull < 1e-8 else 1)
