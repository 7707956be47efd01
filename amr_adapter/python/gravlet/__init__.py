# SPDX-License-Identifier: Apache-2.0
"""Gravity of points, cells and AMR blocks by a Barnes-Hut tree, on GPUs and CPUs, over MPI.

    import gravlet
    phi = gravlet.potential(x, y, z, m)                      # ranks of mpi4py's MPI.COMM_WORLD, each with its own points

    solver = gravlet.Solver(theta=0.5, order=4)              # options by name: gravlet.options()
    result = solver.points(x, y, z, m, want=("potential", "acceleration"))
    print(result.acceleration[0], solver.report["seconds"])

Arrays are float64 or float32, NumPy's or on a device (anything with __cuda_array_interface__, such as CuPy's), of n elements each;
contiguous ones are read and written where they are, others and lists are copied first. What a device array's stream is still doing
to it is waited for. Lengths, masses and G are in any consistent units. All calls but those that say so are collective over the solver's communicator. Errors are gravlet.Error (gravlet.InputError,
a ValueError too, for arrays and options), the same on every rank, and leave results alone.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Optional, Sequence, Union

import numpy as np

from gravlet import _gravlet, _schema
from gravlet._gravlet import Error, InputError, backends
from gravlet._schema import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

__version__ = _gravlet.version()
__all__ = ["Block", "Error", "Fields", "InputError", "Probes", "Report", "Solver", "acceleration", "backends", "options", "potential", "tidal"]


def options() -> dict:
    """Local. Options by name, each with its type, range, default and what it does."""
    return _gravlet.options()


@dataclass
class Fields:
    """Results at n targets; None: not wanted. Arrays that a caller brings are float64 or float32 and contiguous."""

    potential: Optional[Any] = None  # (n,): -G sum m/r
    acceleration: Optional[Any] = None  # (3, n): x, y, z of -grad potential
    tidal: Optional[Any] = None  # (6, n): xx, xy, xz, yy, yz, zz, derivative j of acceleration i


@dataclass
class Probes:
    """n places without mass at which the field is wanted, anywhere in space (cells.hpp). Results that are None are made if they are
    wanted; those that a caller brings are float64 or float32 and contiguous, as those of Fields."""

    x: Any
    y: Any
    z: Any
    potential: Optional[Any] = None
    acceleration: Optional[Any] = None
    tidal: Optional[Any] = None


@dataclass
class Block:
    """A box of equal cells: density[k, j, i] is mass per volume in (nz, ny, nx) cells, of any strides. Results are arrays of its shape,
    acceleration (3, nz, ny, nx) and tidal (6, nz, ny, nx), of any strides that are alike; those that are None are made if they are
    wanted. With result_guards (gx, gy, gz) so many layers of guard cells get results too (cells.hpp), and these arrays are of
    (nz + 2 gz, ny + 2 gy, nx + 2 gx) places, first and last ones the guard cells. face_acceleration: at x-, y-, z-faces the component
    along the axis, arrays of (nz, ny, nx + 1), (nz, ny + 1, nx), (nz + 1, ny, nx) places, each of any strides or None."""

    lower: Sequence[float]  # x, y, z of the lower corner
    cell_size: Sequence[float]
    density: Any
    potential: Optional[Any] = None
    acceleration: Optional[Any] = None
    tidal: Optional[Any] = None
    active: bool = True  # False: its cells are sources only, whose results are left alone
    result_guards: Sequence[int] = (0, 0, 0)  # in x, y, z
    face_acceleration: Optional[Sequence[Any]] = None  # x-, y-, z-faces


class Solver:
    """Solves for the masses on all ranks of a communicator, again and again. Arrays may have moved between solves; a mesh that has not
    keeps its tree.

    comm: of mpi4py (None: MPI.COMM_WORLD; without mpi4py this process alone), which is duplicated. listener: an object
    with any of warning(text), begin_stage(name), end_stage(name), progress(what, done) and, as a number, interval.
    options: by name (_schema.Options), such as theta=0.5, order=4, tolerance=1e-4, softening=0.01,
    boundary="periodic" or ("periodic", "periodic", "isolated"), domain=((0, 0, 0), (1, 1, 1)), backend="gpu".
    """

    def __init__(self, comm: Any = None, *, listener: Any = None, **options: Unpack[_schema.Options]) -> None:
        if comm is None:
            comm = _world()
        if comm is not _Alone:
            _require_same_mpi()
        wrong = None
        try:
            chosen = [(name, _as_text(value)) for name, value in options.items()]
            _gravlet.check_options(chosen)
        except Error as error:
            wrong = str(error)
        first = next((text for text in comm.allgather(wrong) if text is not None), None)
        if first is not None:
            raise InputError(first)
        self._solver = _gravlet.Solver(comm.py2f(), chosen, listener)

    def points(self, x: Any, y: Any, z: Any, mass: Any, *, softening: Any = None, active: Any = None,
               source_class: Any = None, want: Union[str, Iterable[str]] = "potential", out: Optional[Fields] = None,
               probes: Optional[Probes] = None) -> Fields:
        """Collective. Results at points that act on each other, and at probes, which are set. mass >= 0; 0: a target only. softening: lengths (None: the option's,
        for all). active: bool or uint8, False: a source only, whose results are left alone (in new arrays: 0). source_class:
        classes, 0 to 7 (None: all 1), of which the option acting_classes says who acts. want: which results, in arrays like x; or
        out: in these."""
        return self._solve(None, None, lambda: self._points(x, y, z, mass, softening, active, source_class), want, out, probes)

    def cells(self, x: Any, y: Any, z: Any, dx: Any, mass: Any, *, dy: Any = None, dz: Any = None, active: Any = None,
              source_class: Any = None, want: Union[str, Iterable[str]] = "potential", out: Optional[Fields] = None,
              points: Optional[dict] = None, points_out: Optional[Fields] = None, probes: Optional[Probes] = None) -> Fields:
        """Collective. Results at the centres of cells of sides dx (and dy, dz; cubes without), and at probes, which are set. points: a
        dict of points()' arguments x, y, z, mass, softening, active, source_class that act along, with results in points_out.
        source_class: classes of the cells (None: all 0)."""

        def bodies():
            cells = [_array(a, name) for a, name in zip((x, y, z, dx), ("x of cells", "y of cells", "z of cells", "dx of cells"))]
            cells += [_array(dy, "dy of cells"), _array(dz, "dz of cells"), _array(mass, "mass of cells"), _flags(active, "cells"),
                      _classes(source_class, "cells")]
            return tuple(cells)

        along = None if points is None else lambda: self._points(**points)
        return self._solve(bodies, along, None, want, out, probes, points_out)

    def blocks(self, blocks: Iterable[Block], *, want: Union[str, Iterable[str]] = "potential", points: Optional[dict] = None,
               points_out: Optional[Fields] = None, probes: Optional[Probes] = None) -> list:
        """Collective. Results in the cells of blocks, which are set; the blocks are returned. want: fields, and face_acceleration.
        points, probes: as for cells()."""
        blocks = list(blocks)
        with _Here(self._solver):
            wanted = _names(want, "face_acceleration")
            for block in blocks:
                block.density = _array(block.density, "density", 3)
                for name in wanted:
                    if block.active and getattr(block, name) is None:
                        setattr(block, name, _empty_of(block, name))
            along = None if points is None else self._points(**points)
            self._prepare(probes, [name for name in wanted if name in _schema.FIELDS])
        self._solver.solve_blocks(blocks, along, points_out, probes)
        return blocks

    @property
    def report(self) -> Report:
        """Local. What the last solve did: seconds a stage, interactions, memory, errors (report.hpp)."""
        return self._solver.report()

    @property
    def report_text(self) -> str:
        """Local. The report as a table for people."""
        return self._solver.report_text()

    @property
    def options(self) -> dict:
        """Local. The options' values, as text."""
        return self._solver.options()

    def set_G(self, G: float) -> None:
        """Collective. The gravitational constant of the solves that follow; trees are kept. Raises InputError as the constructor does."""
        self._solver.set_G(G)

    def only_changed(self, flags: Any = None) -> None:
        """Local. What the next solve will find changed of this rank's bodies since the last one: those whose flag is not 0 (bool or
        uint8; one a block or a cell, then one a point), or none of them (None). Of all others nothing has changed, and they need not
        be looked at. Holds for one solve."""
        flags = _flags(flags, "changed bodies")
        self._solver.only_changed(np.zeros(0, np.uint8) if flags is None else flags.view(np.uint8))

    def drifted(self, vx: Any, vy: Any, vz: Any, time: float) -> None:
        """Local. The next solve's points have come from where they were in the last one evenly, each by its velocity, for this time. Of
        points that were not active in the last solve velocities are those that were given with it. Holds for one solve, which reads
        the arrays; acts with keep_moved."""
        self._velocities = [_array(v, f"{d} of velocities") for d, v in zip("xyz", (vx, vy, vz))]
        self._solver.drifted(*self._velocities, time)

    def get_steering(self) -> np.ndarray:
        """Collective. What the option tolerance has learned so far, (80,) numbers for a checkpoint, the same on every rank."""
        return np.array(self._solver.get_steering())

    def set_steering(self, state) -> None:
        """Collective. What get_steering() gave, into a solver of the same options, which goes on from there to the bit."""
        self._solver.set_steering(np.asarray(state, dtype=float).ravel())

    def abandon(self, message: str) -> None:
        """Collective. Takes the place of a solve on a rank that cannot bring its bodies: all ranks raise InputError with this message."""
        self._solver.abandon(message)

    @staticmethod
    def _points(x, y, z, mass, softening=None, active=None, source_class=None):
        arrays = [_array(a, f"{name} of points") for a, name in zip((x, y, z, mass), ("x", "y", "z", "mass"))]
        return (*arrays, _flags(active, "points"), _array(softening, "softening of points"),
                _classes(source_class, "points"))

    @staticmethod
    def _prepare(probes, wanted):
        """Arrays as gravlet takes them, and results where a caller brings none. Those of another solve are written anew."""
        if probes is None:
            return
        for name in ("x", "y", "z"):
            setattr(probes, name, _array(getattr(probes, name), f"{name} of probes"))
        for name in wanted:
            if getattr(probes, name) is None:
                setattr(probes, name, _empty(probes.x, name))

    def _solve(self, cells, along, points, want, out, probes, along_out=None):
        with _Here(self._solver):
            cells = cells and cells()
            points = (points or along or (lambda: None))()
            bodies = cells or points
            if out is None:
                out = Fields(**{name: _empty(bodies[0], name) for name in _names(want)})
            self._prepare(probes, _names(want))
        if cells is None:
            self._solver.solve_bodies(None, None, points, out, probes)
        else:
            self._solver.solve_bodies(cells, out, points, along_out, probes)
        return out


