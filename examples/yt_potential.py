#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The potential of a yt data set, at every leaf cell, beside direct sums at some of them. Ends with 1 if they differ too much.

    python3 yt_potential.py [data set]      # none: two levels of grids in memory
"""

import sys

import numpy as np
import yt

import gravlet


def two_clouds():
    """32^3 cells, and 32^3 of half the size in the middle."""

    def density(lower, upper):
        x, y, z = (np.linspace(lower, upper, 32, endpoint=False) + (upper - lower) / 64 for _ in range(3))
        x, y, z = np.meshgrid(x, y, z, indexing="ij")
        return (np.exp(-((x - 0.5) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2) / 0.01)
                + 0.3 * np.exp(-((x - 0.6) ** 2 + (y - 0.35) ** 2 + (z - 0.5) ** 2) / 0.002))

    grids = [{"left_edge": 3 * [lower], "right_edge": 3 * [upper], "level": level, "dimensions": 3 * [32],
              ("gas", "density"): density(lower, upper)} for level, (lower, upper) in enumerate([(0.0, 1.0), (0.25, 0.75)])]
    return yt.load_amr_grids(grids, 3 * [32], length_unit="pc", mass_unit="Msun", time_unit="Myr")


yt.set_log_level("error")
ds = yt.load(sys.argv[1]) if len(sys.argv) > 1 else two_clouds()
leaves = ds.all_data()
x, y, z, dx = (leaves["index", axis].to("pc").d for axis in ("x", "y", "z", "dx"))
mass = leaves["gas", "cell_mass"].to("Msun").d
G = yt.units.physical_constants.G.to("pc**3/(Msun*Myr**2)").d

solver = gravlet.Solver(G=float(G))
phi = solver.cells(x, y, z, dx, mass).potential
print(f"{len(x)} leaf cells in {solver.report['seconds']:.3f} s: potential {phi.min():.4g} to {phi.max():.4g} pc^2/Myr^2")

sample = np.random.default_rng(1).choice(len(x), 200, replace=False)
own = -2.3800773 * G * mass[sample] / dx[sample]  # at the centre of a homogeneous cube
exact = np.empty(200)
for k, i in enumerate(sample):
    r = np.sqrt((x - x[i]) ** 2 + (y - y[i]) ** 2 + (z - z[i]) ** 2)
    r[i] = np.inf
    exact[k] = own[k] - G * (mass / r).sum()
error = np.abs(phi[sample] / exact - 1).max()
print(f"largest error at 200 of them: {error:.1e}")
sys.exit(0 if error < 1e-4 else 1)
