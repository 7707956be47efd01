# SPDX-License-Identifier: Apache-2.0
"""Solves that end early: by Ctrl-C and other signals of Python, and by a listener. Run on any number of ranks."""

import signal
import sys
import unittest

import gravlet
import numpy as np
from common import raised, rank, run_tests, share, size, some_points

last = size - 1


class Stop(Exception):
    """What a signal's handler raises, as Ctrl-C's raises KeyboardInterrupt."""


def stop(*_):
    raise Stop("enough")


class Signals(unittest.TestCase):
    def test_a_handler_ends_a_long_solve(self):
        x, y, z, m, mine = some_points(40000 * size)
        solver = gravlet.Solver(theta=0.0, backend="cpu", threads=1, **share)
        potential = np.full(mine.sum(), 99.0)
        before = signal.signal(signal.SIGALRM, stop)
        try:
            if rank == last:
                signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaises(Stop if rank == last else gravlet.Error) as caught:
                solver.points(x[mine], y[mine], z[mine], m[mine], out=gravlet.Fields(potential=potential))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
        if rank == last:
            self.assertEqual(str(caught.exception), "enough")
        else:
            self.assertEqual(caught.exception.code, "cancelled")
        self.assertTrue((potential == 99.0).all())
        few = np.arange(len(x[mine])) < 100
        after = solver.points(x[mine][few], y[mine][few], z[mine][few], m[mine][few])
        self.assertTrue((after.potential < 0).all())


class Listens:
    def __init__(self):
        self.ends = False
        self.asked = 0

    def cancelled(self):
        self.asked += 1
        return self.ends


class Listeners(unittest.TestCase):
    def test_a_listener_ends_a_solve(self):
        x, y, z, m, mine = some_points()
        listener = Listens()
        solver = gravlet.Solver(listener=listener, **share)

        def solve():
            return solver.points(x[mine], y[mine], z[mine], m[mine]).potential

        expected = solve()
        self.assertGreater(listener.asked, 0)
        listener.ends = rank == last
        kind, text = raised(solve)
        self.assertEqual(kind, "Error")
        self.assertIn("cancelled by a listener", text)
        listener.ends = False
        self.assertTrue((solve() == expected).all())

    def test_what_it_raises_is_its_own_affair(self):
        class Raises(Listens):
            def cancelled(self):
                raise Stop("not that way")

        x, y, z, m, mine = some_points()
        heard, sys.unraisablehook = sys.unraisablehook, lambda *_: None
        try:
            result = gravlet.Solver(listener=Raises(), **share).points(x[mine], y[mine], z[mine], m[mine])
        finally:
            sys.unraisablehook = heard
        self.assertTrue((result.potential < 0).all())


if __name__ == "__main__":
    run_tests()
