#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gravlet.jax: fields and gradients in graphs of JAX, on any number of ranks. Says "skipped: " without JAX."""

import sys
import unittest

import numpy as np

try:
    import jax
except ImportError:
    sys.exit("skipped: no JAX")

import gravlet.jax
import jax.numpy as jnp
from common import comm, raised, run_tests, size
from gradients import Gradients, Sums  # noqa: F401 (Sums is run)

jax.config.update("jax_enable_x64", True)


class Eager(Gradients, unittest.TestCase):
    def pull(self, name, inputs, cotangents, options):
        def fields(*given):
            found = getattr(gravlet.jax, name)(*given, **options)
            return found if isinstance(found, tuple) else (found,)

        def both(given, cotangents):
            found, back = jax.vjp(fields, *given)
            return found, back(tuple(cotangents))

        given = [None if one is None else jnp.asarray(one) for one in inputs]
        found, gradients = self.compiled(both)(given, [jnp.asarray(one) for one in cotangents])
        return [np.asarray(one) for one in found], [None if one is None else np.asarray(one) for one in gradients]

    def compiled(self, function):
        return function


class Jit(Eager):
    def compiled(self, function):
        return jax.jit(function)


class Transformations(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(7)
        self.positions, self.mass = jnp.array(random.normal(size=(12, 3))), jnp.array(random.random(12))

    def value(self, positions, mass):
        return (gravlet.jax.potential(positions, mass, theta=0.0) ** 2).sum()

    def test_some_gradients(self):
        """Of what is asked for alone, the same as with all; softening as an array."""

        def value(*inputs):
            return sum(one.sum() for one in gravlet.jax.field(*inputs, theta=0.0, softening=np.full(12, 0.1)))

        inputs = (self.positions, self.mass, 2.0 * self.positions[:4])
        whole = jax.grad(value, argnums=(0, 1, 2))(*inputs)
        for which in range(3):
            np.testing.assert_array_equal(jax.jit(jax.grad(value, argnums=which))(*inputs), whole[which])

    def test_batch(self):
        gradient = jax.grad(self.value, argnums=(0, 1))
        batch = jnp.stack((self.positions, 2.0 * self.positions))
        if size > 1:
            self.assertRaises(Exception, lambda: jax.vmap(gradient, in_axes=(0, None))(batch, self.mass))
            return
        for change in (lambda function: function, jax.jit):
            pulled = change(jax.vmap(gradient, in_axes=(0, None)))(batch, self.mass)
            for one, all_ in zip(gradient(2.0 * self.positions, self.mass), pulled):
                np.testing.assert_array_equal(all_[1], one)

    def test_steps(self):
        """Through a loop of solves, which are one callback to XLA: nothing is compiled again."""

        def end(positions):
            def step(positions, _):
                return positions + 0.01 * gravlet.jax.acceleration(positions, self.mass, softening=0.5, theta=0.0), None

            return (jax.lax.scan(step, positions, None, length=3)[0] ** 2).sum()

        gradient = jax.jit(jax.grad(end))
        found = np.asarray(gradient(self.positions))
        h = 1e-4
        moved = self.positions.at[3, 1].add(h), self.positions.at[3, 1].add(-h)
        change = [float(end(one)) for one in moved]
        of_all = comm.allreduce(change[0] - change[1]) / (2.0 * h)  # all ranks have moved theirs
        self.assertAlmostEqual(comm.allreduce(found[3, 1]), of_all, delta=1e-6 * abs(of_all))
        gradient(2.0 * self.positions)
        self.assertEqual(gradient._cache_size(), 1)

    def test_without_gradient(self):
        for call, kind, words in (
            (lambda: jax.grad(lambda m: jax.grad(self.value, argnums=1)(self.positions, m).sum())(self.mass),
             "Error", "have no gradient of their own"),
            (lambda: jax.jvp(lambda m: self.value(self.positions, m), (self.mass,), (self.mass,)), "TypeError", "forward-mode"),
            (lambda: jax.grad(lambda s: gravlet.jax.potential(self.positions, self.mass, softening=s).sum())(0.1),
             "InputError", "softening is traced: it has no gradient here"),
            (lambda: jax.grad(lambda G: gravlet.jax.potential(self.positions, self.mass, G=G).sum())(0.1),
             "InputError", "G is traced: it has no gradient here"),
            (lambda: jax.grad(lambda m: self.value(self.positions, m) * np.nan)(self.mass),
             "JaxRuntimeError", "the gradient that comes to the potential is not finite: nan"),
        ):
            found, text = raised(call)
            self.assertEqual(found, kind, text)
            self.assertIn(words, text)


if __name__ == "__main__":
    run_tests()
