#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""core_collapse.py SLICES CSV PICTURE STEP...: draws docs/core_collapse.png from a run of examples/core_collapse.

`core_collapse core finest=6 every=10 slices=SLICES csv=CSV` wrote SLICES10.csv and so on. Density and blocks in the middle plane at
those steps, sinks as dots; below them density, levels, sinks' mass and gravity's share over time.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

DENSITY = 1.0 / (4.0 / 3.0 * np.pi * 0.25**3)  # the sphere's first one


def read_slice(path):
    head = [line.split() for line in path.read_text().splitlines() if line.startswith("#")]
    sinks = np.array([row[2:] for row in head if row[1] == "sink"], float).reshape(-1, 4)
    cells = np.loadtxt(path, delimiter=",", skiprows=len(head) + 1)
    return float(head[0][2]), sinks, cells.T


def draw_slice(axes, path, half):
    time, sinks, (x, y, h, density) = read_slice(path)
    seen = (abs(x - 0.5) < half + h) & (abs(y - 0.5) < half + h)
    x, y, h, density = x[seen], y[seen], h[seen], density[seen]
    cells = PatchCollection([Rectangle((a - 0.5 * s, b - 0.5 * s), s, s) for a, b, s in zip(x, y, h)], cmap="inferno", lw=0)
    cells.set_array(np.log10(density / DENSITY))
    cells.set_clim(-2, 3.5)
    axes.add_collection(cells)
    for i, j, side in set(zip(np.floor(x / (8 * h)), np.floor(y / (8 * h)), 8 * h)):
        axes.add_patch(Rectangle((i * side, j * side), side, side, fill=False, ec="white", lw=0.25, alpha=0.5))
    axes.scatter(sinks[:, 0], sinks[:, 1], s=14, color="cyan", ec="black", lw=0.6, zorder=3)
    axes.set(xlim=(0.5 - half, 0.5 + half), ylim=(0.5 - half, 0.5 + half), aspect="equal", xticks=[], yticks=[])
    axes.set_title(f"t = {time:.3f}, {2 * half:g} across, {len(sinks)} sink{'' if len(sinks) == 1 else 's'}", fontsize=9)
    return cells


def main():
    slices, csv, picture, steps = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    figure, panels = plt.subplots(2, 4, figsize=(13, 6.4), layout="constrained", height_ratios=(3, 2))
    for axes, step, half in zip(panels[0], steps, (0.3, 0.15, 0.075, 0.075)):
        cells = draw_slice(axes, pathlib.Path(f"{slices}{step}.csv"), half)
    figure.colorbar(cells, ax=panels[0], label="lg of density / the first", shrink=0.9)
    run = np.genfromtxt(csv, delimiter=",", names=True)
    for axes, (values, label) in zip(
        panels[1],
        (
            (run["density"] / DENSITY, "largest density / the first"),
            (run["cells"] / 1e3, "thousand cells"),
            (run["sink_mass"], "mass of all sinks"),
            (100 * run["gravity"], "gravity, % of a step"),
        ),
    ):
        axes.plot(run["time"], values, ".", ms=2)
        axes.set(xlabel="free-fall times", ylabel=label)
    panels[1][0].set_yscale("log")
    panels[1][3].set_ylim(0, 100)
    twin = panels[1][1].twinx()
    twin.plot(run["time"], run["level"], color="tab:orange")
    twin.set_ylabel("finest level", color="tab:orange")
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) < 8:
        sys.exit(__doc__)
    main()
