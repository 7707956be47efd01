#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays as people have them (layouts.py), in the arguments that take one: results are a sum's by NumPy, or there is an
InputError that names the array. Packages that are not here are not tried, which is said."""

import unittest
from collections import Counter
from typing import Callable, NamedTuple

import numpy as np

import gravlet
from common import direct, raised, rank, run_tests, size
from layouts import NUMPY, PACKAGES, of_package

N = 24
CUBE = 3 * np.log(2 + np.sqrt(3)) - np.pi / 2  # the potential in the middle of a cube of mass and side 1


class Slot(NamedTuple):
    """An argument: its name in errors, what it is to be given, the call with that, and what comes of it."""

    name: str
    values: np.ndarray
    call: Callable
    exact: np.ndarray


def slots(solver):
    random = np.random.default_rng(7)
    places = random.choice(119**3, N * size, replace=False)
    everyone = np.array([places // 119**2, places // 119 % 119, places % 119, random.integers(0, 119, N * size)], float) + 1.0
    mine = np.arange(N * size) // N == rank
    x, y, z, m = (np.ascontiguousarray(a) for a in everyone[:, mine])
    table = np.ascontiguousarray(np.array([x, y, z]).T)
    potential, acceleration, _ = direct(*everyone, mine)
    both = np.array([potential, *acceleration])
    want = ("potential", "acceleration")

    def rows(result):
        a = result.acceleration
        return np.array([result.potential, *(a.T if a.shape[1] == 3 else a)])

    d = everyone[:3, None, :] - everyone[:3, mine][:, :, None]
    r2 = (d**2).sum(axis=0)
    lengths = np.maximum(everyone[3], m[:, None])
    softened = -np.where(r2 > 0, everyone[3] / np.sqrt(r2 + lengths**2), 0.0).sum(axis=1)
    apart = [1000 * a for a in (x, y, z)]
    of_cells = potential / 1000 - CUBE
    halves = [a + 0.5 for a in (x, y, z)]
    at_targets = np.array([-(everyone[3] / np.sqrt(((everyone[:3].T + 0.5 - one) ** 2).sum(axis=1))).sum() for one in table])

    density = random.integers(1, 120, (3, 4, 5)).astype(float)
    k, j, i = np.meshgrid(*map(np.arange, density.shape), indexing="ij")
    centres = np.array([i.ravel(), j.ravel(), k.ravel()], float)
    others = np.concatenate([centres + [[0], [7 * r], [0]] for r in range(size)], axis=1)
    of_block = direct(*others, np.tile(density.ravel(), size), np.arange(60 * size) // 60 == rank)[0] - CUBE * density.ravel()

    def blocks(given):
        return solver.blocks([gravlet.Block((0, 7 * rank, 0), 1.0, given)])[0].potential.ravel()

    return [
        Slot("x of points", x, lambda a: rows(solver.points(a, y, z, m, want=want)), both),
        Slot("mass of points", m, lambda a: rows(solver.points(table, a, want=want)), both),
        Slot("softening of points", m, lambda a: solver.points(x, y, z, m, softening=a).potential, softened),
        Slot("dx of cells", m, lambda a: solver.cells(*apart, a, m).potential, of_cells),
        Slot("positions of points", table, lambda a: rows(solver.points(a, m, want=want)), both),
        Slot("positions of targets", table, lambda a: solver.points(*halves, m, targets=a).potential, at_targets),
        Slot("density of block 0", density, blocks, of_block),
    ]


class Layouts(unittest.TestCase):
    def setUp(self):
        self.slots = slots(gravlet.Solver(theta=0.0))
        self.tried = Counter()

    def try_all(self, layouts):
        for layout in layouts:
            for slot in self.slots:
                if slot.values.ndim in layout.dimensions:
                    with self.subTest(layout=layout.name, slot=slot.name):
                        self.try_one(layout, slot)
        return len({layout.name for layout in layouts})

    def try_one(self, layout, slot):
        got = []
        kind, text = raised(lambda: got.append(slot.call(layout.make(slot.values.copy()))))
        if layout.words is None:
            self.assertEqual((kind, text), (None, None))
            within = 1e-12 if got[0].dtype == np.float64 else 3e-7
            self.assertLess(np.abs(got[0] - slot.exact).max(), within * np.abs(slot.exact).max())
        else:
            self.assertEqual(kind, "InputError", text)
            self.assertIn(slot.name, text)
            self.assertIn(layout.words.replace("{0}", slot.name.split()[0]), text)
        self.tried["right" if layout.words is None else "refused"] += 1

    def test_numpy(self):
        self.assertGreaterEqual(self.try_all(NUMPY), 60)
        self.assertGreater(min(self.tried["right"], self.tried["refused"]), 100)

    def test_packages(self):
        for name, make in PACKAGES.items():
            layouts = of_package(name, make)
            if layouts is not None:
                self.try_all(layouts)
            elif rank == 0:
                print(f"no {name} here: its arrays are not tried")

    def test_on_one_rank_alone(self):
        """What is wrong on one rank is an error on all."""
        for layout in NUMPY:
            slot = self.slots[1]
            if layout.words is not None and 1 in layout.dimensions:
                values = layout.make(slot.values.copy()) if rank == size - 1 else slot.values
                kind, text = raised(lambda values=values, slot=slot: slot.call(values))
                self.assertEqual(kind, "InputError")
                self.assertTrue(size == 1 or text.startswith(f"rank {size - 1}: "), text)
                self.assertIn("mass of points", text)

    def test_one_for_all(self):
        """One number, in the forms that NumPy has of it."""
        x, y, z = self.slots[4].values.T
        solver = gravlet.Solver(theta=0.0)
        expected = solver.points(x, y, z, np.full(N, 3.0)).potential
        for one in (3, 3.0, np.float32(3), np.int8(3), np.float16(3), np.array(3.0), np.array(3, ">f4"), np.ma.array(3.0)):
            np.testing.assert_array_equal(solver.points(x, y, z, one).potential, expected)
        for wrong in (3j, "3", None, np.array(3, "M8[s]"), np.ma.masked, [3.0], np.array([3.0])):
            kind, text = raised(lambda wrong=wrong: solver.points(x, y, z, wrong))
            self.assertEqual(kind, "InputError")
            self.assertIn("mass", text)

    def test_no_bytes_are_lost(self):
        """Bools, and numbers that no smaller type has."""
        x, y, z = self.slots[4].values.T
        solver = gravlet.Solver(theta=0.0)
        chosen = np.arange(N) % 2 == 0
        np.testing.assert_array_equal(solver.points(x, y, z, chosen).potential, solver.points(x, y, z, chosen * 1.0).potential)
        fine = x + np.pi * 1e-9
        exact = solver.points(fine, y, z, 1.0).potential
        for same in (fine.astype(">f8"), backward_field(fine), memoryview(fine)):
            np.testing.assert_array_equal(solver.points(same, y, z, 1.0).potential, exact)


def backward_field(a):
    record = np.zeros(len(a), [("flag", "u1"), ("value", ">f8")])
    record["value"] = a[::-1]
    return record["value"][::-1]


if __name__ == "__main__":
    run_tests()
