# SPDX-License-Identifier: Apache-2.0
"""Gravity of points, cells and AMR blocks by a Barnes-Hut tree, on GPUs and CPUs, over MPI.

    import gravlet
    phi = gravlet.potential(positions, mass)                 # (n, 3) and (n,); each rank of mpi4py's MPI.COMM_WORLD its own points
    a = gravlet.acceleration(x, y, z, mass)                  # (3, n)

    solver = gravlet.Solver(theta=0.5, order=4)              # options by name: gravlet.options()
    result = solver.points(positions, mass, want=("potential", "acceleration"))
    print(result.acceleration[0], solver.report["seconds"])

Positions are one array of (n, 3) or three of (n,), which the number of arguments tells apart, and results come in the shape that
came in: acceleration (n, 3) or (3, n), tidal (n, 3, 3) or (6, n). An array of (3, 3) is three rows.

Lengths, masses and G are plain numbers in any consistent units; a potential is in G mass / length. Quantities with a unit are
refused, as masked elements are. Arrays are of reals, NumPy's, what NumPy makes arrays of, or on a device (anything with
__cuda_array_interface__, such as CuPy's); contiguous ones of float64 or float32 are read and written where they are, others
copied first. What a device array's stream is still doing to it is waited for. Results are float32 if all arrays given are, else
float64.

All calls but those that say so are collective over the solver's communicator. Errors are gravlet.Error (gravlet.InputError, a
ValueError too, for arrays and options), the same on every rank, and leave results alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from gravlet import _gravlet
from gravlet._blocks import Block
from gravlet._gravlet import Error, InputError, backends
from gravlet._results import Fields, Probes
from gravlet._schema import Report
from gravlet._solver import Solver, warn_of

__version__ = _gravlet.version()
__all__ = ["Block", "Error", "Fields", "InputError", "Probes", "Report", "Solver", "acceleration", "backends", "options",
           "potential", "tidal"]


def options() -> dict:
    """Local. Options by name, each with its type, range, default and what it does."""
    return _gravlet.options()


def potential(*bodies: Any, targets: Any = None, **options: Any) -> Any:
    """The potential -G sum m/r, (n,): potential(positions, mass) with positions of (n, 3), or potential(x, y, z, mass); mass may
    be one number. targets: places (m, 3), or a tuple of arrays x, y, z, at which it is wanted instead. options: those of Solver,
    and softening as an array of lengths. The report's warnings, such as that a tolerance is not kept, are RuntimeWarnings."""
    return _once(bodies, targets, "potential", options).potential


def acceleration(*bodies: Any, targets: Any = None, **options: Any) -> Any:
    """The acceleration, -grad of the potential: (n, 3) of positions (n, 3), (3, n) of x, y, z. Arguments: those of potential()."""
    return _once(bodies, targets, "acceleration", options).acceleration


def tidal(*bodies: Any, targets: Any = None, **options: Any) -> Any:
    """The tidal tensor, second derivatives of the potential, negative: (n, 3, 3) of positions (n, 3); (6, n) of x, y, z: xx, xy,
    xz, yy, yz, zz. Arguments: those of potential()."""
    return _once(bodies, targets, "tidal", options).tidal


def _once(bodies, targets, want, options):
    of_points = {name: options.pop(name) for name in ("positions", "x", "y", "z", "mass") if name in options}
    lengths = options.pop("softening") if np.ndim(options.get("softening", 0)) > 0 else None
    with Solver(**options) as solver:
        result = solver.points(*bodies, softening=lengths, targets=targets, want=want, **of_points)
        warn_of(solver, 4)
    return result
