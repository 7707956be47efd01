# SPDX-License-Identifier: Apache-2.0
"""Arrays of results: as the compiled module writes them, (n,) or (components, n), and as they come to those who gave a table of
positions, (n,), (n, 3) and (n, 3, 3)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Optional

import numpy as np

from gravlet import _schema
from gravlet._gravlet import InputError
from gravlet._inputs import is_on_device, package_of, refuse_hidden

_SIX = ([0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2])  # rows and columns of a symmetric tensor that are kept
_NINE = [0, 1, 2, 1, 3, 4, 2, 4, 5]  # where all nine of it are in those


@dataclass
class Fields:
    """Results at n targets; None: not wanted. Beside x, y, z: arrays that a caller brings are float64 or float32 and contiguous.
    Beside an array of positions (n, 3): of any strides, acceleration (n, 3), tidal (n, 3, 3)."""

    potential: Optional[Any] = None  # (n,): -G sum m/r
    acceleration: Optional[Any] = None  # (3, n) or (n, 3): x, y, z of -grad potential
    tidal: Optional[Any] = None  # (6, n): xx, xy, xz, yy, yz, zz, derivative j of acceleration i; or (n, 3, 3), symmetric


@dataclass
class Probes:
    """n places without mass at which the field is wanted, anywhere in space (cells.hpp): x, y, z, or one array of (n, 3) as x.
    Results that are None are made if they are wanted, and lie beside the places as those of Fields do."""

    x: Any
    y: Optional[Any] = None
    z: Optional[Any] = None
    potential: Optional[Any] = None
    acceleration: Optional[Any] = None
    tidal: Optional[Any] = None


def names_of(want, *more):
    names = (want,) if isinstance(want, str) else tuple(want)
    there = (*_schema.FIELDS, *more)
    for name in names:
        if name not in there:
            raise InputError(f"want is {name}: {', '.join(there[:-1])} or {there[-1]}")
    return names


def shape_of(name, places):
    components = _schema.FIELDS[name]
    return tuple(places) if components == 1 else (components, *places)


class Results:
    """Results at bodies, in the arrays that `holder` (Fields, Probes) has; those of `names` that it lacks are made, in a precision
    and memory. `written`: what the module is to write."""

    def __init__(self, holder, bodies, names, dtype):
        self.holder = holder
        self._made, self._tables = {}, {}
        self.written = Fields()
        for name in _schema.FIELDS:
            given = getattr(holder, name)
            if given is not None:
                refuse_hidden(given, name)
            elif name not in names:
                continue
            if bodies.is_table and not (name == "potential" and given is None):
                array = self._tables[name] = self._rows(given, name, bodies, dtype)
            elif given is None:
                array = self._made[name] = package_of(bodies.xyz[0]).zeros(shape_of(name, (bodies.n,)), dtype)
            else:
                array = given
            setattr(self.written, name, array)
        self.brought = {bodies.name(name): getattr(holder, name) for name in _schema.FIELDS if getattr(holder, name) is not None}
        self.is_copied = bodies.is_table and bool(self.brought)

    @staticmethod
    def _rows(given, name, bodies, dtype):
        """Components by rows, for the module, with what a caller's array has: of places that are not active that stays."""
        n = bodies.n
        if given is None:
            return package_of(bodies.xyz[0]).zeros(shape_of(name, (n,)), dtype)
        shape = {"potential": (n,), "acceleration": (n, 3), "tidal": (n, 3, 3)}[name]
        if not isinstance(given, np.ndarray) and not is_on_device(given):
            raise InputError(f"{name} is no array: {type(given)}")
        if given.dtype not in (np.float64, np.float32):
            raise InputError(f"{name} is of type {given.dtype}: float64 or float32 is wanted, in this machine's order of bytes")
        if given.shape != shape:
            raise InputError(f"{name} has the shape {given.shape}: {shape} is wanted, beside positions of ({n}, 3)")
        if not getattr(given.flags, "writeable", True):
            raise InputError(f"{name} is read-only")
        columns = [given[(slice(None), *index)] for index in np.ndindex(shape[1:])]
        if (n > 1 and given.strides[0] == 0) or any(_share_memory(*pair) for pair in combinations(columns, 2)):
            raise InputError(f"{name} has elements in one place")
        return package_of(given).array(given[(slice(None), *_SIX)].T if name == "tidal" else given.T, order="C")

    def finish(self):
        """What the caller gets, once the solve has succeeded."""
        for name, array in self._made.items():
            setattr(self.holder, name, array)
        for name, rows in self._tables.items():
            values = rows.T[:, _NINE].reshape(-1, 3, 3) if name == "tidal" else rows.T
            given = getattr(self.holder, name)
            if given is None:
                setattr(self.holder, name, package_of(rows).ascontiguousarray(values))
            else:
                given[...] = values
        return self.holder


def require_apart(results, inputs):
    """Throws where results, by name, that are copied to their place lie on each other or on what is read, as the library does for
    others."""
    results, inputs = ({name: a for name, a in arrays.items() if isinstance(a, np.ndarray)} for arrays in (results, inputs))
    for a, b in [*combinations(results, 2), *product(results, inputs)]:
        if _share_memory(results[a], {**results, **inputs}[b]):
            raise InputError(f"{a} and {b} are in the same memory")


def _share_memory(a, b):
    """Whether arrays on the host do, or may."""
    try:
        return not is_on_device(a) and np.shares_memory(a, b, max_work=10000)
    except np.exceptions.TooHardError if hasattr(np, "exceptions") else np.TooHardError:
        return True
