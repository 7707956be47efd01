# SPDX-License-Identifier: Apache-2.0
"""What the tests of gravlet.torch and gravlet.jax share: random cases, and gradients by sums over pairs in double, of their own."""

import itertools
import unittest

import numpy as np
from mpi4py import MPI

import gravlet
from common import comm, raised, rank, size

FIELDS = {"potential": ("potential",), "acceleration": ("acceleration",), "field": ("potential", "acceleration")}


def pairs(positions, targets, lengths):
    """Of targets (rows) and sources: displacements (k, n, 3), and by r^2 what stands for 1/r with its first two derivatives, by
    Plummer's kernel. A target that is the source itself feels nothing of it."""
    places = positions if targets is None else targets
    own = np.zeros(len(places)) if targets is not None else lengths
    d = places[:, None, :] - positions[None, :, :]
    s = (d**2).sum(axis=2) + np.maximum(own[:, None], lengths[None, :]) ** 2
    if targets is None:
        np.fill_diagonal(s, np.inf)
    return d, s**-0.5, -0.5 * s**-1.5, 0.75 * s**-2.5


def sums(positions, mass, targets, lengths, G):
    """Potential and acceleration: Phi = -G sum m k(r^2), a = 2 G sum m k' d."""
    d, k, k1, _ = pairs(positions, targets, lengths)
    return {"potential": -G * (k @ mass), "acceleration": 2.0 * G * np.einsum("ij,j,ijc->ic", k1, mass, d)}


def pulled(positions, mass, targets, lengths, G, cotangents):
    """Cotangents of positions, mass and targets: those of each pair's d, as target and source of it feel it."""
    d, k, k1, k2 = pairs(positions, targets, lengths)
    u, w = cotangents.get("potential", np.zeros(len(d))), cotangents.get("acceleration", np.zeros((len(d), 3)))
    along = np.einsum("ic,ijc->ij", w, d)
    to_mass = G * (-(u @ k) + 2.0 * (k1 * along).sum(axis=0))
    by_d = G * mass[None, :, None] * (-2.0 * (u[:, None] * k1)[..., None] * d + 2.0 * k1[..., None] * w[:, None, :]
                                      + 4.0 * (k2 * along)[..., None] * d)
    to_places, to_positions = by_d.sum(axis=1), -by_d.sum(axis=0)
    return (to_positions + to_places, to_mass, None) if targets is None else (to_positions, to_mass, to_places)


class Case:
    """Points on all ranks, alike everywhere, and which are this rank's."""

    def __init__(self, seed, n=None, dtype=None):
        random = self.random = np.random.default_rng(seed)
        n = n or int(random.integers(2 * size, 200))
        self.dtype = dtype or random.choice([np.float64, np.float32])
        self.positions = random.normal(size=(n, 3)).astype(self.dtype)
        self.mass = random.random(n).astype(self.dtype) / n
        self.mass[random.random(n) < 0.1] = 0.0
        k = int(random.integers(1, 100))
        self.targets = None if random.random() < 0.4 else (2.0 * random.normal(size=(k, 3))).astype(self.dtype)
        self.softening = [None, 0.05, 0.1 * random.random(n)][random.integers(3)]
        self.G = float(random.uniform(0.5, 2.0))
        self.name = str(random.choice(list(FIELDS)))
        # Gradients may be of any size.
        unit = 10.0 ** random.uniform(-30, 30) if random.random() < 0.3 and self.dtype == np.float64 else 1.0
        places = n if self.targets is None else k
        self.cotangents = {"potential": unit * random.normal(size=places), "acceleration": unit * random.normal(size=(places, 3))}
        self.cotangents = {name: self.cotangents[name].astype(self.dtype) for name in FIELDS[self.name]}
        self.of_sources = np.arange(n) % size == rank
        self.of_targets = self.of_sources if self.targets is None else np.arange(k) % size == rank

    def lengths(self):
        return np.broadcast_to(np.float64(self.softening or 0.0) if np.ndim(self.softening) == 0 else self.softening,
                               len(self.mass))

    def inputs(self):
        """This rank's positions, mass and targets."""
        targets = None if self.targets is None else self.targets[self.of_targets]
        return self.positions[self.of_sources], self.mass[self.of_sources], targets

    def own_softening(self):
        return self.softening if np.ndim(self.softening) == 0 else self.softening[self.of_sources]

    def own_cotangents(self):
        return [one[self.of_targets] for one in self.cotangents.values()]

    def doubles(self):
        positions, mass, targets = (None if one is None else one.astype(float) for one in
                                    (self.positions, self.mass, self.targets))
        return positions, mass, targets, self.lengths(), self.G

    def errors(self, fields, gradients):
        """The largest error on all ranks of fields and of gradients, as a part of what is exact there and usual (median)."""
        exact = sums(*self.doubles())
        back = pulled(*self.doubles(), {name: one.astype(float) for name, one in self.cotangents.items()})
        of = [self.of_sources, self.of_sources, self.of_targets]
        field = max(_error(one, exact[name], self.of_targets) for name, one in zip(self.cotangents, fields))
        gradient = max(_error(one, exact, mine) for one, exact, mine in zip(gradients, back, of) if exact is not None)
        return comm.allreduce(field, max_of), comm.allreduce(gradient, max_of)


