#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gravlet.torch: fields and gradients in graphs of PyTorch, on any number of ranks. Says "skipped: " without PyTorch."""

import sys
import unittest

import numpy as np

try:
    import torch
except ImportError:
    sys.exit("skipped: no PyTorch")

import gravlet.torch
from gravlet._operation import Operation
from common import rank, run_tests, size
from gradients import Gradients, Sums  # noqa: F401 (Sums is run)


def tensors(arrays, grad=True):
    return [None if one is None else torch.tensor(one, requires_grad=grad) for one in arrays]


def case_of(n=12):
    random = np.random.default_rng(7)
    return tensors((random.normal(size=(n, 3)), random.random(n), random.normal(size=(4, 3))))


class Torch(Gradients, unittest.TestCase):
    def pull(self, name, inputs, cotangents, options):
        given = tensors(inputs)
        fields = getattr(gravlet.torch, name)(*given, **options)
        fields = fields if isinstance(fields, tuple) else (fields,)
        torch.autograd.backward(fields, tensors(cotangents, False))
        return [one.detach().numpy() for one in fields], [None if one is None else one.grad.numpy() for one in given]

    def test_fields_are_the_package_s(self):
        positions, mass, _ = case_of()
        ours = gravlet.torch.field(positions, mass, softening=0.1)
        result = gravlet.Solver(softening=0.1).points(positions.detach(), mass.detach(), want=("potential", "acceleration"))
        np.testing.assert_array_equal(ours[0].detach(), result.potential)
        np.testing.assert_array_equal(ours[1].detach(), result.acceleration)

    def test_some_gradients(self):
        """Of what is asked for alone, the same as with all."""
        inputs = case_of()
        options = {"theta": 0.0, "softening": torch.full((12,), 0.1)}
        whole = torch.autograd.grad(sum(one.sum() for one in gravlet.torch.field(*inputs, **options)), inputs)
        for which in range(3):
            given = [one if one is inputs[which] else one.detach() for one in inputs]
            (alone,) = torch.autograd.grad(sum(one.sum() for one in gravlet.torch.field(*given, **options)), inputs[which])
            np.testing.assert_array_equal(alone, whole[which])
        self.assertFalse(gravlet.torch.potential(*(one.detach() for one in inputs)).requires_grad)

    def test_functions_of_functions(self):
        positions, mass, _ = (one.detach() for one in case_of())

        def value(positions, mass):
            return (gravlet.torch.potential(positions, mass, theta=0.0) ** 2).sum()

        gradient = torch.func.grad(value, argnums=(0, 1))
        batch = torch.stack((positions, 2.0 * positions))
        for one, all_ in zip(gradient(2.0 * positions, mass), torch.func.vmap(gradient, in_dims=(0, None))(batch, mass)):
            np.testing.assert_array_equal(all_[1], one)
        self.assertEqual(torch.func.jacrev(lambda m: gravlet.torch.potential(positions, m))(mass).shape, (12, 12))

    def test_tensors_of_a_device(self):
        """The arithmetic of tensors that are not on the host, here of some that are: the bits of NumPy's."""

        class Views(gravlet.Solver):
            def points(self, *arrays, softening, active, out):
                views = gravlet.Fields(**{name: one.numpy() for name, one in vars(out).items() if one is not None})
                super().points(*(one.numpy() for one in arrays), softening=softening.numpy(), active=active, out=views)

        inputs = [one.detach() for one in case_of()]
        cotangents = [torch.linspace(-1.0, 1.0, 4, dtype=torch.float64), inputs[2].flip(0)]
        lengths, needs = np.linspace(0.0, 0.1, 12), (True, True, True)
        ours = Operation.of(("potential", "acceleration"), Views(theta=0.0), None, None, {})
        theirs = Operation.of(ours.names, gravlet.Solver(theta=0.0), None, None, {})
        host = [one.numpy() for one in (*inputs, *cotangents)]
        for one, exact in zip(ours.solve(torch, *inputs, lengths), theirs.solve(np, *host[:3], lengths)):
            np.testing.assert_array_equal(one, exact)
        found = ours.pull(torch, needs, *inputs, lengths, *cotangents)
        for one, exact in zip(found, theirs.pull(np, needs, *host[:3], lengths, *host[3:])):
            np.testing.assert_array_equal(one, exact)

    def test_without_gradient(self):
        positions, mass, _ = case_of()

        def twice():
            (first,) = torch.autograd.grad(gravlet.torch.potential(positions, mass).sum(), mass, create_graph=True)
            first.sum().backward()

        self.refused("have no gradient of their own", twice, ("Error",))
        for name in ("softening", "G"):
            self.refused(f"{name} has no gradient here, and requires one",
                         lambda: gravlet.torch.potential(positions, mass, **{name: torch.tensor(0.1, requires_grad=True)}))
        self.refused("the gradient that comes to the potential is not finite: nan",
                     lambda: (gravlet.torch.potential(positions, mass) * float("nan")).sum().backward())

    def test_wrong_on_one_rank(self):
        positions, mass, _ = case_of()
        wrong = mass[1:] if rank == size - 1 else mass
        self.refused("mass has the shape (11,): (12,)", lambda: gravlet.torch.potential(positions, wrong))
        self.refused("positions is a list: a torch.Tensor is wanted", lambda: gravlet.torch.potential([[0.0, 0.0, 0.0]], 1.0))
        self.refused("positions is on meta", lambda: gravlet.torch.potential(positions.to("meta"), mass))


if __name__ == "__main__":
    run_tests()
