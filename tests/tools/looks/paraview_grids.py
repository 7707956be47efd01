#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""paraview_grids.py FILE.xmf FILE.h5: whether ParaView finds in blocks or points what h5py finds: how many, mass, the least
potential and its place. Exit code 77 where there is no pvpython (Debian: python3-paraview).

pvpython runs this file too, as --inside FILE.xmf: it has an HDF5 of its own, beside which h5py need not work."""
import json
import os
import shutil
import subprocess
import sys


def inside(path):
    from paraview import servermanager, simple
    from vtkmodules.util.numpy_support import vtk_to_numpy

    reader = simple.XDMFReader(FileNames=[path])
    data = servermanager.Fetch(reader)
    parts = [data]
    if data.IsA("vtkCompositeDataSet"):
        parts, step = [], data.NewIterator()
        while not step.IsDoneWithTraversal():
            parts.append(step.GetCurrentDataObject())
            step.GoToNextItem()
    result = {"cells": 0, "mass": 0.0, "minimum": float("inf")}
    for part in parts:
        points = part.GetCellData().GetArray("gpot") is None
        fields = part.GetPointData() if points else part.GetCellData()
        potential = vtk_to_numpy(fields.GetArray("potential" if points else "gpot"))
        mass = vtk_to_numpy(fields.GetArray("m" if points else "dens"))
        bounds = part.GetCell(int(potential.argmin())).GetBounds()
        first = part.GetCell(0).GetBounds()
        volume = 1.0 if points else (first[1] - first[0]) * (first[3] - first[2]) * (first[5] - first[4])
        result["cells"] += part.GetNumberOfCells()
        result["mass"] += float(mass.sum()) * volume
        if potential.min() < result["minimum"]:
            result["minimum"] = float(potential.min())
            result["place"] = [(bounds[2 * d] + bounds[2 * d + 1]) / 2 for d in range(3)]
    print("found " + json.dumps(result))


def expected(path):
    import h5py

    from flash_mesh import summary

    with h5py.File(path, "r") as file:
        if "node type" in file:
            return summary(path)
        potential = file["potential"][:]
        least = int(potential.argmin())
        return {"cells": potential.size, "mass": file["m"][:].sum(), "minimum": potential.min(),
                "place": [file[axis][least] for axis in "xyz"]}


def main():
    from flash_mesh import check

    if shutil.which("pvpython") is None:
        print("paraview_grids.py: no pvpython")
        sys.exit(77)
    # ParaView initialises an MPI of its own, which must not take itself for a rank of the test.
    alone = {key: value for key, value in os.environ.items()
             if key.startswith("OMPI_ALLOW_RUN_AS_ROOT") or not key.startswith(("OMPI_", "PMIX_", "PMI_"))}
    said = subprocess.run(["pvpython", __file__, "--inside", sys.argv[1]], capture_output=True, text=True, check=False, env=alone)
    lines = [line[6:] for line in said.stdout.splitlines() if line.startswith("found ")]
    if said.returncode != 0 or not lines:
        sys.exit(f"pvpython: exit code {said.returncode}\n{said.stdout}{said.stderr}")
    found = json.loads(lines[0])
    for what, value in expected(sys.argv[2]).items():
        check(what, found[what], value)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    inside(sys.argv[2]) if sys.argv[1] == "--inside" else main()