def max_of(a, b):
    return max(a, b)


def _error(values, exact, mine):
    assert values.shape == exact[mine].shape, (values.shape, exact[mine].shape)
    sizes = np.linalg.norm(exact.reshape(len(exact), -1), axis=1)
    usual = np.median(sizes)
    off = np.linalg.norm((values - exact[mine]).reshape(-1, exact[0].size), axis=1)
    return float((off / (sizes[mine] + usual)).max(initial=0.0)) if usual > 0.0 else float(off.max(initial=0.0))


class Sums(unittest.TestCase):
    """The sums here, by themselves: gradients are what finite differences of the fields say."""

    def test_sums(self):
        for seed in range(20):
            case = Case(seed, n=12, dtype=np.float64)
            *inputs, lengths, G = case.doubles()
            back = pulled(*inputs, lengths, G, case.cotangents)

            def value(*moved):
                fields = sums(*moved, lengths, G)
                return sum((fields[name] * one).sum() for name, one in case.cotangents.items())

            for which, exact in enumerate(back):
                if exact is not None:
                    found = differences(value, inputs, which, 1e-5)
                    self.assertLess(np.abs(found - exact).max(), 1e-5 * np.abs(exact).max(), (seed, which))


def differences(value, inputs, which, step):
    """Central differences of a value by each number of one of its inputs, from four places."""
    found = np.zeros(inputs[which].shape)
    for at in np.ndindex(found.shape):
        for steps, part in ((1, 2 / 3), (2, -1 / 12)):
            for sign in (1, -1):
                moved = [None if one is None else one.copy() for one in inputs]
                moved[which][at] += sign * steps * step
                found[at] += sign * part * value(*moved) / step
    return found


