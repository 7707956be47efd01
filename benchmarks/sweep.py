#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed over sizes on one GPU: benchmarks/sweep.py GRAVLET_BENCH PICTURE.png [largest mesh] [most points].

Uniform meshes (potential, data on the device, mesh new and kept) and points (potential and acceleration), default options. Prints a
Markdown table with errors at a sample of targets, and draws targets a second beside AMReX's multigrid. 1024^3 cells take 85 GB.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "scaling"))
import style  # noqa: E402

MESHES = [16, 32, 64, 128, 256, 512, 1024]
POINTS = [1e3, 1e4, 1e5, 1e6, 4e6, 1.6e7, 6.4e7, 2.56e8]
SAMPLED = 6e7  # larger ones have no sample: the direct sum would have to hold all bodies on the host
# Cells a second of amrex::OpenBCSolver at 1e-6 on an H200, double precision, uniform meshes of so many cells.
MULTIGRID = {128**3: 36e6, 256**3: 108e6, 512**3: 185e6}


def run(bench, problem, size, bodies, *more):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "bench.json")
        subprocess.run([bench, "--problem", problem, *size, *more, "--json", out, "--warmup", "3" if bodies < 1e8 else "1",
                        "--repeat", "31" if bodies < 1e6 else "7" if bodies < 1e8 else "3", "--samples", "2000" if bodies < SAMPLED else "0"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as text:
            return json.load(text)["cases"][0]


def error_of(case, name):
    error = case.get(name)
    return f"{error['p99']:.1e} / {error['max']:.1e}" if error else ""


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    bench, picture = sys.argv[1:3]
    largest, most = (float(word) for word in (sys.argv[3:] + ["1024", "2.56e8"])[:2])
    curves = {}
    print("| bodies | | ms, new / kept | M/s | potential 99% / largest | acceleration | bytes a body |\n|" + "---|" * 7)
    works = [("grid", "uniform mesh", n**3, ["--grid", str(n)]) for n in MESHES if n <= largest]
    for problem, name in (("plummer", "Plummer sphere"), ("cube", "points in a cube")):
        works += [(problem, name, int(n), ["--n", f"{n:.0f}", "--acceleration"]) for n in POINTS if n <= most]
    for problem, name, bodies, size in works:
        case = run(bench, problem, size, bodies)
        seconds, kept = case["solve_s"], None
        curves.setdefault(problem, []).append((bodies, bodies / seconds))
        if problem == "grid":
            kept = run(bench, problem, size, bodies, "--keep-tree")["solve_s"]
            curves.setdefault("kept", []).append((bodies, bodies / kept))
        print(f"| {bodies:,} | {name} | {1e3 * seconds:.3g}{f' / {1e3 * kept:.3g}' if kept else ''} | {1e-6 * bodies / seconds:.3g} | "
              f"{error_of(case, 'potential_error')} | {error_of(case, 'acceleration_error')} | {case['peak_bytes'] / bodies:.0f} |", flush=True)
    draw(curves, picture)


def draw(curves, picture):
    style.apply()
    figure, axes, below = style.figure(1, 5.6, 3.4, 2)
    axis = axes[0][0]
    lines = {"grid": ("uniform mesh, potential", "grid", "-"), "kept": ("the same mesh again", "grid", "--"),
             "plummer": ("Plummer sphere, accelerations too", "plummer", "-"), "cube": ("points in a cube, accelerations too", "cube", "-")}
    for name, (label, like, dashes) in lines.items():
        if name in curves:
            axis.loglog(*zip(*curves[name]), dashes, color=style.COLOURS[like], marker=style.MARKERS[like], label=label)
    axis.loglog(*zip(*MULTIGRID.items()), ":", color=style.INK, marker="x", label="AMReX OpenBCSolver, uniform mesh")
    axis.set_xlabel("bodies")
    axis.set_ylabel("targets a second")
    below.legend(*axis.get_legend_handles_labels(), loc="center", ncols=2)
    figure.savefig(picture)


if __name__ == "__main__":
    main()
