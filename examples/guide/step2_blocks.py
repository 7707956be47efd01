# SPDX-License-Identifier: Apache-2.0
"""Step 2 of the guide (docs/guide/first_solve.md): a mesh of 15 blocks of 8^3 cells, in arrays with guard cells. Seven blocks are
octants of the unit cube, the eighth octant is refined into eight. Density is 1 everywhere. Ends with 1 if the potential beside
the cube's centre is wrong, in a cell or in a guard cell."""

import math
import sys

import gravlet
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
n, guards = 8, 2
interior = slice(guards, guards + n)

blocks = {}
for b in range(world.rank, 15, world.size):  # 0 to 6: octants; 7 to 14: octants of the last octant
    p, side, start = (b, 0.5, 0.0) if b < 7 else (b - 7, 0.25, 0.5)
    lower = [start + side * place for place in (p % 2, p // 2 % 2, p // 4)]
    density = np.ones((n + 2 * guards,) * 3)  # [k, j, i]
    potential = np.zeros_like(density)
    blocks[b] = gravlet.Block(lower, side / n, density[interior, interior, interior], potential, result_guards=(guards,) * 3)

with gravlet.Solver(world) as solver:
    solver.blocks(blocks.values())

# Near the centre the potential is -c + 2/3 pi r^2. Block 7 begins there.
error = 0.0
if 7 in blocks:
    c = 3 * math.log((math.sqrt(3) + 1) / (math.sqrt(3) - 1)) - math.pi / 2
    exact = -c + math.pi / 2 * blocks[7].cell_size[0]**2
    inside, guard = blocks[7].potential[guards, guards, guards], blocks[7].potential[guards - 1, guards - 1, guards - 1]
    error = max(abs(inside / exact - 1), abs(guard / exact - 1))
    print(f"potential beside the centre {inside:.5f}, in a guard cell {guard:.5f}, exact {exact:.5f}")
sys.exit(0 if world.allreduce(error, MPI.MAX) < 1e-3 else 1)
