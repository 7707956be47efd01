# SPDX-License-Identifier: Apache-2.0
"""What h5py finds in the leaves of a file in FLASH's layout: what readers of other libraries are held against."""
import h5py
import numpy as np


def leaves(path):
    """Rows, corners (block, 3), cell sizes (block, 3), and all variables (block, z, y, x) of the leaves."""
    with h5py.File(path, "r") as file:
        rows = np.flatnonzero(file["node type"][:] == 1)
        box = file["bounding box"][:][rows]
        variables = {name: data[:][rows] for name, data in file.items() if data.ndim == 4 and data.dtype.kind == "f"}
        levels = file["refine level"][:][rows]
    shape = variables["dens"].shape[1:]
    size = (box[:, :, 1] - box[:, :, 0]) / np.array(shape[::-1])
    return rows, box[:, :, 0], size, levels, variables


def summary(path):
    """Cells, mass, least potential and the centre of its cell."""
    _, lower, size, _, variables = leaves(path)
    potential = variables["gpot"]
    block, z, y, x = np.unravel_index(potential.argmin(), potential.shape)
    return {"cells": potential.size,
            "mass": float((variables["dens"].sum(axis=(1, 2, 3)) * size.prod(axis=1)).sum()),
            "minimum": float(potential.min()),
            "place": (lower[block] + (np.array([x, y, z]) + 0.5) * size[block]).tolist()}


def check(what, found, expected, tolerance=1e-12):
    expected = np.asarray(expected, dtype=float)
    scale = max(np.abs(expected).max(), 1e-300)
    error = np.abs(np.asarray(found, dtype=float) - expected).max()
    print(f"{what}: differs by {error:.1e} of {scale:.6g}")
    if not error <= tolerance * scale:
        raise SystemExit(f"{what}: {found}, and h5py finds {expected}")
