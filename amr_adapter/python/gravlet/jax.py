# SPDX-License-Identifier: Apache-2.0
"""Gravity in graphs of JAX, with gradients by positions, mass and targets, which are further solves.

    import gravlet.jax
    phi = gravlet.jax.potential(positions, mass, softening=0.01)           # arrays (n, 3) and (n,)
    phi, a = gravlet.jax.field(positions, mass, targets=places, theta=0.5)
    jax.jit(jax.grad(lambda m: (gravlet.jax.acceleration(positions, m) ** 2).sum()))(mass)

Arrays are of float64 (where JAX has it enabled) or float32. mass is (n,) or one number for all. targets are places (k, 3) without
mass, at which results are wanted instead; None: at the points. Results are (n,) and (n, 3) (or of k), float32 if all arrays are,
else float64. softening is one length for all or an array (n,), known while JAX traces; it has no gradient, as options have none.
options are those of gravlet.Solver. What a solver sets up once (tables of a periodic box, memory on a GPU) each call does again,
unless a solver is given, with its own options and communicator.

Gradients are as good as the options make solves. A backward pass of potentials is 2 or 3 solves, of accelerations up to 7, fewer
where gradients are wanted of mass alone: weights of both signs are two solves. They have no gradient of their own, and there is no
forward mode. Solves are callbacks (jax.pure_callback), under jit and without: XLA hands over arrays in host memory, from a GPU by
copies. vmap takes a batch one after the other.

Solves are collective over comm, mpi4py's (None: MPI.COMM_WORLD), each rank with its own points: gradients are of the sum of what
ranks make of their results. On several ranks callbacks keep their order (jax.experimental.io_callback), and vmap is refused. What
is wrong with shapes, types and options is a gravlet.InputError, on that rank alone; what a solve finds wrong is JAX's own error
with gravlet's words, the same on every rank."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Optional, Tuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero
from jax.experimental import io_callback

from gravlet._gravlet import Error, InputError
from gravlet._operation import Operation, lengths_of, require_floats, require_one_each, require_table
from gravlet._solver import Solver

__all__ = ["acceleration", "field", "potential"]


def potential(positions: Any, mass: Any, targets: Any = None, *, softening: Any = None,
              solver: Optional[Solver] = None, comm: Any = None, **options: Any) -> jax.Array:
    """Collective. The potential -G sum m/r, (n,)."""
    return _apply(("potential",), positions, mass, targets, softening, solver, comm, options)[0]


def acceleration(positions: Any, mass: Any, targets: Any = None, *, softening: Any = None,
                 solver: Optional[Solver] = None, comm: Any = None, **options: Any) -> jax.Array:
    """Collective. The acceleration, -grad of the potential, (n, 3)."""
    return _apply(("acceleration",), positions, mass, targets, softening, solver, comm, options)[0]


def field(positions: Any, mass: Any, targets: Any = None, *, softening: Any = None,
          solver: Optional[Solver] = None, comm: Any = None, **options: Any) -> Tuple[jax.Array, jax.Array]:
    """Collective. Potential and acceleration, by one solve."""
    return _apply(("potential", "acceleration"), positions, mass, targets, softening, solver, comm, options)


def _apply(names, positions, mass, targets, softening, solver, comm, options):
    positions, targets = (None if one is None else jnp.asarray(one) for one in (positions, targets))
    require_table(positions, "positions")
    mass = jnp.asarray(mass, positions.dtype if isinstance(mass, (int, float)) else None)
    require_one_each(mass, "mass", len(positions))
    require_floats(mass, "mass")
    if targets is not None:
        require_table(targets, "targets")
    for name, value in {**options, "softening": softening}.items():
        if isinstance(value, jax.core.Tracer):
            raise InputError(f"{name} is traced: it has no gradient here, and must be known while JAX traces")
    lengths = lengths_of(softening, len(positions))
    operation = Operation.of(names, solver, comm, softening, options)
    return _fields(operation, positions, jnp.broadcast_to(mass, len(positions)), targets, lengths)


def _call(operation, function, like, *arguments):
    """A callback, whose results are like these."""
    if operation.comm.Get_size() == 1:
        return jax.pure_callback(function, like, *arguments, vmap_method="sequential")
    return io_callback(function, like, *arguments, ordered=True)


@dataclass(frozen=True)
class _Solve:
    """The callback of an operation; equal ones are one to JAX."""

    operation: Operation

    def __call__(self, *arrays):
        return self.operation.solve(np, *_as_arrays(arrays))


@jax.tree_util.register_static
@dataclass(frozen=True)
class _Pull:
    """The callback of its gradient, by the inputs that `needs` says."""

    operation: Operation
    needs: Tuple[bool, bool, bool]

    def __call__(self, positions, mass, targets, lengths, cotangents):
        inputs = _as_arrays((positions, mass, targets))
        (lengths,) = _as_arrays((lengths,))
        pulled = self.operation.pull(np, self.needs, *inputs, lengths, *_as_arrays(cotangents))
        return tuple(None if one is None else one.astype(of.dtype) for one, of in zip(pulled, inputs))


def _as_arrays(arrays):
    return tuple(None if one is None else np.asarray(one) for one in arrays)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _fields(operation, positions, mass, targets, lengths):
    n = len(positions if targets is None else targets)
    dtype = functools.reduce(jnp.promote_types, (one.dtype for one in (positions, mass, targets) if one is not None))
    like = tuple(jax.ShapeDtypeStruct((n,) if name == "potential" else (n, 3), dtype) for name in operation.names)
    return _call(operation, _Solve(operation), like, positions, mass, targets, lengths)


def _forward(operation, *inputs):
    """Fields, and what the gradient wants: which inputs have one is known here."""
    values = jax.tree.map(lambda one: one.value, inputs, is_leaf=_is_input)
    needs = tuple(one is not None and one.perturbed for one in inputs[:3])
    return _fields(operation, *values), (_Pull(operation, needs), values)


def _backward(operation, kept, cotangents):
    pull, (positions, mass, targets, lengths) = kept
    cotangents = tuple(None if isinstance(one, SymbolicZero) else one for one in cotangents)
    return (*_pulled(pull, positions, mass, targets, lengths, cotangents), None)


def _is_input(one):
    return hasattr(one, "perturbed")


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _pulled(pull, positions, mass, targets, lengths, cotangents):
    like = tuple(jax.ShapeDtypeStruct(one.shape, one.dtype) if need else None
                 for one, need in zip((positions, mass, targets), pull.needs))
    return _call(pull.operation, pull, like, positions, mass, targets, lengths, cotangents)


def _no_second(*_):
    raise Error("gradients of gravlet.jax have no gradient of their own")


_fields.defvjp(_forward, _backward, symbolic_zeros=True)
_pulled.defvjp(_no_second, _no_second)
