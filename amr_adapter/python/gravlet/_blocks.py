# SPDX-License-Identifier: Apache-2.0
"""Blocks of a mesh, as callers give them and as the compiled module reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from gravlet import _schema
from gravlet._gravlet import InputError
from gravlet._inputs import package_of, real_array, refuse_hidden, three, three_counts
from gravlet._results import shape_of


@dataclass
class Block:
    """A box of equal cells: density[k, j, i] is mass per volume in (nz, ny, nx) cells, of any strides. Results are arrays of its
    shape, acceleration (3, nz, ny, nx) and tidal (6, nz, ny, nx), of any strides that are alike; those that are None are made if
    they are wanted, alike too. With result_guards (gx, gy, gz) so many layers of guard cells get results too (cells.hpp), and
    these arrays are of (nz + 2 gz, ny + 2 gy, nx + 2 gx) places, first and last ones the guard cells. face_acceleration: at x-,
    y-, z-faces the component along the axis, arrays of (nz, ny, nx + 1), (nz, ny + 1, nx), (nz + 1, ny, nx) places, each of any
    strides or None."""

    lower: Sequence[float]  # x, y, z of the lower corner
    cell_size: Union[float, Sequence[float]]  # one: cubes
    density: Any
    potential: Optional[Any] = None
    acceleration: Optional[Any] = None
    tidal: Optional[Any] = None
    active: bool = True  # False: its cells are sources only, whose results are left alone
    result_guards: Sequence[int] = (0, 0, 0)  # in x, y, z
    face_acceleration: Optional[Sequence[Any]] = None  # x-, y-, z-faces


def prepare(blocks, wanted):
    """Makes of what blocks have what the module reads, and arrays for results that are wanted."""
    if isinstance(blocks, Block) or not np.iterable(blocks):
        raise InputError(f"blocks are of type {type(blocks).__name__}: a list of gravlet.Block is wanted")
    blocks = list(blocks)
    for number, block in enumerate(blocks):
        name = f"block {number}"
        if not hasattr(block, "density"):
            raise InputError(f"{name} is of type {type(block).__name__}: a gravlet.Block is wanted")
        block.lower = three(block.lower, f"lower of {name}")
        block.cell_size = three(block.cell_size, f"cell_size of {name}", cube=True)
        block.density = real_array(block.density, f"density of {name}", (3,))
        block.result_guards = three_counts(block.result_guards, f"result_guards of {name}")
        if not isinstance(block.active, (bool, int, np.bool_)):
            raise InputError(f"active of {name} is {block.active!r}: True or False is wanted")
        brought = {field: array for field in _schema.FIELDS if (array := getattr(block, field)) is not None}
        for field, array in brought.items():
            refuse_hidden(array, f"{field} of {name}")
        faces = block.face_acceleration
        if faces is not None and (not isinstance(faces, (list, tuple)) or len(faces) != 3):
            raise InputError(f"face_acceleration of {name} is no list of three: arrays at x-, y-, z-faces, or None, are wanted")
        for field in wanted:
            if block.active and getattr(block, field) is None:
                setattr(block, field, _made(block, field, next(iter(brought.values()), None)))
    return blocks


def _made(block, name, given):
    """A result of a block: of its guard cells too that get results, and as the results lie that a caller has brought (`given`)."""
    cells = block.density.shape
    package, dtype = package_of(block.density), block.density.dtype
    if name == "face_acceleration":
        return [package.zeros(tuple(n + (axis == d) for axis, n in zip((2, 1, 0), cells)), dtype) for d in range(3)]
    shape = shape_of(name, [n + 2 * g for n, g in zip(cells, reversed(block.result_guards))])
    if not isinstance(given, np.ndarray) or given.shape[-3:] != shape[-3:]:
        return package.zeros(shape, dtype)
    strides = [stride // given.itemsize for stride in given.strides[-3:]]
    reach = [(n - 1) * stride for n, stride in zip(shape[-3:], strides)]
    room = package.zeros((*shape[:-3], 1 + sum(map(abs, reach))), dtype)
    first = room[..., sum(-r for r in reach if r < 0):]
    return np.lib.stride_tricks.as_strided(first, shape, [*first.strides[:-1], *(dtype.itemsize * s for s in strides)])
