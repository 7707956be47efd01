#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Python package refuses: the same words on every rank, results as they were, the solver usable."""

import sys
import unittest

import numpy as np

import gravlet
from common import raised, rank, run_tests, size, some_points


class Errors(unittest.TestCase):
    def setUp(self):
        *everything, mine = some_points(300)
        self.own = [a[mine] for a in everything]
        self.solver = gravlet.Solver()
        self.last = rank == size - 1
        self.who = f"rank {size - 1}: " if size > 1 else ""

    def refused(self, words, *arrays, **more):
        kind, text = raised(lambda: self.solver.points(*arrays, **more))
        self.assertEqual(kind, "InputError")
        self.assertIn(words, text)
        self.assertEqual(self.solver.points(*self.own).potential.shape, self.own[0].shape)  # still usable

    def changed(self, column, array):
        return [array if self.last and c == column else a for c, a in enumerate(self.own)]

    def test_arrays(self):
        x, y, z, m = self.own
        self.refused(self.who + "y of points has the shape", *self.changed(1, y[:-1]))
        self.refused(self.who + "x of points has 2 dimensions: 1 wanted", *self.changed(0, np.array([x, y])))
        self.refused(self.who + "mass of points is of type complex128: float64 or float32 is wanted", *self.changed(3, m + 0j))
        self.refused("of type <U", *self.changed(2, np.full(len(z), "far")))
        bad = m.copy()
        bad[3] = np.nan
        self.refused("point 3", *self.changed(3, bad))
        self.refused("active of points", *self.own, active=np.ones(3, bool) if self.last else None)
        self.refused("want is force", *self.own, want="force")

    def test_results(self):
        n = len(self.own[0])
        locked = np.zeros(n)
        locked.setflags(write=not self.last)
        self.refused(self.who + "potential is read-only", *self.own, out=gravlet.Fields(potential=locked))
        short = np.zeros(n - 1 if self.last else n)
        self.refused(self.who + "potential has the shape", *self.own, out=gravlet.Fields(potential=short))
        turned = np.zeros((n, 3)).T if self.last else np.zeros((3, n))
        self.refused(self.who + "acceleration is not contiguous", *self.own, out=gravlet.Fields(acceleration=turned))
        integers = np.zeros(n, int) if self.last else np.zeros(n)
        self.refused("float64 or float32 is wanted", *self.own, out=gravlet.Fields(potential=integers))

    def test_results_are_native_reals(self):
        n = len(self.own[0])
        types = [">f8", ">f4", "c16", "c8", "f2", "g", "i8", "u1", "?", "O", "S8", [("value", "f8")]]
        for kind in types:
            other = np.zeros(n, kind if self.last else float)
            before = other.copy()
            self.refused(self.who + "potential", *self.own, out=gravlet.Fields(potential=other))
            np.testing.assert_array_equal(other, before)
        for kind in ("=f8", "<f8" if sys.byteorder == "little" else ">f8", "d", "f"):
            out = gravlet.Fields(potential=np.zeros(n, kind))
            np.testing.assert_allclose(self.solver.points(*self.own, out=out).potential, self.solver.points(*self.own).potential,
                                       rtol=1e-7)
        shifted = np.zeros(8 * n + 4, "u1")[4:].view(float) if self.last else np.zeros(n)
        self.refused("no multiple of 8 bytes", *self.own, out=gravlet.Fields(potential=shifted))
        # Input is copied if it must be.
        shifted = np.zeros(8 * n + 4, "u1")[4:].view(float)
        shifted[:] = self.own[3]
        np.testing.assert_array_equal(self.solver.points(*self.own[:3], shifted).potential, self.solver.points(*self.own).potential)
        for kind in ("c16", "g"):
            self.refused("mass of points is of type", *self.changed(3, self.own[3].astype(kind)))

    def test_flags(self):
        n = len(self.own[0])
        chosen = np.arange(n) % 3 == 0
        expected = self.solver.points(*self.own, active=chosen).potential
        for flags in (chosen.astype("u1"), -chosen.astype("i1"), 256 * chosen.astype(int), chosen.tolist(), chosen.repeat(2)[::2]):
            np.testing.assert_array_equal(self.solver.points(*self.own, active=flags).potential, expected)
        for kind in (float, "S1"):
            self.refused("active of points is of type", *self.own, active=chosen.astype(kind) if self.last else chosen)

    def test_shared_results(self):
        density, result = np.ones((4, 4, 4)), np.zeros((4, 4, 4))

        def refused(words, first, second, points=None, points_out=None):
            blocks = [gravlet.Block((4 * b, 4 * rank, 0), (1, 1, 1), *pair) for b, pair in enumerate((first, second))]
            kind, text = raised(lambda: self.solver.blocks(blocks, points=points, points_out=points_out))
            self.assertEqual(kind, "InputError")
            self.assertIn(words, text)

        refused("block 0: potential and potential of block 1 are in the same memory", (density, result), (2 * density, result))
        other = density.copy()
        refused("block 0: potential and density of block 1 are in the same memory", (density, other), (other, result))
        one_place = np.lib.stride_tricks.as_strided(result, (4, 4, 4), (0, 0, 0), writeable=True)
        refused("has all its elements in one place", (density, one_place), (other, result))
        x, y, z, m = self.own
        refused("block 1: potential and potential of points are in the same memory", (density, other.copy()), (density, result),
                dict(x=x[:9], y=y[:9], z=z[:9], mass=m[:9]), gravlet.Fields(potential=result.ravel()[7:16]))
        # Variables of one array lie between each other; a result may take the density's place.
        both = np.ones((4, 4, 4, 2))
        self.solver.blocks([gravlet.Block((0, 4 * rank, 0), (1, 1, 1), both[..., 0], potential=both[..., 1])])
        in_place = gravlet.Block((0, 4 * rank, 0), (1, 1, 1), density, potential=density)
        self.solver.blocks([in_place])
        np.testing.assert_array_equal(density, both[..., 1])

    def test_options(self):
        for options, words in (({"thta": 1}, "did you mean theta?"), ({"theta": "wide"}, "expected a number"),
                               ({"theta": 7.0}, "theta is 7"), ({"boundary": "periodic"}, "domain")):
            kind, text = raised(lambda: gravlet.Solver(**options))
            self.assertEqual(kind, "InputError")
            self.assertIn(words, text)
        kind, text = raised(lambda: gravlet.Solver(**({"order": "many"} if self.last else {})))
        self.assertIn("order", text)
        self.assertTrue(issubclass(gravlet.InputError, ValueError) and issubclass(gravlet.InputError, gravlet.Error))

    def test_shapes_of_blocks(self):
        density = np.ones((3, 4, 5))

        def refused(words, **more):
            block = gravlet.Block((0, 4 * rank, 0), (1, 1, 1), density, **(more if self.last else {}))
            kind, text = raised(lambda: self.solver.blocks([block]))
            self.assertEqual(kind, "InputError")
            self.assertIn(words, text)

        refused("potential of block 0 has the shape (3, 4, 5): 5 x 6 x 7 places are wanted", potential=np.zeros((3, 4, 5)),
                result_guards=(1, 1, 1))
        refused("face_acceleration[2] of block 0 has the shape (3, 4, 5): 4 x 4 x 5 places are wanted",
                face_acceleration=(None, None, np.zeros((3, 4, 5))))
        refused("is read-only", face_acceleration=(np.broadcast_to(0.0, (3, 4, 6)), None, None))
        kind, text = raised(lambda: self.solver.blocks([gravlet.Block((0, 4 * rank, 0), (1, 1, 1), density)], want="faces"))
        self.assertIn("want is faces: potential, acceleration, tidal or face_acceleration", text)

    def test_abandon(self):
        def call():
            if self.last:
                self.solver.abandon("no snapshot here")
            else:
                self.solver.points(*self.own)

        self.assertIn("no snapshot here", raised(call)[1])


if __name__ == "__main__":
    run_tests()