def potential(x: Any, y: Any, z: Any, mass: Any, **options: Any) -> Any:
    """The potential -G sum m/r at points, (n,). Options: those of Solver, and softening as an array of lengths. The
    report's warnings, such as that a tolerance is not kept, are RuntimeWarnings."""
    return _once(x, y, z, mass, "potential", options).potential


def acceleration(x: Any, y: Any, z: Any, mass: Any, **options: Any) -> Any:
    """The acceleration, -grad of the potential, at points, (3, n)."""
    return _once(x, y, z, mass, "acceleration", options).acceleration


def tidal(x: Any, y: Any, z: Any, mass: Any, **options: Any) -> Any:
    """The tidal tensor, second derivatives of the potential, negative: (6, n), xx, xy, xz, yy, yz, zz."""
    return _once(x, y, z, mass, "tidal", options).tidal


def _once(x, y, z, mass, want, options):
    lengths = options.pop("softening") if np.ndim(options.get("softening", 0)) > 0 else None
    solver = Solver(**options)
    result = solver.points(x, y, z, mass, softening=lengths, want=want)
    for text in solver.report["warnings"]:  # of which a caller without a solver would not hear
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    return result


class _Alone:
    """A communicator of this process alone, where there is no mpi4py."""

    @staticmethod
    def py2f():
        return _gravlet.alone()

    @staticmethod
    def allgather(value):
        return [value]


