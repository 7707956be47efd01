#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The order of the folders, read from the includes: check.py ROOT [--print] [--pretend FILE INCLUDED]

A file may include files of its own folder and of folders on lower floors, never of its own floor or a higher one: so no folders
form a circle. No folder holds more than MOST files. Tests of one layer lie as their sources do. Headers of a device or of SIMD are included where they belong. The picture that --print writes is the one in CONTRIBUTING.md. --pretend adds
an include, to see the check fail.
"""

import pathlib
import re
import sys
from collections import defaultdict

MOST = 25
FLOORS = """
benchmarks
benchmarks/kdtree  benchmarks/synthetic  benchmarks/workload
tools/manual
tools
tools/evolve
tools/compare
tools/config  tools/present
tools/problems
tools/models
examples  examples/core_collapse  examples/guide
amr_adapter/snapshots
amr_adapter/amrex  amr_adapter/c  amr_adapter/files  amr_adapter/kokkos  amr_adapter/p4est  amr_adapter/python
api
gpu
gpu/stages
gpu/transfer gpu/walk
gpu/execution
cpu
cpu/simd
solver
solver/redistribute
solver/essential  solver/gather  solver/heavy  solver/targets
solver/tree
solver/order
solver/convolution  solver/errors  solver/near  solver/periodic  solver/precise
solver/arrays  solver/criterion  solver/direct
solver/data
solver/input
ewald
amr_adapter/blocks  hdf5  mpi
physics/cuboid  physics/precise
physics
include/gravlet
"""
MIRRORS = ("tests/unit/", "tests/mpi/")  # tests lie in them as their sources do
UNORDERED = ("amr_adapter/flash", "amr_adapter/fortran", "cmake", "tests")  # Fortran; in OpenMP's place; tests look at everything
# Outer headers by how their names begin, and the folders that may include them.
HELD = {
    "cuda": ("gpu", "amr_adapter/python", "benchmarks", "examples"),
    "thrust/": ("gpu", "cpu"),
    "cub/": ("gpu",),
    "hwy/": ("cpu", "benchmarks"),
    "fftw3": ("cpu",),
    "cufft": ("gpu",),
}
SOURCES = {".hpp", ".cpp", ".inl", ".cu", ".cuh", ".h"}
PICTURE = re.compile(r"(<!-- tests/layers/check\.py -->\n```\n).*?(```\n)", re.S)


def folders(root):
    """Of each folder with sources: its files."""
    out = defaultdict(list)
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        if path.suffix in SOURCES and not place.parts[0].startswith((".", "build", "third_party")):
            out[place.parent.as_posix()].append(place.as_posix())
    return out


def included(root, file, pretended):
    """The project's files and the outer headers, as two lists."""
    names = re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', (root / file).read_text(encoding="utf-8"), re.M) + pretended
    places = {name: place for name in names for place in (f"include/{name}", name) if (root / place).is_file()}
    return list(places.values()), [name for name in names if name not in places]


def is_in(room, folders):
    return any(room == folder or room.startswith(folder + "/") for folder in folders)


def picture(rooms, arrows, floor_of):
    lines, order = [], list(floor_of)
    for room, floor in floor_of.items():
        below = [other for other in order if other in arrows[room] and other != "include/gravlet"]
        lines.append(f"{floor:5}  {room:20} {len(rooms[room]):5}  {' '.join(below)}".rstrip())
    return "\n".join(["floor  folder               files  includes", *lines, ""])


def main():
    root, options = pathlib.Path(sys.argv[1]), sys.argv[2:]
    floors = FLOORS.strip().splitlines()
    floor_of = {room: len(floors) - floor for floor, rooms in enumerate(floors) for room in rooms.split()}
    rooms, arrows, wrong = folders(root), defaultdict(set), []
    for room, files in rooms.items():
        everything = sum(1 for path in (root / room).iterdir() if path.is_file())
        if everything > MOST:
            wrong.append(f"{room} holds {everything} files: more than {MOST}")
        if f"{room}/".startswith(MIRRORS) and room != "tests/mpi" and room.partition("/")[2].partition("/")[2] not in floor_of:
            wrong.append(f"{room} holds tests, and lies as no folder of sources does")
        if room.startswith(UNORDERED):
            continue
        if room not in floor_of:
            wrong.append(f"{room} has no floor in tests/layers/check.py")
            continue
        for file in files:
            pretended = [options[2]] if options[:2] == ["--pretend", file] else []
            own, outer = included(root, file, pretended)
            wrong += [
                f"{file} includes {name}, which is for {' and '.join(where)} alone"
                for name in outer
                for begin, where in HELD.items()
                if name.startswith(begin) and not is_in(room, where)
            ]
            for other in own:
                to = other.rpartition("/")[0]
                if to != room:
                    arrows[room].add(to)
                    if floor_of.get(to, len(floors)) >= floor_of[room]:
                        wrong.append(f"{file} includes {other}, which is not below it")
    drawn = picture(rooms, arrows, floor_of)
    guide = root / "CONTRIBUTING.md"
    text = guide.read_text(encoding="utf-8")
    redrawn = PICTURE.sub(lambda match: match[1] + drawn + match[2], text)
    if options == ["--print"]:
        guide.write_text(redrawn, encoding="utf-8")
    elif redrawn != text:
        wrong.append("the picture in CONTRIBUTING.md is not this one: check.py . --print")
    print(drawn)
    sys.exit("\n".join(wrong) if wrong else 0)


main()
