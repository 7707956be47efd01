# SPDX-License-Identifier: Apache-2.0
"""A solve as a node of a graph, and its vector-Jacobian product by further solves, for gravlet.torch and gravlet.jax.

With phi_i = sum_j m_j psi(x_i - x_j), psi even, and a = -grad phi, cotangents u_i of potentials and w_i of accelerations come back
as fields of their own, those of sources of "mass" u_i, w_i^x, w_i^y and w_i^z where the targets are:

    to m_j                      phi[u](x_j) - sum_c a_c[w^c](x_j)
    to x_j                      -m_j (a[u] + sum_c grad a_c[w^c])(x_j)
    to the place of a target    -u_i a[m] + sum_c w_i^c grad a_c[m]

and grad a is the tidal tensor. Pairs soften alike both ways, as sources and targets are one set of points in all of these solves.
Masses are not negative in a solve: weights of either sign are two of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Optional, Tuple

import numpy as np

from gravlet import _inputs
from gravlet._gravlet import InputError, check_options
from gravlet._mpi import world
from gravlet._results import _NINE, Fields, shape_of
from gravlet._solver import Solver, _as_text, warn_of

_one_at_a_time = threading.Lock()  # graphs run in several threads, and ranks in the same order


def require_table(array, name):
    """Throws unless an array of any package is of floats and of (N, 3)."""
    require_floats(array, name)
    if array.ndim != 2 or array.shape[1] != 3:
        raise InputError(f"{name} has the shape {tuple(array.shape)}: (N, 3) is wanted")


def require_floats(array, name):
    if str(array.dtype).split(".")[-1] not in ("float64", "float32"):
        raise InputError(f"{name} is of type {array.dtype}: float64 or float32 is wanted")


def require_one_each(array, name, n):
    if tuple(array.shape) not in ((), (n,)):
        raise InputError(f"{name} has the shape {tuple(array.shape)}: ({n},), one number a point, or one number for all is wanted")


def is_one(softening):
    return softening is not None and np.ndim(softening) == 0


def lengths_of(softening, n):
    """Softening lengths as an array, or None where it is one number, which is an option."""
    if softening is None or is_one(softening):
        return None
    lengths = _inputs.real_array(softening, "softening", (0, 1))
    require_one_each(lengths, "softening", n)
    return lengths


@dataclass(frozen=True)
class Operation:
    """Which fields, by which solver: a caller's, or one of these options on this communicator for each call, which is closed after
    it. Two that are equal do the same."""

    names: Tuple[str, ...]
    solver: Optional[Solver]
    options: Tuple[Tuple[str, str], ...]
    handle: int  # of the communicator
    comm: Any = field(compare=False)

    @classmethod
    def of(cls, names, solver, comm, softening, options):
        """`options`: Solver's, by name; softening that is one number is one of them. Throws what is wrong with them."""
        if solver is not None:
            wrong = [*options, *(("comm",) if comm is not None else ()), *(("softening",) if is_one(softening) else ())]
            if wrong:
                raise InputError(f"{wrong[0]} is given beside a solver, which has its own")
            return cls(names, solver, (), solver._comm.py2f(), solver._comm)
        if is_one(softening):
            options = {**options, "softening": _inputs.number(softening, "softening")}
        comm = world() if comm is None else comm
        texts = tuple(sorted((name, _as_text(value, name)) for name, value in options.items()))
        check_options(texts)
        return cls(names, None, texts, comm.py2f(), comm)

    def solve(self, package, positions, mass, targets, lengths):
        """The fields, each (n,) or (n, 3). Arrays are of `package`, numpy or torch."""
        with _one_at_a_time, _Points(self, package, positions, mass, targets, lengths) as points:
            found = points.fields(mass, points.sources, points.targets, self.names)
            return tuple(package.stack(tuple(one), -1) if one.ndim > 1 else one for one in found.values())

    def pull(self, package, needs, positions, mass, targets, lengths, *cotangents):
        """Cotangents of positions, mass and targets, those that `needs` (three bools) says, else None, from those of the fields.
        They are of the sum over ranks of what each makes of its fields."""
        with _one_at_a_time, _Points(self, package, positions, mass, targets, lengths) as points:
            given = dict(zip(self.names, cotangents))
            # w by components. Without weight on any rank a field has nothing to say.
            u, w = given.get("potential"), given.get("acceleration")
            u = None if u is None or points.peak(abs(u), "potential") == 0.0 else u
            w = None if w is None or points.peak(abs(w), "acceleration") == 0.0 else w.T
            to_positions, to_mass, to_targets = map(any, zip(*self.comm.allgather(needs)))
            at_targets = points.pull_targets(mass, u, w) if (to_positions if targets is None else to_targets) else None
            at_positions, at_mass = points.pull_sources(mass, u, w, to_positions, to_mass)
        if targets is None and to_positions:
            at_positions = at_positions + at_targets
        pulled = (at_positions, at_mass, at_targets)
        tables = [one if one is None or one.ndim == 1 else package.stack(tuple(one), -1) for one in pulled]
        return tuple(one if need else None for one, need in zip(tables, needs))


