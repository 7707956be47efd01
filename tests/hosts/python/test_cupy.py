#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays in a GPU's memory: read and written where they are. Says "skipped: " without CuPy, a GPU, or a backend for it."""

import sys
import unittest

import numpy as np

import gravlet

try:
    import cupy

    missing = "" if cupy.cuda.runtime.getDeviceCount() > 0 else "no GPU"
except Exception as error:  # CUDA's own where there is no driver
    missing = f"no CuPy that works ({type(error).__name__})"
if not missing and not any(name.startswith("gpu") for name in gravlet.backends()):
    missing = "gravlet was built without CUDA"

everything = ("potential", "acceleration", "tidal")
on_gpu = {"backend": "gpu", "theta": 0.6, "order": 4}


def some_points(n=20000):
    x, y, z, m = np.random.default_rng(5).random((4, n))
    return x, y, z, m / n


class OnDevice(unittest.TestCase):
    def same(self, ours, theirs):
        for name in everything:
            there, here = getattr(ours, name), getattr(theirs, name)
            self.assertIsInstance(there, cupy.ndarray)
            np.testing.assert_array_equal(cupy.asnumpy(there), here)

    def test_points(self):
        for dtype in (np.float64, np.float32):
            points = [a.astype(dtype) for a in some_points()]
            here = gravlet.Solver(**on_gpu).points(*points, want=everything)
            there = gravlet.Solver(**on_gpu).points(*[cupy.asarray(a) for a in points], want=everything)
            self.assertEqual(there.potential.dtype, dtype)
            self.same(there, here)

    def test_positions_as_one_array(self):
        *places, m = some_points()
        table = np.array(places).T.copy()
        here = gravlet.Solver(**on_gpu).points(table, m, want=everything)
        there = gravlet.Solver(**on_gpu).points(cupy.asarray(table), cupy.asarray(m), want=everything)
        self.same(there, here)
        out = gravlet.Fields(acceleration=cupy.zeros_like(table))
        gravlet.Solver(**on_gpu).points(cupy.asarray(table), 1.0 / len(m), targets=cupy.asarray(table), out=out)
        self.assertGreater(float(abs(out.acceleration).min()), 0.0)

    def test_written_in_place(self):
        points = [cupy.asarray(a) for a in some_points()]
        out = gravlet.Fields(potential=cupy.full(20000, 7.0))
        address = out.potential.data.ptr
        gravlet.Solver(**on_gpu).points(*points, out=out)
        self.assertEqual(out.potential.data.ptr, address)
        self.assertLess(float(out.potential.max()), 0.0)

    def test_blocks(self):
        density = np.random.default_rng(6).random((2, 12, 12, 12))
        corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
        make = lambda arrays: [gravlet.Block(corner, (0.125,) * 3, a[2:-2, 2:-2, 2:-2]) for corner, a in zip(corners, arrays)]
        here = gravlet.Solver(**on_gpu).blocks(make(density), want=everything)
        there = gravlet.Solver(**on_gpu).blocks(make(cupy.asarray(density)), want=everything)
        for ours, theirs in zip(there, here):
            self.same(ours, theirs)

    def test_waits_for_streams(self):
        points = some_points()
        here = gravlet.Solver(**on_gpu).points(*points, want=everything)
        solver = gravlet.Solver(**on_gpu)
        moving = [cupy.zeros(20000) for _ in range(4)]
        solver.points(*[cupy.asarray(a) for a in points])
        for stream in (cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream.null):
            with stream:
                busy = cupy.ones((4000, 4000))
                for _ in range(20):
                    busy = busy @ busy * 1e-4
                for to, a in zip(moving, points):
                    to[...] = cupy.asarray(a) + 0.0 * busy[0, 0]
                there = solver.points(*moving, want=everything)
            self.same(there, here)

    def test_refused(self):
        x, y, z, m = (cupy.asarray(a) for a in some_points())
        for arrays, words in (((x, y.astype(np.int32), z, m), "float64 or float32 is wanted"),
                              ((x, y[:-1], z, m), "y of points has the shape")):
            with self.assertRaisesRegex(gravlet.InputError, words):
                gravlet.Solver(**on_gpu).points(*arrays)


if __name__ == "__main__":
    if missing:
        sys.exit(print(f"skipped: {missing}"))
    unittest.main(verbosity=0)
