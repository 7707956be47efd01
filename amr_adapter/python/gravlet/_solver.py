# SPDX-License-Identifier: Apache-2.0
"""gravlet.Solver: solves again and again on the ranks of a communicator."""

from __future__ import annotations

import warnings
from itertools import chain
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

import numpy as np

from gravlet import _blocks, _gravlet, _schema
from gravlet import _inputs as inputs
from gravlet._blocks import Block
from gravlet._bodies import Bodies, CellBodies, PointBodies
from gravlet._gravlet import InputError
from gravlet._mpi import Alone, Here, require_same_mpi, world
from gravlet._results import Fields, Probes, Results, names_of, require_apart
from gravlet._schema import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Solver:
    """Solves for the masses on all ranks of a communicator, again and again. Arrays may have moved between solves; a mesh that
    has not keeps its tree.

    comm: of mpi4py (None: MPI.COMM_WORLD; without mpi4py this process alone), which is duplicated. listener: an object with any
    of warning(text), begin_stage(name), end_stage(name), progress(what, done), cancelled() and, as a number, interval. options: by name
    (_schema.Options), such as theta=0.5, order=4, tolerance=1e-4, softening=0.01, boundary="periodic" or ("periodic",
    "periodic", "isolated"), domain=((0, 0, 0), (1, 1, 1)), backend="gpu".

    `with gravlet.Solver(...) as solver:` closes it at the end, on all ranks."""

    def __init__(self, comm: Any = None, *, listener: Any = None, **options: Unpack[_schema.Options]) -> None:
        if comm is None:
            comm = world()
        if comm is not Alone:
            require_same_mpi()
        chosen, wrong = [], None
        try:
            chosen = [(name, _as_text(value, name)) for name, value in options.items()]
            _gravlet.check_options(chosen)
        except Exception as error:  # the ranks agree on it, whatever it is
            wrong = str(error)
        all_wrong = comm.allgather(wrong)
        first = next((text for text in all_wrong if text is not None), None)
        if first is not None:
            refused = InputError(first)
            refused.code = "invalid_option"
            raise refused
        self._comm = comm
        self._ranks = len(all_wrong)
        self._open: Optional[_gravlet.Solver] = _gravlet.Solver(comm.py2f(), chosen, listener)

    @property
    def _solver(self):
        if self._open is None:
            raise InputError("this solver is closed")
        return self._open

    def close(self) -> None:
        """Collective. Frees what the solver holds: its tree, memory on a GPU, its communicator. Then it can only be closed
        again."""
        self._open = None

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open is None:
            return "<gravlet.Solver, closed>"
        usual = {name: option["default"] for name, option in _gravlet.options().items()}
        parts = [f"{name}={value}" for name, value in self.options.items() if value != usual[name]]
        parts += [f"{self._ranks} rank{'s' if self._ranks > 1 else ''}", self.report["backend"] or "not solved yet"]
        return f"<gravlet.Solver {', '.join(parts)}>"

    def points(self, *bodies: Any, softening: Any = None, active: Any = None, source_class: Any = None,
               want: Union[str, Iterable[str]] = "potential", out: Optional[Fields] = None, targets: Any = None,
               probes: Optional[Probes] = None, **by_name: Any) -> Fields:
        """Collective. Results at points that act on each other: points(positions, mass) with positions of (n, 3), or points(x,
        y, z, mass). mass >= 0, of (n,) or one number for all; 0: a target only. softening: lengths, likewise (None: the
        option's). active: bool or uint8, False: a source only, whose results are left alone (in new arrays: 0). source_class:
        classes, 0 to 7 (None: all 1), of which the option acting_classes says who acts.

        targets: places without mass, an array (m, 3) or a tuple of arrays x, y, z, at which results are wanted instead. want:
        which results, in new arrays (Fields), of float32 if all that is given is; or out: in these. probes: places that get
        results too."""
        with Here(self._solver):
            if targets is not None and active is None:
                active = False  # the points themselves are not wanted
            points = PointBodies(bodies, by_name, softening, active, source_class)
            asked = _Asked(points, None, want, out, targets, probes)
        self._solver.solve_bodies(None, None, points.arrays, asked.written, asked.probes)
        return asked.finish()

    def cells(self, *bodies: Any, dy: Any = None, dz: Any = None, active: Any = None, source_class: Any = None,
              want: Union[str, Iterable[str]] = "potential", out: Optional[Fields] = None, points: Optional[dict] = None,
              points_out: Optional[Fields] = None, targets: Any = None, probes: Optional[Probes] = None, **by_name: Any) -> Fields:
        """Collective. Results at the centres of cells: cells(positions, dx, mass) with positions of (n, 3), or cells(x, y, z,
        dx, mass), of sides dx (and dy, dz; cubes without), each (n,) or one number for all. points: a dict of points()'
        arguments that act along, positions or x, y, z, and mass, softening, active, source_class, with results in points_out.
        source_class: classes of the cells (None: all 0). targets, want, out, probes: as for points()."""
        with Here(self._solver):
            if targets is not None and active is None:
                active = False
            cells = CellBodies(bodies, by_name, dy, dz, active, source_class)
            along = PointBodies.along(points)
            asked = _Asked(cells, along, want, out, targets, probes, points_out)
        self._solver.solve_bodies(cells.arrays, asked.written, along and along.arrays, asked.written_along, asked.probes)
        return asked.finish()

    def blocks(self, blocks: Iterable[Block], *, want: Union[str, Iterable[str]] = "potential", points: Optional[dict] = None,
               points_out: Optional[Fields] = None, probes: Optional[Probes] = None) -> list:
        """Collective. Results in the cells of blocks, which are set, each in the precision of its density; the blocks are returned.
        want: fields, and face_acceleration. points, probes: as for cells()."""
        with Here(self._solver):
            wanted = names_of(want, "face_acceleration")
            prepared = _blocks.prepare(blocks, wanted)
            along = PointBodies.along(points)
            asked = _Asked(None, along, [name for name in wanted if name in _schema.FIELDS], None, None, probes, points_out,
                           probes is None or all(inputs.dtype_of(block.density) == np.float32 for block in prepared))
        self._solver.solve_blocks(prepared, along and along.arrays, asked.written_along, asked.probes)
        asked.finish()
        return prepared

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
        """Collective. The gravitational constant of the solves that follow; trees are kept. Raises InputError as the constructor
        does."""
        with Here(self._solver):
            G = inputs.number(G, "G")
        self._solver.set_G(G)

    def set_softening(self, length: float) -> None:
        """Collective. The option softening of the solves that follow; trees are built anew. Raises InputError as the constructor
        does."""
        with Here(self._solver):
            length = inputs.number(length, "softening")
        self._solver.set_softening(length)

    def set_domain(self, lower: Any, upper: Any) -> None:
        """Collective. The corners, of three numbers each, of the option domain of the solves that follow; trees are built anew.
        Raises InputError as the constructor does."""
        with Here(self._solver):
            lower, upper = inputs.three(lower, "lower"), inputs.three(upper, "upper")
        self._solver.set_domain(lower, upper)

    def set_shear(self, length: float) -> None:
        """Collective. The option shear of the solves that follow; trees are built anew. Raises InputError as the constructor
        does."""
        with Here(self._solver):
            length = inputs.number(length, "shear")
        self._solver.set_shear(length)

    def only_changed(self, flags: Any = None) -> None:
        """Local. What the next solve will find changed of this rank's bodies since the last one: those whose flag is not 0 (bool
        or uint8; one a block or a cell, then one a point), or none of them (None). Of all others nothing has changed, and they
        need not be looked at. Holds for one solve."""
        flags = inputs.flags(flags, "flags of changed bodies")
        self._solver.only_changed(np.zeros(0, np.uint8) if flags is None else flags.view(np.uint8))

    def drifted(self, vx: Any, vy: Any = None, vz: Any = None, time: Optional[float] = None) -> None:
        """Local. The next solve's points have come from where they were in the last one evenly, each by its velocity, for this
        time: drifted(vx, vy, vz, time), or drifted(velocities, time) with an array of (n, 3). Of points that were not active in
        the last solve velocities are those that were given with it. Holds for one solve, which reads the arrays; acts with
        keep_moved."""
        if vz is None and time is None:
            time = vy
        self._velocities = Bodies("velocities", (), (vx,) if vz is None else (vx, vy, vz)).xyz
        self._solver.drifted(*self._velocities, inputs.number(time, "time"))

    def get_steering(self) -> np.ndarray:
        """Collective. What the option tolerance has learned so far, (80,) numbers for a checkpoint, the same on every rank."""
        return np.array(self._solver.get_steering())

    def set_steering(self, state) -> None:
        """Collective. What get_steering() gave, into a solver of the same options, which goes on from there to the bit."""
        with Here(self._solver):
            state = inputs.real_array(state, "state", (1,))
        self._solver.set_steering(state)

    def abandon(self, message: str) -> None:
        """Collective. Takes the place of a solve on a rank that cannot bring its bodies: all ranks raise InputError with this
        message."""
        self._solver.abandon(message)