class _Points:
    """Sources, and after them targets if these are apart, as points of a solver."""

    def __init__(self, operation, package, positions, mass, targets, lengths):
        self._package, self._comm = package, operation.comm
        self._on = {} if package is np else {"device": positions.device}
        n, all_places = len(positions), positions if targets is None else package.concatenate((positions, targets))
        self._n = len(all_places)
        self.sources, self.targets = slice(0, n), slice(0 if targets is None else n, self._n)
        self._xyz = package.stack(tuple(all_places.T))
        self._dtype = package.promote_types(all_places.dtype, mass.dtype)
        self._lengths = None
        if lengths is not None:  # a place that is no source softens nothing
            self._lengths = self._zeros(())
            self._lengths[self.sources] = package.asarray(lengths, **self._on)
        self._is_own = operation.solver is None
        self._solver = Solver(operation.comm, **dict(operation.options)) if self._is_own else operation.solver

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._is_own:
            self._solver.close()

    def _zeros(self, components):
        return self._package.zeros((*components, self._n), dtype=self._dtype, **self._on)

    def peak(self, weights, whose):
        """The largest of weights >= 0 on all ranks."""
        peak = float(np.max(self._comm.allgather(float(weights.max()) if len(weights) else 0.0)))
        if not np.isfinite(peak):
            raise InputError(f"the gradient that comes to the {whose} is not finite: {peak}")
        return peak

    def fields(self, weights, of, at, names):
        """Fields by name, (components, n), at some of the points, of others with weights >= 0."""
        mass = self._zeros(())
        mass[of] = weights
        active = np.zeros(self._n, bool)
        active[at] = True
        out = Fields(**{name: self._zeros(shape_of(name, ())) for name in names})
        if "device" in self._on and self._on["device"].type == "cuda":  # whose arrays do not say what is still done to them
            self._package.cuda.current_stream(self._on["device"]).synchronize()
        self._solver.points(*self._xyz, mass, softening=self._lengths, active=active, out=out)
        if self._is_own:
            warn_of(self._solver, 2)
        return {name: getattr(out, name)[..., at] for name in names}

    def _signed_fields(self, weights, whose, names):
        """Fields at the sources of weights of either sign at the targets, or zeros. Weights come in units of their largest:
        gradients may be smaller than any mass."""
        total = {name: self._zeros(shape_of(name, ()))[..., self.sources] for name in names}
        for sign in (1.0, -1.0):
            part = (sign * weights).clip(min=0.0)
            peak = self.peak(part, whose)
            if peak > 0.0:
                unit = 2.0 ** (np.frexp(peak)[1] - 1.0)
                for name, values in self.fields(part / unit, self.targets, self.sources, names).items():
                    total[name] += (sign * unit) * values
        return total

    def pull_targets(self, mass, u, w):
        """(3, targets): what moving each does."""
        at = self._zeros((3,))[:, self.targets]
        names = (() if u is None else ("acceleration",)) + (() if w is None else ("tidal",))
        found = self.fields(mass, self.sources, self.targets, names) if names else {}
        if u is not None:
            at -= u * found["acceleration"]
        if w is not None:
            for c in range(3):
                at += w[c] * found["tidal"][_row(c)]
        return at

    def pull_sources(self, mass, u, w, to_positions, to_mass):
        """(3, sources) and (sources): what moving each does, and making it heavier; None: not wanted."""
        at = self._zeros((3,))[:, self.sources] if to_positions else None
        heavier = self._zeros(())[self.sources] if to_mass else None
        if not to_positions and not to_mass:
            return at, heavier
        if u is not None:
            names = (("potential",) if to_mass else ()) + (("acceleration",) if to_positions else ())
            found = self._signed_fields(u, "potential", names)
            if to_mass:
                heavier += found["potential"]
            if to_positions:
                at -= mass * found["acceleration"]
        for c in range(3 if w is not None else 0):
            names = (("acceleration",) if to_mass else ()) + (("tidal",) if to_positions else ())
            found = self._signed_fields(w[c], "acceleration", names)
            if to_mass:
                heavier -= found["acceleration"][c]
            if to_positions:
                at -= mass * found["tidal"][_row(c)]
        return at, heavier


def _row(c):
    """Where a row of the tidal tensor is in its six components."""
    return _NINE[3 * c:3 * c + 3]