class Gradients:
    """Tests of an op, for a class with pull(name, inputs, cotangents, options): fields and gradients as lists of arrays."""

    within = {  # theta, type: fields, gradients; 2 to 3 times the worst of 40 seeds
        (0.0, np.float64): (2e-15, 1.5e-14),
        (0.0, np.float32): (1e-7, 3.5e-6),
        (0.5, np.float64): (2.5e-6, 1.2e-5),
        (0.5, np.float32): (2.5e-6, 1e-5),
    }

    def test_random(self):
        for seed, theta in itertools.product(range(12), (0.0, 0.5)):
            case = Case(seed, n=None if theta == 0.0 else 700)
            fields, gradients = self.pull(case.name, case.inputs(), case.own_cotangents(),
                                          {"G": case.G, "softening": case.own_softening(), "theta": theta})
            for one, given in zip((*fields, *gradients), (*(case.mass for _ in fields), *case.inputs())):
                self.assertEqual(None if one is None else one.dtype, None if given is None else case.dtype)
            errors = case.errors(fields, gradients)
            self.assertTrue(np.all(np.array(errors) < self.within[theta, case.dtype]), (seed, theta, case.name, errors))

    def test_laws(self):
        """Gradients are what finite differences of fields say, whatever law these are by; on each rank by itself."""
        box = {"boundary": "periodic", "domain": ((-4.0, -4.0, -4.0), (4.0, 4.0, 4.0))}
        for options in ({"softening": 0.5}, {"softening": 2.0, "softening_kernel": "spline"}, {**box, "softening": 0.3},
                        {**box, "boundary": ("periodic", "isolated", "isolated")}):
            solver = gravlet.Solver(MPI.COMM_SELF, theta=0.0, **options)
            for seed in (1, 2):
                random = np.random.default_rng(seed)
                inputs = [random.normal(size=(4, 3)), random.random(4), random.normal(size=(2, 3)) if seed == 2 else None]
                shape = (len(inputs[2 if seed == 2 else 0]),)
                u, w = random.normal(size=shape), random.normal(size=(*shape, 3))

                def value(positions, mass, targets):
                    found = solver.points(positions, mass, targets=targets, want=("potential", "acceleration"))
                    return (u * found.potential).sum() + (w * found.acceleration).sum()

                _, gradients = self.pull("field", inputs, [u, w], {"solver": solver})
                for which, gradient in enumerate(gradients):
                    if gradient is not None:
                        found = differences(value, inputs, which, 1e-3)
                        self.assertLess(np.abs(found - gradient).max(), 1e-7 * np.abs(gradient).max(), (options, seed, which))

    def test_one_mass_for_all(self):
        """Of no dimensions: its gradient is the sum of all."""
        case = Case(3, n=20, dtype=np.float64)
        positions, mass, _ = case.inputs()
        cotangent = [case.random.normal(size=len(case.mass))[case.of_sources]]
        options = {"theta": 0.0, "softening": 0.1}
        fields, one = self.pull("potential", (positions, np.array(0.3), None), cotangent, options)
        expected, each = self.pull("potential", (positions, np.full(len(mass), 0.3), None), cotangent, options)
        np.testing.assert_array_equal(fields[0], expected[0])
        self.assertEqual(one[1].shape, ())
        self.assertAlmostEqual(float(one[1]), each[1].sum(), delta=1e-12 * np.abs(each[1]).sum())

    def test_none_on_a_rank(self):
        mine = slice(0, 30 if rank == 0 else 0)
        random = np.random.default_rng(4)
        positions, mass, w = random.normal(size=(30, 3)), random.random(30), random.normal(size=(30, 3))
        fields, gradients = self.pull("acceleration", (positions[mine], mass[mine], None), [w[mine]], {"theta": 0.0, "G": 2.0})
        exact = pulled(positions, mass, None, np.zeros(30), 2.0, {"acceleration": w})
        for one, here in zip(gradients[:2], exact[:2]):
            np.testing.assert_allclose(one, here[mine], rtol=0.0, atol=1e-14 * np.abs(here).max())

    def test_no_gradient_of_zeros(self):
        """Where nothing comes back, nothing is pulled; where no solve's masses could be so small, gradients are."""
        case = Case(5, n=40, dtype=np.float64)
        u = case.random.normal(size=40)
        whole, tiny, none = (self.pull("potential", (case.positions, case.mass, None), [unit * u],
                                       {"theta": 0.0, "comm": MPI.COMM_SELF})[1] for unit in (1.0, 2.0**-900, 0.0))
        for a, b, c in zip(whole[:2], tiny[:2], none[:2]):
            np.testing.assert_allclose(2.0**900 * b, a, rtol=1e-13, atol=1e-13 * np.abs(a).max())
            self.assertFalse(np.any(c))

    def refused(self, words, call, kinds=("InputError",)):
        kind, text = raised(call)
        self.assertIn(kind, kinds, text)
        self.assertIn(words, text)

    def test_refused(self):
        positions, mass = np.random.default_rng(6).normal(size=(5, 3)), np.ones(5)

        def refused(words, *given, of_values=False, **options):
            kinds = ("InputError", "JaxRuntimeError") if of_values else ("InputError",)
            cotangents = [np.ones((5, 3))]
            self.refused(words, lambda: self.pull("acceleration", given, cotangents, options), kinds)

        refused("positions has the shape (3, 5): (N, 3) is wanted", positions.T.copy(), mass, None)
        refused("positions is of type", positions.astype(np.float16), mass, None)
        refused("float16: float64 or float32 is wanted", positions, mass.astype(np.float16), None)
        refused("mass has the shape (4,): (5,), one number a point, or one number for all is wanted", positions, mass[1:], None)
        refused("targets has the shape (2, 2): (N, 3) is wanted", positions, mass, np.ones((2, 2)))
        refused("softening has the shape (4,): (5,)", positions, mass, None, softening=np.ones(4))
        refused("thetta: unknown option", positions, mass, None, thetta=0.5)
        solver = gravlet.Solver()
        refused("theta is given beside a solver", positions, mass, None, solver=solver, theta=0.5)
        refused("softening is given beside a solver", positions, mass, None, solver=solver, softening=0.5)
        refused("mass -1 is negative", positions, -mass, None, of_values=True)
        solver.close()
        refused("this solver is closed", positions, mass, None, solver=solver, of_values=True)
