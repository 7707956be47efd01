# SPDX-License-Identifier: Apache-2.0
"""Points, cells or places as they are given: by one array of positions (N, 3), or by three arrays x, y, z."""

import numpy as np

from gravlet._gravlet import InputError
from gravlet._inputs import classes, dtype_of, flags, is_on_device, package_of, real_array, refuse_hidden

AXES = ("x", "y", "z")


class Bodies:
    """Arguments (positions, *more) or (x, y, z, *more), by place or by name; how many there are says which. `is_table`: positions
    came as one array, and results are to come so."""

    def __init__(self, whose, more, given, named=None):
        self._whose = whose
        self._arguments = self._bind(more, given, named or {})
        self.given = {}  # arrays by name, before they are copied
        self._dtypes = []  # of what was given as arrays
        self.is_table = False
        if "positions" in self._arguments:
            self._set_positions(self._arguments["positions"])
        else:
            self._set_axes([self._arguments[axis] for axis in AXES])
        self.n = self.xyz[0].__cuda_array_interface__["shape"][0] if is_on_device(self.xyz[0]) else len(self.xyz[0])

    def _bind(self, more, given, named):
        for name in named:
            if name not in ("positions", *AXES, *more):
                raise InputError(f"{self._whose} have no argument {name}")
        names = ("positions", *more) if len(given) + len(named) == 1 + len(more) else (*AXES, *more)
        bound = dict(zip(names, given))
        if len(given) + len(named) != len(names) or {*bound, *named} != {*names}:
            one, many = (", ".join((*first, *more)) for first in (("positions (N, 3)",), AXES))
            these = ", ".join([*(f"a {type(a).__name__}" for a in given), *named])
            raise InputError(f"{self._whose} are given by {one}, or by {many}: not by {these or 'nothing'}")
        return {**bound, **named}

    def name(self, of):
        return f"{of} of {self._whose}"

    def _set_positions(self, given):
        if isinstance(given, tuple) and len(given) == 3:  # of arrays: x, y, z
            if all(isinstance(one, tuple) for one in given):
                raise InputError(f"{self.name('positions')} is a tuple of tuples: rows are wanted as an array (N, 3), x, y, z as a "
                                 "tuple of arrays")
            return self._set_axes(given)
        name = self.name("positions")
        table = self.given[name] = real_array(given, name, (1, 2))
        self._dtypes.append(dtype_of(table))
        self.is_table = True
        package = package_of(table)
        table = package.asarray(table)
        if table.shape == (0,):
            table = table.reshape(0, 3)
        if table.ndim != 2 or table.shape[1] != 3:
            hint = "; pass its transpose, .T, or x, y, z as three arrays" if table.ndim == 2 and table.shape[0] == 3 else ""
            raise InputError(f"{name} has the shape {table.shape}: (N, 3) is wanted{hint}")
        self.xyz = tuple(package.ascontiguousarray(table.T))

    def _set_axes(self, given):
        names = [self.name(axis) for axis in AXES]
        arrays = [self._column(values, name) for values, name in zip(given, names)]
        like = next((a for a in arrays if is_on_device(a) or a.ndim == 1), None)
        if like is None:
            raise InputError(f"{names[0]} is one number, as y and z are: arrays are wanted")
        for array, name in zip(arrays, names):
            if not is_on_device(array) and array.ndim == 1 and len(array) != len(like):
                raise InputError(f"{name} has the shape ({len(array)}): ({len(like)}) is wanted")
        self.xyz = tuple(a if is_on_device(a) or a.ndim == 1 else _repeated(a, like) for a in arrays)

    def _column(self, values, name):
        """An array of one dimension, contiguous, or of none: one number for all."""
        array = self.given[name] = real_array(values, name, (0, 1))
        if type(values) not in (float, int, bool):  # which are of any precision
            self._dtypes.append(dtype_of(array))
        return array if is_on_device(array) else array if array.ndim == 0 else np.ascontiguousarray(array)

    def column(self, of, values):
        """An argument that has one number a body, or one for all; None is nothing."""
        if values is None:
            return None
        array = self._column(values, self.name(of))
        return array if is_on_device(array) or array.ndim == 1 else _repeated(array, self.xyz[0])

    def argument(self, of):
        """One of `more`."""
        if self._arguments[of] is None:
            raise InputError(f"{self.name(of)} is None: an array or a number is wanted")
        return self.column(of, self._arguments[of])

    def flags(self, of, values):
        return flags(values, self.name(of), self.n)

    def classes(self, values):
        return classes(values, self.name("source_class"), self.n)

    @property
    def is_single(self):
        """All that was given is float32."""
        return all(dtype == np.float32 for dtype in self._dtypes)


def _repeated(value, like):
    package = package_of(like)
    return package.full(like.shape, float(value), value.dtype)


class PointBodies(Bodies):
    """What Solver.points takes; `arrays` as the compiled module has them."""

    def __init__(self, given, named, softening=None, active=None, source_class=None):
        super().__init__("points", ("mass",), given, named)
        self.arrays = (*self.xyz, self.argument("mass"), self.flags("active", active), self.column("softening", softening),
                       self.classes(source_class))

    @classmethod
    def along(cls, given):
        """Points that act along with cells or blocks: a dict of arguments, or None."""
        if given is None:
            return None
        options = {name: given[name] for name in ("softening", "active", "source_class") if name in given}
        return cls((), {name: value for name, value in given.items() if name not in options}, **options)


class CellBodies(Bodies):
    """What Solver.cells takes."""

    def __init__(self, given, named, dy=None, dz=None, active=None, source_class=None):
        super().__init__("cells", ("dx", "mass"), given, named)
        self.arrays = (*self.xyz, self.argument("dx"), self.column("dy", dy), self.column("dz", dz), self.argument("mass"),
                       self.flags("active", active), self.classes(source_class))