def warn_of(solver: Solver, level: int) -> None:
    """The last solve's warnings, of which a caller without a solver would not hear, so many calls up."""
    for text in solver.report["warnings"]:
        warnings.warn(text, RuntimeWarning, stacklevel=level)


class _Asked:
    """Results of one solve: at bodies (None: blocks), or in their place at targets; at points along with them; at probes."""

    def __init__(self, bodies, along, want, out, targets, probes, along_out=None, blocks_are_single=True):
        names = names_of(want)
        places = None
        if targets is not None:
            if probes is not None:
                raise InputError("targets and probes are given: one of them is wanted")
            places = Bodies("targets", (), (targets,))
        elif probes is not None:
            at = (probes.x, probes.y, probes.z)
            places = Bodies("probes", (), at[:1] if probes.y is None and probes.z is None else at)
        given = [one for one in (bodies, along, places) if one]
        dtype = np.float32 if blocks_are_single and all(one.is_single for one in given) else np.float64
        made = names if out is None else ()
        out = out or Fields()
        self._all, self._at_targets = [], targets is not None
        self._first = self._results(out, places if self._at_targets else bodies, made, dtype)
        self._along = self._results(along_out, along, (), dtype)
        self._probes = self._first if self._at_targets else self._results(probes, places, names, dtype)
        if any(results.is_copied for results in self._all):
            require_apart(_all_of(results.brought for results in self._all), _all_of(one.given for one in given))
        self.written = None if self._at_targets or bodies is None else self._first.written
        self.written_along = self._along and self._along.written
        self.probes = places and Probes(*places.xyz, **vars(self._probes.written))

    def _results(self, holder, bodies, names, dtype):
        if holder is None or bodies is None:
            return None
        self._all.append(Results(holder, bodies, names, dtype))
        return self._all[-1]

    def finish(self):
        for results in self._all:
            results.finish()
        return self._first and self._first.holder


def _all_of(dicts):
    return dict(chain.from_iterable(one.items() for one in dicts))


def _as_text(value, name):
    """An option's value as gravlet.options() has them."""
    if isinstance(value, str):
        return value
    inputs.refuse_hidden(value, name)
    if isinstance(value, (list, tuple)) or np.ndim(value) > 0:
        return " ".join(_as_text(one, name) for one in value)
    value = inputs.any_array(value, name).item()
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