def _world():
    try:
        from mpi4py import MPI
    except ImportError:
        return _Alone
    return MPI.COMM_WORLD


def _require_same_mpi():
    """Handles of one MPI are passed on as integers, which another would take for something else."""
    from mpi4py import MPI
    compiled, ours = _gravlet.mpi_libraries()
    theirs = MPI.Get_library_version().strip("\0")
    if ours != theirs or ("Open MPI" in ours) != (compiled == "Open MPI"):
        first = [text.strip().splitlines()[0] for text in (compiled, ours, theirs)]
        error = Error(f"mpi4py has another MPI than gravlet, which was compiled with {first[0]} and calls {first[1]}: "
                      f"mpi4py's is {first[2]}. Both must be built with the same")
        error.code = "communication"
        raise error


class _Here:
    """What is raised on this rank alone, before a solve, is raised on all."""

    def __init__(self, solver):
        self._solver = solver

    def __enter__(self):
        return self

    def __exit__(self, kind, raised, trace):
        if raised is not None and isinstance(raised, Exception):
            self._solver.abandon(str(raised))


def _names(want, *more):
    names = (want,) if isinstance(want, str) else tuple(want)
    there = (*_schema.FIELDS, *more)
    for name in names:
        if name not in there:
            raise InputError(f"want is {name}: {', '.join(there[:-1])} or {there[-1]}")
    return names


