# SPDX-License-Identifier: Apache-2.0
"""Gravity in graphs of PyTorch, with gradients by positions, mass and targets, which are further solves.

    import gravlet.torch
    phi = gravlet.torch.potential(positions, mass, softening=0.01)           # tensors (n, 3) and (n,)
    phi, a = gravlet.torch.field(positions, mass, targets=places, theta=0.5)
    (a**2).sum().backward()

Tensors are of float64 or float32, all on the CPU or all on one CUDA device, and are read where they are. mass is (n,) or one number
for all, a tensor of no dimensions or a float. targets are places (k, 3) without mass, at which results are wanted instead; None:
at the points. Results are (n,) and (n, 3) (or of k), float32 if all tensors are, else float64. softening is one length for all or
an array (n,); it has no gradient, as options have none. options are those of gravlet.Solver. What a solver sets up once (tables of
a periodic box, memory on a GPU) each call does again, unless a solver is given, with its own options and communicator.

Gradients are as good as the options make solves. A backward of potentials is 2 or 3 solves, of accelerations up to 7, fewer where
gradients are wanted of mass alone: weights of both signs are two solves. They have no gradient of their own, and there is no
forward mode. torch.vmap and torch.func take a batch one after the other; torch.compile breaks its graph here.

Calls and their backwards are collective over comm, mpi4py's (None: MPI.COMM_WORLD), each rank with its own points: gradients are
of the sum of what ranks make of their results. Errors are gravlet.InputError and gravlet.Error, the same on every rank."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import torch

from gravlet._gravlet import Error, InputError
from gravlet._mpi import agreed, world
from gravlet._operation import Operation, lengths_of, require_floats, require_one_each, require_table
from gravlet._solver import Solver

__all__ = ["acceleration", "field", "potential"]


def potential(positions: torch.Tensor, mass: Any, targets: Optional[torch.Tensor] = None, *, softening: Any = None,
              solver: Optional[Solver] = None, comm: Any = None, **options: Any) -> torch.Tensor:
    """Collective. The potential -G sum m/r, (n,)."""
    return _apply(("potential",), positions, mass, targets, softening, solver, comm, options)[0]


def acceleration(positions: torch.Tensor, mass: Any, targets: Optional[torch.Tensor] = None, *, softening: Any = None,
                 solver: Optional[Solver] = None, comm: Any = None, **options: Any) -> torch.Tensor:
    """Collective. The acceleration, -grad of the potential, (n, 3)."""
    return _apply(("acceleration",), positions, mass, targets, softening, solver, comm, options)[0]


def field(positions: torch.Tensor, mass: Any, targets: Optional[torch.Tensor] = None, *, softening: Any = None,
          solver: Optional[Solver] = None, comm: Any = None, **options: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    """Collective. Potential and acceleration, by one solve."""
    return _apply(("potential", "acceleration"), positions, mass, targets, softening, solver, comm, options)


@torch.compiler.disable
def _apply(names, positions, mass, targets, softening, solver, comm, options):
    on = solver._comm if solver is not None else world() if comm is None else comm
    return _Field.apply(*agreed(on, lambda: _arguments(names, positions, mass, targets, softening, solver, comm, options)))


def _arguments(names, positions, mass, targets, softening, solver, comm, options):
    _require_tensor(positions, "positions")
    require_table(positions, "positions")
    n = positions.shape[0]
    if not isinstance(mass, (int, float)):
        _require_tensor(mass, "mass", positions)
        require_floats(mass, "mass")
        require_one_each(mass, "mass", n)
    if targets is not None:
        _require_tensor(targets, "targets", positions)
        require_table(targets, "targets")
    for name, value in {**options, "softening": softening}.items():
        if isinstance(value, torch.Tensor) and value.requires_grad:
            raise InputError(f"{name} has no gradient here, and requires one: pass {name}.detach()")
    try:
        if isinstance(softening, torch.Tensor):
            softening = softening.cpu().numpy()
    except RuntimeError as error:
        raise InputError(f"softening has no gradient here, and is no tensor of plain numbers: {error}") from None
    if isinstance(mass, (int, float)):
        mass = positions.new_full((), float(mass))
    return Operation.of(names, solver, comm, softening, options), positions, mass.expand(n), targets, lengths_of(softening, n)


def _require_tensor(value, name, like=None):
    if not isinstance(value, torch.Tensor):
        raise InputError(f"{name} is a {type(value).__name__}: a torch.Tensor is wanted")
    if value.device.type not in ("cpu", "cuda") or value.layout != torch.strided:
        raise InputError(f"{name} is on {value.device}, {value.layout}: cpu or cuda, and torch.strided, are wanted")
    if like is not None and value.device != like.device:
        raise InputError(f"{name} is on {value.device}, positions are on {like.device}")


def _as_arrays(tensors):
    """NumPy's views of tensors on the CPU, and others as they are; with the package that they are of."""
    tensors = [None if one is None else one.detach() for one in tensors]
    if tensors[0].is_cuda:
        return torch, tensors
    return np, [None if one is None else one.numpy() for one in tensors]


def _as_tensor(array, dtype):
    return None if array is None else torch.as_tensor(array).to(dtype)


def _one_by_one(function, info, dims, arguments):
    """A function of a batch: applied to one after the other."""
    results = []
    for b in range(info.batch_size):
        results.append(function.apply(*(one if d is None else one.select(d, b) for one, d in zip(arguments, dims))))
    return tuple(None if one[0] is None else torch.stack(one) for one in zip(*results)), \
        tuple(None if one is None else 0 for one in results[0])


class _Field(torch.autograd.Function):
    """The fields of an operation."""

    @staticmethod
    def forward(operation, positions, mass, targets, lengths):
        package, arrays = _as_arrays((positions, mass, targets))
        return tuple(map(torch.as_tensor, operation.solve(package, *arrays, lengths)))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.operation, *tensors, ctx.lengths = inputs
        ctx.save_for_backward(*tensors)

    @staticmethod
    def backward(ctx, *cotangents):
        needs = ctx.needs_input_grad[1:4]
        return (None, *_Pull.apply(ctx.operation, *needs, ctx.lengths, *ctx.saved_tensors, *cotangents), None)

    @staticmethod
    def vmap(info, dims, *arguments):
        return _one_by_one(_Field, info, dims, arguments)


class _Pull(torch.autograd.Function):
    """The gradient of an operation."""

    @staticmethod
    def forward(operation, to_positions, to_mass, to_targets, lengths, positions, mass, targets, *cotangents):
        package, arrays = _as_arrays((positions, mass, targets, *cotangents))
        pulled = operation.pull(package, (to_positions, to_mass, to_targets), *arrays[:3], lengths, *arrays[3:])
        return tuple(_as_tensor(one, None if like is None else like.dtype) for one, like in zip(pulled, (positions, mass, targets)))

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, *_):
        raise Error("gradients of gravlet.torch have no gradient of their own")

    @staticmethod
    def vmap(info, dims, *arguments):
        return _one_by_one(_Pull, info, dims, arguments)
