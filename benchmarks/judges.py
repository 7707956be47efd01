#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judges.py EXAMPLES PICTURE: runs two_spheres, binary, collapse and jeans_wave of that folder and draws docs/judges.md's picture."""

import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def output_of(*command):
    """What a program says; it ends with 1 where its own bounds, those of its defaults, are not kept."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False).stdout


def two_spheres(axes, program):
    thetas = [1.0, 0.8, 0.6, 0.5, 0.4, 0.3]
    for order, colour in ((2, "tab:orange"), (4, "tab:blue")):
        found = [re.search(r"force (\S+), net force (\S+), torque (\S+),", output_of(program, theta, order)).groups() for theta in thetas]
        force, net, torque = np.array(found, float).T
        axes.semilogy(thetas, net, "o-", color=colour, label=f"net force, order {order}")
        axes.semilogy(thetas, torque, "s--", color=colour, mfc="none", label=f"torque, order {order}")
    axes.set(title="Two spheres, 128 k cells", xlabel="theta", ylabel="over the force of one on the other")
    axes.legend(fontsize=7)


def binary(axes, program, csv):
    output_of(program, 8, 150, 6, csv)
    data = np.genfromtxt(csv, delimiter=",", names=True)
    axes.plot(data["time"], data["separation"], color="tab:blue", label="in the mesh")
    axes.plot(data["time"], data["alone"], ":", color="black", label="alone")
    for change in np.flatnonzero(np.diff(data["level"])):
        axes.axvline(data["time"][change], color="0.8", zorder=0)
    axes.set(title="A binary through refinement levels", xlabel="orbits", ylabel="separation / axis")
    axes.set_ylim(0.6, 1.5)
    axes.legend(fontsize=7, loc="upper right", ncol=2)


def collapse(axes, program, csv):
    for cells, style in ((32, "x"), (64, ".")):
        output_of(program, cells, 0.37, csv)
        data = np.loadtxt(csv, delimiter=",", skiprows=1)[1::3]
        for column, part in ((2, 25), (3, 50), (4, 75)):
            axes.plot(data[:, 0], data[:, column], style, ms=4, color=f"C{column - 2}", label=f"{part}%, {cells}$^3$")
    axes.plot(data[:, 0], data[:, 1], color="black", label="theory")
    axes.set(title="Collapse without pressure", xlabel="free-fall times", ylabel="radius / first radius")
    axes.legend(fontsize=7, ncol=2)


def jeans(axes, program, csv):
    output_of(program, 1, csv)
    data = np.genfromtxt(csv, delimiter=",", names=True)
    for strength, colour, label in ((0.5, "tab:blue", "shorter than Jeans' length"), (2.0, "tab:orange", "longer")):
        wave = data[data["strength"] == strength]
        axes.plot(wave["time"][::4], wave["amplitude"][::4], ".", color=colour, label=label)
        axes.plot(wave["time"], wave["theory"], color="black", lw=0.8)
    axes.set(title="Jeans' wave, 16 to 32 cells long", xlabel="sound crossing times", ylabel="amplitude / first amplitude")
    axes.set_yscale("symlog", linthresh=1.0)
    axes.legend(fontsize=7, loc="center right")


def main():
    folder, picture = pathlib.Path(sys.argv[1]), sys.argv[2]
    figure, panels = plt.subplots(1, 4, figsize=(15.5, 3.6), layout="constrained")
    with tempfile.TemporaryDirectory() as there:
        two_spheres(panels[0], folder / "two_spheres")
        binary(panels[1], folder / "binary", f"{there}/b.csv")
        collapse(panels[2], folder / "collapse", f"{there}/c.csv")
        jeans(panels[3], folder / "jeans_wave", f"{there}/j.csv")
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