def _array(values, name, dimensions=1):
    """An array as gravlet takes it: what is no array of reals becomes one of float64, and what is not contiguous a copy (of
    blocks nothing is)."""
    if values is None or hasattr(values, "__cuda_array_interface__"):
        return values
    array = np.asarray(values)
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    if array.dtype not in (np.float64, np.float32):
        raise InputError(f"{name} is of type {array.dtype}: float64 or float32 is wanted")
    if array.ndim != dimensions:
        raise InputError(f"{name} has {array.ndim} dimensions: {dimensions} wanted")
    return array if dimensions > 1 else np.require(array, requirements="CA")


def _flags(active, whose):
    """Flags as bytes: what is not 0 is active, or has changed."""
    if active is None:
        return None
    array = np.asarray(active)
    if array.dtype.kind not in "iub":
        raise InputError(f"active of {whose} is of type {array.dtype}: bool or uint8 is wanted")
    return np.ascontiguousarray(array != 0)


def _classes(source_class, whose):
    """Classes as bytes; which there are, the library says."""
    if source_class is None:
        return None
    array = np.asarray(source_class)
    if array.dtype.kind not in "iu" or (array.size > 0 and not 0 <= array.min() <= array.max() <= 255):
        raise InputError(f"source_class of {whose}: integers from 0 to 7 are wanted")
    return np.ascontiguousarray(array.astype(np.uint8))


def _zeros(shape, like):
    """Array of zeros, in the precision and memory of `like`."""
    if isinstance(like, np.ndarray):
        return np.zeros(shape, like.dtype)
    import cupy

    return cupy.zeros(shape, like.dtype)


def _shape(name, places):
    components = _schema.FIELDS[name]
    return tuple(places) if components == 1 else (components, *places)


def _empty(like, name):
    """A result beside x."""
    return _zeros(_shape(name, like.shape), like)


def _empty_of(block, name):
    """A result of a block, with the guard cells that get results."""
    cells = block.density.shape
    if name == "face_acceleration":
        return [_zeros(tuple(n + (axis == d) for axis, n in zip((2, 1, 0), cells)), block.density) for d in range(3)]
    return _zeros(_shape(name, [n + 2 * g for n, g in zip(cells, reversed(tuple(block.result_guards)))]), block.density)


def _as_text(value):
    """An option's value as gravlet.options() has them."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return " ".join(_as_text(one) for one in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
