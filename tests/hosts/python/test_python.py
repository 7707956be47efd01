#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package, on any number of ranks: mpirun -np 3 python3 test_python.py, with the package's folder in PYTHONPATH."""

import os
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock
import warnings

import numpy as np
from mpi4py import MPI

import gravlet
from common import comm, direct, raised, rank, run_tests, share, size, some_points

MPIRUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts/mpirun")


class Points(unittest.TestCase):
    def setUp(self):
        *self.all, self.mine = some_points()
        self.own = [a[self.mine] for a in self.all]

    def close(self, a, b, within):
        self.assertLess(np.abs(a - b).max(), within * np.abs(b).max())

    def test_ten_lines(self):
        potential, acceleration, tidal = direct(*self.all, self.mine)
        self.close(gravlet.potential(*self.own), potential, 3e-5)
        self.close(gravlet.acceleration(*self.own), acceleration, 1e-3)
        self.close(gravlet.tidal(*self.own, theta=0.0), tidal, 1e-9)

    def test_direct_sum(self):
        potential, acceleration, tidal = direct(*self.all, self.mine)
        result = gravlet.Solver(theta=0.0).points(*self.own, want=("potential", "acceleration", "tidal"))
        self.close(result.potential, potential, 1e-12)
        self.close(result.acceleration, acceleration, 1e-12)
        self.close(result.tidal, tidal, 1e-9)

    def test_classes(self):
        x, y, z, m, _ = *self.all, self.mine
        classes = np.arange(len(x)) % 5
        acting = np.isin(classes, (1, 4))
        potential, acceleration, _ = direct(x, y, z, np.where(acting, m, 0.0), self.mine)
        solver = gravlet.Solver(theta=0.0, acting_classes=1 << 1 | 1 << 4)
        result = solver.points(*self.own, source_class=classes[self.mine], want=("potential", "acceleration"))
        self.close(result.potential, potential, 1e-12)
        self.close(result.acceleration, acceleration, 1e-12)
        wrong = np.full(self.mine.sum(), 8)
        for flags, what in ((wrong, "point 0: source_class is 8, must be from 0 to 7"),
                            (wrong * 0.5, "source_class of points: integers from 0 to 7 are wanted")):
            kind, text = raised(lambda flags=flags: solver.points(*self.own, source_class=flags))
            self.assertEqual((kind, text.removeprefix("rank 0: ")), ("InputError", what))

    def test_probes(self):
        *places, mine = some_points(60, 5)
        there = [3.0 * a[mine] - 1.0 for a in places[:3]]
        bodies = [np.concatenate([a, b]) for a, b in zip(self.all, (*there, np.zeros(mine.sum())))]
        last = np.arange(len(bodies[0])) >= len(self.all[0])
        potential, acceleration, tidal = direct(*bodies, last)
        for theta, within in ((0.0, 1e-12), (0.3, 1e-5)):
            solver = gravlet.Solver(theta=theta, order=4)
            probes = gravlet.Probes(*there)
            solver.points(*self.own, probes=probes, want=("potential", "acceleration", "tidal"))
            self.close(probes.potential, potential, within)
            self.close(probes.acceleration, acceleration, 10 * within)
            self.close(probes.tidal, tidal, 1e3 * within)
            again = gravlet.Probes(there[0].tolist(), there[1].astype(np.float32), np.array(there).T[:, 2])
            self.assertEqual(solver.points(*self.own, probes=again).potential.shape, self.own[0].shape)
            self.close(again.potential, potential, 1e-5)
            self.assertIsNone(again.acceleration)
        side = np.full(8, 0.5)
        at = (0.25 + 0.5 * np.arange(2), [0.25, 0.75], [0.25, 0.75]) if rank == 0 else ([], [], [])
        x, y, z = (a.ravel() for a in np.meshgrid(*at))
        probes = gravlet.Probes([0.5], [0.5], [2.5])
        gravlet.Solver(theta=0.0).cells(x, y, z, side[: len(x)], np.ones(len(x)), probes=probes)
        exact = -sum(1 / np.sqrt(2 * 0.25**2 + (2.5 - h) ** 2) for h in (0.25, 0.75)) * 4
        self.close(probes.potential, np.array([exact]), 1e-12)
        spoilt = gravlet.Probes([0.5, np.nan], [0.5, 0.5], [0.5, 0.5])
        kind, text = raised(lambda: gravlet.Solver().points(*self.own, probes=spoilt))
        self.assertEqual(kind, "InputError")
        self.assertIn("probe 1: position (nan, 0.5, 0.5) is not finite", text)

    def test_softening(self):
        potential = direct(*self.all, self.mine, 0.05)[0]
        one = gravlet.potential(*self.own, theta=0.0, softening=0.05)
        each = gravlet.potential(*self.own, theta=0.0, softening=np.full(len(self.own[0]), 0.05))
        self.close(one, potential, 1e-12)
        np.testing.assert_allclose(one, each, rtol=1e-13)

    def test_floats(self):
        singles = [a.astype(np.float32) for a in self.own]
        result = gravlet.Solver(**share).points(*singles, want=("potential", "acceleration"))
        self.assertEqual(result.potential.dtype, np.float32)
        doubles = gravlet.Solver(**share).points(*[a.astype(np.float64) for a in singles], want=("potential", "acceleration"))
        np.testing.assert_array_equal(result.potential, doubles.potential.astype(np.float32))
        np.testing.assert_array_equal(result.acceleration, doubles.acceleration.astype(np.float32))

    def test_lists_strides_and_integers(self):
        reference = gravlet.potential(*self.own)
        table = np.array(self.own).T.copy()
        np.testing.assert_array_equal(gravlet.potential(*table.T), reference)
        np.testing.assert_array_equal(gravlet.potential(*[a.tolist() for a in self.own]), reference)
        n = len(self.own[0])
        corners = np.arange(n) + n * rank
        self.assertEqual(gravlet.potential(corners, 0 * corners, 0 * corners, np.ones(n, int)).shape, (n,))

    def test_out_and_active(self):
        n = len(self.own[0])
        solver = gravlet.Solver(active_bits="same")
        every = solver.points(*self.own)
        out = gravlet.Fields(potential=np.full(n, -7.0))
        active = np.arange(n) % 2 == 0
        self.assertIs(solver.points(*self.own, active=active, out=out), out)
        np.testing.assert_array_equal(out.potential, np.where(active, every.potential, -7.0))

    def test_what_changes_between_solves(self):
        solver = gravlet.Solver()
        first = solver.points(*self.own).potential
        solver.set_G(0.25)
        self.assertTrue(np.array_equal(solver.points(*self.own).potential, 0.25 * first))
        self.assertEqual(raised(lambda: solver.set_G(-1.0))[0], "InputError")
        other = gravlet.Solver(G=0.25, softening=0.1, domain=((-9, -9, -9), (9, 9, 9)))
        changing = gravlet.Solver(G=0.25)
        changing.set_softening(0.1)
        changing.set_domain((-9, -9, -9), [9, 9, 9])
        self.assertTrue(np.array_equal(changing.points(*self.own).potential, other.points(*self.own).potential))
        self.assertEqual(changing.options["softening"], "0.1")
        box = {"boundary": "periodic", "domain": ((0, 0, 0), (1, 1, 1)), **share}
        sheared = gravlet.Solver(**box)
        sheared.set_shear(0.25)
        np.testing.assert_array_equal(sheared.points(*self.own).potential,
                                      gravlet.Solver(shear=0.25, **box).points(*self.own).potential)
        for call, words in ((lambda: changing.set_softening(-1), "softening is -1"), (lambda: changing.set_domain(0, 1), "lower has 1"),
                            (lambda: changing.set_shear("much"), "shear"), (lambda: changing.set_shear(1), "must be periodic in x and y"),
                            (lambda: changing.set_domain((0, 0, 0), (1, 0, 1)), "domain: from 0 to 0")):
            kind, text = raised(call)
            self.assertEqual(kind, "InputError")
            self.assertIn(words, text)

        for flags in (None, np.ones(len(self.own[0]), bool), np.zeros(len(self.own[0]), np.uint8)):
            solver.only_changed(flags)
            self.assertTrue(np.array_equal(solver.points(*self.own).potential, 0.25 * first))
        solver.only_changed([True])
        self.assertIn("1 flags of what has changed", raised(lambda: solver.points(*self.own))[1])
        self.assertEqual(raised(lambda: solver.only_changed([0.5]))[0], "InputError")

        moving = gravlet.Solver(keep_moved=True, theta=0.6)
        x, y, z, mass = self.own
        predicted = []
        for step in range(4):
            if step > 0:
                moving.drifted(np.ones(len(x)), np.zeros(len(x)), np.zeros(len(x)), 1e-4)
            moving.points(x + 1e-4 * step, y, z, mass)
            predicted.append(moving.report["predicted_nodes"])
        self.assertTrue(predicted[:2] == [0, 0] and predicted[2] > 0, predicted)
        moving.drifted([1.0], [1.0], [1.0], 1e-4)
        self.assertIn("1 velocities in x", raised(lambda: moving.points(*self.own))[1])

        steered, restarted = (gravlet.Solver(tolerance=1e-4) for _ in range(2))
        steered.points(*self.own)
        state = steered.get_steering()
        restarted.set_steering(state)
        self.assertTrue(state.shape == (80,) and state.any() and np.array_equal(restarted.get_steering(), state))
        for wrong in (state[:-1], -state):
            self.assertEqual(raised(lambda wrong=wrong: restarted.set_steering(wrong))[0], "InputError")
        self.assertTrue(np.array_equal(steered.points(*self.own).potential, restarted.points(*self.own).potential))

    def test_tolerances_that_are_not_kept(self):
        hard = {"backend": "cpu", "criterion": "multipole", "tolerance": 1e-6, "tolerance_of": "potential"}  # for a first walk
        with self.assertWarnsRegex(RuntimeWarning, "1e-06 is not kept"):
            gravlet.acceleration(*self.own, tolerance_effort=1, **hard)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            gravlet.acceleration(*self.own, **hard)
        solver = gravlet.Solver(**hard)
        solver.points(*self.own, want="acceleration")
        report = solver.report["tolerance"]
        self.assertTrue(report["kept"])
        self.assertGreater(report["walks"], 1)
        self.assertEqual(report["floor"], 0.0)

    def test_blocks_are_cells(self):
        density = 1 + np.random.default_rng(rank).random((4, 6, 8))
        block = gravlet.Block(lower=(0, 0, 1.0 * rank), cell_size=(0.125, 0.125, 0.25), density=density)
        solver = gravlet.Solver(theta=0.0)
        solver.blocks([block], want=("potential", "acceleration"))
        k, j, i = np.meshgrid(np.arange(4), np.arange(6), np.arange(8), indexing="ij")
        flat = lambda a: a.ravel().astype(float)
        d = np.full(density.size, 0.125)
        cells = solver.cells(0.125 * (flat(i) + 0.5), 0.125 * (flat(j) + 0.5), rank + 0.25 * (flat(k) + 0.5), d,
                             density.ravel() * 0.125**2 * 0.25, dy=d, dz=2 * d, want=("potential", "acceleration"))
        np.testing.assert_allclose(block.potential.ravel(), cells.potential, rtol=1e-13)
        np.testing.assert_allclose(block.acceleration.reshape(3, -1), cells.acceleration, rtol=1e-9, atol=1e-12)
        # Interiors of arrays with guard cells, read and written in place.
        whole = np.full((3, 4 + 4, 6 + 4, 8 + 4), -7.0)
        inside = whole[:, 2:-2, 2:-2, 2:-2]
        inside[0] = density
        view = gravlet.Block(block.lower, block.cell_size, density=inside[0], potential=inside[1])
        solver.blocks([view])
        np.testing.assert_array_equal(inside[1], block.potential)
        self.assertEqual((whole == -7.0).sum(), whole.size - 2 * density.size)

    def test_results_in_guard_cells(self):
        """Guard cells get what those are given who ask there: cells of no mass are, in a solve of the whole."""
        whole = 1 + np.random.default_rng(4).random((8, 6, 2 + 4 * size))  # z, y, x; ranks side by side in x
        mine = whole[2:6, 1:5, 1 + 4 * rank:5 + 4 * rank]
        solver = gravlet.Solver(theta=0.2, order=4, **share)
        block = gravlet.Block((4.0 * rank, 0, 0), (1, 1, 1), mine, result_guards=(1, 1, 2))
        solver.blocks([block], want=("potential", "acceleration", "tidal"))
        self.assertEqual(block.acceleration.shape, (3, 8, 6, 6))
        self.assertEqual(block.tidal.shape, (6, 8, 6, 6))
        k, j, i = np.meshgrid(np.arange(-2, 6), np.arange(-1, 5), np.arange(-1, 5) + 4 * rank, indexing="ij")
        at = np.array([i, j, k]).reshape(3, -1) + 0.5
        sources = np.meshgrid(np.arange(4), np.arange(4), np.arange(4 * size), indexing="ij")
        of = np.array(sources[::-1]).reshape(3, -1) + 0.5
        mass = whole[2:6, 1:5, 1:1 + 4 * size].ravel()
        d = of[:, None, :] - at[:, :, None]
        r2 = (d**2).sum(axis=0)
        r2[r2 == 0] = np.inf
        acceleration = (mass * d / r2**1.5).sum(axis=2)
        own = ((at > 0) & (at < np.array([4 * size, 4, 4])[:, None])).all(axis=0)
        potential = -(mass / np.sqrt(r2)).sum(axis=1)
        cube = 3 * np.log(2 + np.sqrt(3)) - np.pi / 2  # the potential in the middle of a cube of mass and side 1
        x, y, z = (at[:, own] - 0.5).astype(int)
        potential[own] -= cube * whole[2:6, 1:5, 1:-1][z, y, x]
        self.close(block.potential.ravel(), potential, 1e-6)
        self.close(block.acceleration.reshape(3, -1), acceleration, 1.5e-6)
        r2[r2 == np.inf] = 1e100
        pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
        tidal = np.array([(mass * (3 * d[a] * d[b] / r2**2.5 - (a == b) / r2**1.5)).sum(axis=1) for a, b in pairs])
        self.close(block.tidal.reshape(6, -1), tidal, 1.8e-6)
        # Of a larger array of other strides, the places alone.
        array = np.full((4, 10, 8, 8), -7.0).transpose(0, 1, 3, 2)
        view = gravlet.Block(block.lower, block.cell_size, mine, potential=array[0, 1:-1, 1:-1, 1:-1],
                             acceleration=array[1:, 1:-1, 1:-1, 1:-1], result_guards=(1, 1, 2))
        solver.blocks([view], want=("potential", "acceleration", "tidal"))
        np.testing.assert_array_equal(view.potential, block.potential)
        np.testing.assert_array_equal(view.acceleration, block.acceleration)
        self.assertEqual((array == -7.0).sum(), array.size - 4 * block.potential.size)

    def test_faces(self):
        whole = 1 + np.random.default_rng(5).random((3, 4, 5 * size))
        mine = np.ascontiguousarray(whole[:, :, 5 * rank:5 * rank + 5])
        solver = gravlet.Solver(theta=0.2, order=4, **share)
        block = gravlet.Block((5.0 * rank, 0, 0), (1, 1, 1), mine)
        solver.blocks([block], want=("potential", "face_acceleration"))
        sources = np.meshgrid(np.arange(3), np.arange(4), np.arange(5 * size), indexing="ij")
        of = np.array(sources[::-1]).reshape(3, -1) + 0.5
        for axis in range(3):
            shape = tuple(n + (d == axis) for d, n in zip((2, 1, 0), mine.shape))
            self.assertEqual(block.face_acceleration[axis].shape, shape)
            k, j, i = np.meshgrid(*map(np.arange, shape), indexing="ij")
            at = np.array([i + 5 * rank, j, k]).reshape(3, -1) + 0.5
            at[axis] -= 0.5
            d = of[:, None, :] - at[:, :, None]
            expected = (whole.ravel() * d[axis] / (d**2).sum(axis=0)**1.5).sum(axis=1)
            self.close(block.face_acceleration[axis].ravel(), expected, 3e-6)
        # One direction alone, in every second place of an array.
        array = np.full((3, 5, 10), -7.0)
        alone = gravlet.Block(block.lower, block.cell_size, mine, potential=np.zeros(mine.shape),
                              face_acceleration=(None, array[:, :, ::2], None))
        solver.blocks([alone])
        self.close(array[:, :, ::2], block.face_acceleration[1], 3e-6)
        self.assertTrue((array[:, :, 1::2] == -7.0).all())

    def test_cells_with_points(self):
        n = len(self.own[0])
        side = np.full(8, 0.5)
        cells = [np.array(c) + 10.0 * rank for c in ([0.25, 0.75] * 4, [0.25] * 2 + [0.75] * 2 + [0.25] * 2 + [0.75] * 2,
                                                      [0.25] * 4 + [0.75] * 4)]
        along = gravlet.Fields(potential=np.zeros(n))
        solver = gravlet.Solver()
        result = solver.cells(*cells, side, np.ones(8), points=dict(zip("xyz", self.own[:3]), mass=self.own[3]), points_out=along)
        self.assertTrue((result.potential < 0).all() and (along.potential < 0).all())

    def test_communicators(self):
        alone = gravlet.Solver(MPI.COMM_SELF).points(*self.own).potential
        potential = direct(*self.own, np.ones(len(self.own[0]), bool))[0]
        self.close(alone, potential, 3e-5)
        half = comm.Split(rank % 2)
        self.assertEqual(gravlet.Solver(half).points(*self.own).potential.shape, self.own[0].shape)
        half.Free()

    def test_report_and_options(self):
        solver = gravlet.Solver(theta=0.5, order=4, error_samples=50, threads=1)
        solver.points(*self.own, want=("potential", "acceleration"))
        report = solver.report
        self.assertEqual(report["targets"], 1500)
        self.assertEqual(report["ranks"], size)
        self.assertEqual(report["potential_error"]["samples"], 50)
        self.assertIsNone(report["tidal_error"])
        self.assertLess(report["net_force"], 1e-3)
        self.assertIn("walk", report["stages"])
        self.assertIn("stage", solver.report_text)
        self.assertEqual(solver.options["theta"], "0.5")
        self.assertEqual(gravlet.options()["order"]["type"], "integer")
        box = gravlet.Solver(boundary=("periodic", "periodic", "isolated"), domain=((0, 0, 0), (1, 1, 1.0)), keep_tree=False)
        self.assertEqual(box.options["boundary"], "[periodic, periodic, isolated]")

    @unittest.skipIf(size > 1, "of one process")
    def test_without_mpi4py(self):
        script = ("import sys; sys.modules['mpi4py'] = None; import gravlet; "
                  "print(*gravlet.potential([0, 3.0], [0, 4], [0, 0], [1, 2]))")
        alone = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "MPI"))}
        said = subprocess.run([sys.executable, "-c", script], env=alone, capture_output=True, text=True, check=True).stdout
        np.testing.assert_allclose([float(word) for word in said.split()], [-0.4, -0.2], rtol=1e-6)
        # One of several ranks would solve by itself.
        several = subprocess.run([MPIRUN, "2", sys.executable, "-c", script], env=alone, capture_output=True,
                                 text=True, check=False)
        self.assertNotEqual(several.returncode, 0)
        self.assertIn("this is one of 2 ranks: to solve together they need mpi4py", several.stderr)

    def test_another_mpi(self):
        compiled, ours = gravlet._gravlet.mpi_libraries()
        self.assertEqual(ours, MPI.Get_library_version().strip("\0"))
        for pretended in ((compiled, "MPICH Version: 9.9"), ("MPICH or its like" if compiled == "Open MPI" else "Open MPI", ours)):
            with unittest.mock.patch.object(gravlet._gravlet, "mpi_libraries", lambda said=pretended: said):
                with self.assertRaisesRegex(gravlet.Error, "mpi4py has another MPI than gravlet.*Both must be") as caught:
                    gravlet.Solver()
            self.assertEqual(caught.exception.code, "communication")
            self.assertIn(ours.splitlines()[0], str(caught.exception))

    def test_listener(self):
        class Heard:
            stages, told, interval = [], [], 1e-9

            def begin_stage(self, name):
                self.stages.append(name)

            def progress(self, what, done):
                self.told.append((what, done))

        heard = Heard()
        gravlet.Solver(theta=0.0, listener=heard, **share).points(*self.own)
        self.assertEqual(set(heard.stages), {"direct"})
        self.assertEqual(heard.told[-1:], [("direct sum", 1.0)])

    def test_listener_that_calls_its_solver(self):
        class Meddler:
            solver, refused = None, []

            def begin_stage(self, _):
                for call in (lambda: self.solver.points(*own), lambda: self.solver.abandon("no more")):
                    try:
                        call()
                    except gravlet.InputError as error:
                        self.refused.append(str(error))

        own = self.own
        meddler = Meddler()
        meddler.solver = gravlet.Solver(listener=meddler, **share)
        potential = meddler.solver.points(*own).potential
        self.assertGreater(len(meddler.refused), 10)
        for words in meddler.refused:
            self.assertIn("in a call already", words)
        np.testing.assert_array_equal(meddler.solver.points(*own).potential, potential)

    def test_other_threads_run(self):
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)

        x, y, z, m, _ = some_points(20000)
        thread = threading.Thread(target=count)
        thread.start()
        before, start = counted[0], time.monotonic()
        gravlet.Solver(MPI.COMM_SELF, theta=0.0, threads=1).points(x, y, z, m)
        seconds = time.monotonic() - start
        after = counted[0]
        stop.set()
        thread.join()
        self.assertGreater(after - before, 20 * seconds)


if __name__ == "__main__":
    run_tests()
