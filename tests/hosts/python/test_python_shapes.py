#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shapes and precision of what goes in and comes out: positions as one array or three, targets, one number for all, results in
arrays that a caller brings, blocks in views; solvers that are closed. On any number of ranks."""

import gc
import sys
import types
import unittest
import unittest.mock

import numpy as np
from mpi4py import MPI

import gravlet
from common import direct, everything, raised, rank, run_tests, share, size, some_points


class Shapes(unittest.TestCase):
    def setUp(self):
        *self.all, mine = some_points(300)
        self.own = [a[mine] for a in self.all]
        self.table = np.array(self.own[:3]).T.copy()
        self.m = self.own[3]
        self.exact = direct(*self.all, mine)
        self.solver = gravlet.Solver(theta=0.0)

    def close(self, a, b, within=1e-12):
        self.assertEqual(a.shape, b.shape)
        self.assertLess(np.abs(a - b).max(), within * np.abs(b).max())

    def refused(self, words, call):
        kind, text = raised(call)
        self.assertEqual(kind, "InputError", text)
        self.assertIn(words, text)

    def matrices(self, six):
        """(n, 3, 3) of (6, n): by rows xx xy xz, xy yy yz, xz yz zz."""
        xx, xy, xz, yy, yz, zz = six
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)

    def test_one_array(self):
        potential, acceleration, tidal = self.exact
        result = self.solver.points(self.table, self.m, want=everything)
        self.close(result.potential, potential)
        self.close(result.acceleration, acceleration.T)
        self.close(result.tidal, self.matrices(tidal), 1e-9)
        for array in (result.acceleration, result.tidal):
            self.assertTrue(array.flags.c_contiguous)
        self.close(gravlet.potential(self.table, self.m, theta=0.0), potential)
        self.close(gravlet.acceleration(self.table, mass=self.m, theta=0.0), acceleration.T)
        self.close(gravlet.tidal(positions=self.table, mass=self.m, theta=0.0), self.matrices(tidal), 1e-9)

    def test_three_arrays(self):
        potential, acceleration, tidal = self.exact
        x, y, z, m = self.own
        for call in (lambda: self.solver.points(x, y, z, m, want=everything),
                     lambda: self.solver.points(x, y, z=z, mass=m, want=everything),
                     lambda: self.solver.points(x=x, y=y, z=z, mass=m, want=everything),
                     lambda: self.solver.points((x, y, z), m, want=everything)):
            result = call()
            self.close(result.potential, potential)
            self.close(result.acceleration, acceleration)
            self.close(result.tidal, tidal, 1e-9)

    def test_three_by_three(self):
        """Three rows, as any other number of them."""
        rows = np.array([[0.0, 0, 0], [3, 4, 0], [0, 0, 2]]) + 10.0 * rank
        alone = gravlet.Solver(MPI.COMM_SELF, theta=0.0)
        expected = alone.points(*rows.T.copy(), 1.0).potential
        for given in (rows, rows.tolist(), np.asfortranarray(rows)):
            np.testing.assert_array_equal(alone.points(given, 1.0).potential, expected)
        np.testing.assert_array_equal(alone.points(tuple(rows.T), 1.0).potential, expected)
        self.assertIn("is a tuple of tuples", raised(lambda: alone.points(tuple(map(tuple, rows)), 1.0))[1])

    def test_none_on_a_rank(self):
        for empty in (np.zeros((0, 3)), []):
            table, m = (self.table, self.m) if rank == 0 else (empty, 1.0)
            result = self.solver.points(table, m, want=everything)
            n = len(self.m) if rank == 0 else 0
            self.assertEqual([getattr(result, name).shape for name in everything], [(n,), (n, 3), (n, 3, 3)])

    def test_arguments_that_are_neither(self):
        x, y, z, m = self.own
        n = len(m)
        for words, call in (
                (f"(3, {n}): (N, 3) is wanted; pass its transpose, .T, or x, y, z", lambda: self.solver.points(self.table.T, m)),
                (f"(3, {n}): (N, 3) is wanted; pass its transpose", lambda: self.solver.points([x, y, z], m)),
                (f"has the shape ({n}, 2): (N, 3) is wanted", lambda: self.solver.points(self.table[:, :2], m)),
                (f"positions of points has the shape ({n},): (N, 3) is wanted", lambda: self.solver.points(x, m)),
                ("points are given by positions (N, 3), mass, or by x, y, z, mass: not by", lambda: self.solver.points(x, y, z)),
                ("not by a ndarray", lambda: self.solver.points(self.table)),
                ("not by nothing", lambda: self.solver.points()),
                ("points are given by", lambda: self.solver.points(x, y, z, x=m)),
                ("points have no argument radius", lambda: self.solver.points(x, y, z, m, radius=1.0)),
                ("cells are given by positions (N, 3), dx, mass, or by x, y, z, dx, mass", lambda: self.solver.cells(x, y, z, m)),
                ("points have no argument weight", lambda: self.solver.cells(x, y, z, 1e-3, m, points={"weight": 1.0})),
                (f"mass of points has the shape (2): ({n}) is wanted", lambda: self.solver.points(self.table, [1.0, 2.0])),
                ("x of points is one number, as y and z are", lambda: self.solver.points(0.5, 0.5, 0.5, m)),
                ("mass of points is None", lambda: self.solver.points(self.table, None)),
                ("x of points is None", lambda: self.solver.points(None, y, z, m))):
            with self.subTest(words):
                self.refused(words, call)
        self.assertEqual(self.solver.points(*self.own).potential.shape, m.shape)

    def test_targets(self):
        *places, mine = some_points(40, 3)
        there = np.array([2.0 * a[mine] - 0.5 for a in places[:3]])
        bodies = [np.concatenate([a, b]) for a, b in zip(self.all, (*there, np.zeros(mine.sum())))]
        potential, acceleration, tidal = direct(*bodies, np.arange(len(bodies[0])) >= 300)
        for given in (self.own, (self.table, self.m)):
            rows = self.solver.points(*given, targets=there.T, want=everything)
            self.close(rows.potential, potential)
            self.close(rows.acceleration, acceleration.T)
            self.close(rows.tidal, self.matrices(tidal), 1e-9)
            columns = self.solver.points(*given, targets=tuple(there), want=everything)
            self.close(columns.acceleration, acceleration)
            self.close(columns.tidal, tidal, 1e-9)
        self.assertEqual(self.solver.report["targets"], 40)
        self.close(gravlet.acceleration(self.table, self.m, targets=there.T, theta=0.0), acceleration.T)
        out = gravlet.Fields(acceleration=np.zeros_like(there.T))
        self.assertIs(self.solver.points(*self.own, targets=there.T, out=out), out)
        self.close(out.acceleration, acceleration.T)
        probes = gravlet.Probes(there.T)
        beside = self.solver.points(*self.own, probes=probes, want="acceleration")
        self.close(probes.acceleration, acceleration.T)
        self.close(beside.acceleration, self.exact[1])
        far = self.solver.cells(*(1e3 * self.table.T), 1e-3, self.m, targets=1e3 * there.T, want="acceleration").acceleration
        self.close(far, 1e-6 * acceleration.T)
        for words, targets in (("positions of targets has the shape (3,): (N, 3)", [0.5, 0.5, 0.5]),
                               ("y of targets has the shape (2)", ([0.5], [0.5, 0.2], [0.5])),
                               ("positions of targets has the shape (2, 2)", ([0.5, 0.5], [0.5, 0.5]))):
            self.refused(words, lambda targets=targets: self.solver.points(*self.own, targets=targets))
        self.refused("targets and probes are given", lambda: self.solver.points(*self.own, targets=there.T, probes=probes))

    def test_one_number_for_all(self):
        x, y, _, m = self.own
        n = len(m)
        full = lambda one: np.full(n, one)
        same = np.testing.assert_array_equal
        same(self.solver.points(self.table, 0.25).potential, self.solver.points(self.table, full(0.25)).potential)
        same(self.solver.points(x, y, 0.0, m).potential, self.solver.points(x, y, full(0.0), m).potential)
        same(*(self.solver.points(self.table, m, softening=length).potential for length in (0.1, full(0.1))))
        same(self.solver.points(self.table, m, active=False, source_class=1).potential, full(0.0))
        table = 1e3 * self.table
        same(self.solver.cells(table, 1e-3, 1.0, dy=2e-3, dz=3e-3).potential,
             self.solver.cells(*table.T, full(1e-3), full(1.0), dy=full(2e-3), dz=full(3e-3)).potential)
        for cube in (0.5, np.float32(0.5), np.array(0.5), [0.5, 0.5, 0.5], np.full(3, 0.5, ">f4")):
            one, other = (gravlet.Block((0, 2 * rank, 0), side, np.ones((2, 2, 2))) for side in (cube, (0.5, 0.5, 0.5)))
            self.solver.blocks([one])
            self.solver.blocks([other])
            same(one.potential, other.potential)

    def test_precision_of_results(self):
        f4 = lambda a: np.asarray(a, np.float32)
        x, y, z, m = (f4(a) for a in self.own)
        single, double = np.float32, np.float64
        for kind, arguments, more in (
                (single, (x, y, z, m), {}), (single, (f4(self.table), m), {}), (single, (f4(self.table), 1.0), {}),
                (single, (x, y, z, m), {"softening": f4(m)}), (double, (x, y, z, m), {"softening": self.m}),
                (double, (x.astype(double), y, z, m), {}), (double, (x, y, z, self.m), {}), (double, (self.table, m), {}),
                (double, (x, y, z, m.astype(np.float16)), {}), (double, (x, y, z, m.astype(int)), {}),
                (double, (x, y, z, m.tolist()), {}),
                (double, (x, y, z, m), {"targets": self.table}), (single, (x, y, z, m), {"targets": f4(self.table)}),
                (double, (x, y, z, np.float64(1.0)), {}), (single, (x, y, z, np.float32(1.0)), {})):
            with self.subTest(kind=kind, more=more):
                self.assertEqual(self.solver.points(*arguments, **more).potential.dtype, kind)
        for kind in (single, double):
            probes = gravlet.Probes(f4(self.table) + 2.0)
            block = gravlet.Block((0, 2 * rank, 0), 1.0, np.ones((2, 2, 2), kind))
            self.solver.blocks([block], probes=probes)
            self.assertEqual([block.potential.dtype, probes.potential.dtype], [kind, kind])
        for kind, dx in ((single, 1e-4), (single, np.full(len(x), 1e-4, "f4")), (double, np.full(len(x), 1e-4))):
            self.assertEqual(self.solver.cells(x, y, z, dx, m).potential.dtype, kind)

    def test_out_beside_one_array(self):
        n = len(self.m)
        right = self.solver.points(self.table, self.m, want=everything)
        wide = np.full((n, 2, 9), -7.0)  # results in places of a larger table
        out = gravlet.Fields(potential=wide[:, 1, 4], acceleration=wide[:, 0, ::3], tidal=np.full((n, 3, 3), -7.0, "f4"))
        self.assertIs(self.solver.points(self.table, self.m, out=out), out)
        np.testing.assert_array_equal(out.potential, right.potential)
        np.testing.assert_array_equal(out.acceleration, right.acceleration)
        np.testing.assert_array_equal(out.tidal, right.tidal.astype("f4"))
        self.assertEqual((wide == -7.0).sum(), 14 * n)
        half = np.arange(n) % 2 == 0
        before = [np.arange(3.0 * n).reshape(n, 3), self.matrices(np.arange(6.0 * n).reshape(6, n))]
        out = gravlet.Fields(None, *(a.copy() for a in before))
        gravlet.Solver(theta=0.0, active_bits="same").points(self.table, self.m, out=out, active=half)
        self.close(out.acceleration, np.where(half[:, None], right.acceleration, before[0]))
        self.close(out.tidal, np.where(half[:, None, None], right.tidal, before[1]))

    def test_out_refused(self):
        n = len(self.m)
        room = np.zeros((n, 8))
        locked = np.zeros((n, 3))
        locked.setflags(write=False)
        one_place = np.lib.stride_tricks.as_strided(np.zeros(3), (n, 3), (0, 8), writeable=True)
        sliding = np.lib.stride_tricks.as_strided(np.zeros(n + 2), (n, 3), (8, 8), writeable=True)
        masked = np.ma.masked_less(np.zeros((n, 3)), 1.0)
        for words, fields in (
                ("acceleration is of type >f8: float64 or float32 is wanted", {"acceleration": np.zeros((n, 3), ">f8")}),
                ("acceleration is of type complex128", {"acceleration": np.zeros((n, 3), complex)}),
                ("acceleration is of type int64", {"acceleration": np.zeros((n, 3), np.int64)}),
                ("acceleration is of type float16", {"acceleration": np.zeros((n, 3), "f2")}),
                ("acceleration is read-only", {"acceleration": locked}),
                ("acceleration is masked", {"acceleration": masked}),
                ("acceleration is no array", {"acceleration": np.zeros((n, 3)).tolist()}),
                (f"acceleration has the shape (3, {n}): ({n}, 3) is wanted", {"acceleration": np.zeros((3, n))}),
                (f"tidal has the shape (6, {n}): ({n}, 3, 3) is wanted", {"tidal": np.zeros((6, n))}),
                ("potential has the shape", {"potential": np.zeros(n + 1), "acceleration": np.zeros((n, 3))}),
                ("potential is of type >f8", {"potential": np.zeros(n, ">f8")}),
                ("potential of points and acceleration of points are in the same memory",
                 {"acceleration": room[:, :3], "potential": room[:, 2]}),
                ("acceleration of points and positions of points are in the same memory", {"acceleration": self.table}),
                ("acceleration has elements in one place", {"acceleration": one_place}),
                ("acceleration has elements in one place", {"acceleration": sliding})):
            with self.subTest(words):
                before = {name: np.array(a) for name, a in fields.items()}
                given = gravlet.Fields(**fields)
                self.refused(words, lambda given=given: self.solver.points(self.table, self.m, out=given))
                for name, array in fields.items():
                    np.testing.assert_array_equal(np.ma.getdata(array), np.ma.getdata(before[name]))
        shared = np.zeros((n, 3))
        self.refused("acceleration of cells and acceleration of points are in the same memory", lambda: self.solver.cells(
            1e3 * self.table + 1e3, 1e-3, 1.0, out=gravlet.Fields(acceleration=shared),
            points={"positions": self.table, "mass": self.m}, points_out=gravlet.Fields(acceleration=shared)))
        self.assertFalse(shared.any())

    def test_blocks_in_views(self):
        """A new result lies as one that a caller has brought."""
        density = 1.0 + np.random.default_rng(3).random((3, 4, 5))
        block = lambda **more: gravlet.Block((0, 4 * rank, 0), 1.0, density, **more)
        plain = block()
        self.solver.blocks([plain], want=everything)
        wide = np.full((7, 8, 9), -7.0)
        inside = wide[2:-2, 2:-2, 2:-2]
        for view in (inside, inside[::-1, :, ::-1], np.zeros((3, 4, 5, 6))[..., 2], np.zeros((5, 4, 3)).T,
                     wide.astype("f4")[2:-2, 2:-2, 2:-2]):
            given = block(potential=view)
            self.solver.blocks([given], want=everything)
            self.assertIs(given.potential, view)
            self.close(view, plain.potential, 1e-7)
            for name in ("acceleration", "tidal"):
                self.close(getattr(given, name), getattr(plain, name))
        other = block(potential=wide[2:-2, 2:-2, 2:-2], acceleration=np.zeros((3, 3, 4, 5)))
        self.refused("lies in other strides than the results before it", lambda: self.solver.blocks([other]))
        of_guards = np.full((2, 7, 10, 9), -7.0)
        given, plain = block(potential=of_guards[0, 1:-1, 2:-2, 1:-1], result_guards=[1, 1, 1]), block(result_guards=(1, 1, 1))
        solver = gravlet.Solver(theta=0.4, **share)
        for one in (given, plain):
            solver.blocks([one], want=everything)
        for name in everything:
            np.testing.assert_array_equal(getattr(given, name), getattr(plain, name))
        self.assertEqual((of_guards == -7.0).sum(), of_guards.size - 5 * 6 * 7)

    def test_arrays_of_a_device(self):
        """CuPy's functions in stand-ins whose memory is the host's: test_cupy.py has the others."""

        class OnDevice(np.ndarray):
            @property
            def __cuda_array_interface__(self):
                return {**self.__array_interface__, "version": 3}

        there = lambda make: lambda *given, **more: make(*given, **more).view(OnDevice)
        names = ("array", "asarray", "ascontiguousarray", "full", "zeros")
        cupy = types.SimpleNamespace(**{name: there(getattr(np, name)) for name in names})
        x, y, z, m = (cupy.asarray(a) for a in self.own)
        right = self.solver.points(self.table, self.m, want=everything)
        with unittest.mock.patch.dict(sys.modules, cupy=cupy):
            for given in ((cupy.asarray(self.table), m), (cupy.asarray(np.asfortranarray(self.table)), m)):
                result = self.solver.points(*given, want=everything)
                for name in everything:
                    self.assertIsInstance(getattr(result, name), OnDevice)
                    np.testing.assert_array_equal(getattr(result, name), getattr(right, name))
            potential = self.solver.points(x, y, z, 1.0, softening=0.1).potential
            np.testing.assert_array_equal(potential, self.solver.points(self.table, 1.0, softening=0.1).potential)
            out = gravlet.Fields(acceleration=cupy.zeros((len(m), 3)), tidal=cupy.zeros((len(m), 3, 3)))
            self.solver.points(cupy.asarray(self.table), m, out=out)
            np.testing.assert_array_equal(out.tidal, right.tidal)
            at = self.solver.points(x, y, z, m, targets=cupy.asarray(self.table[:5] + 2.0)).potential
            np.testing.assert_array_equal(at, self.solver.points(*self.own, targets=self.table[:5] + 2.0).potential)
            self.refused("positions of points has the shape (3, ", lambda: self.solver.points(cupy.asarray(self.table.T), m))

    def test_words_for_blocks(self):
        density = np.ones((2, 2, 2))
        for words, more in (("lower of block 0 has 2 numbers: three are wanted", {"lower": (0, 0)}),
                            ("lower of block 0 has 1 numbers: three are wanted", {"lower": 0.0}),
                            ("lower of block 0 is of type <U4", {"lower": "left"}), ("lower of block 0 is None", {"lower": None}),
                            ("cell_size of block 0 has 2 numbers: one or three are wanted", {"cell_size": (1, 1)}),
                            ("cell_size of block 0 is of type <U3", {"cell_size": "big"}),
                            ("density of block 0 has 2 dimensions: 3 wanted", {"density": density[0]}),
                            ("result_guards of block 0 is 1: three integers are wanted", {"result_guards": 1}),
                            ("result_guards of block 0 is (0.5, 0, 0): three", {"result_guards": (0.5, 0, 0)}),
                            ("active of block 0 is 'yes'", {"active": "yes"}),
                            ("face_acceleration of block 0 is no list of three", {"face_acceleration": density}),
                            ("potential of block 0 is no array", {"potential": density.tolist()}),
                            ("potential of block 0 is masked", {"potential": np.ma.masked_greater(density, 0.5)})):
            given = {"lower": (0, 2 * rank, 0), "cell_size": 1.0, "density": density, **more}
            with self.subTest(words):
                self.refused(words, lambda given=given: self.solver.blocks([gravlet.Block(**given)]))
        self.refused("blocks are of type Block: a list", lambda: self.solver.blocks(gravlet.Block((0, 0, 0), 1.0, density)))
        self.refused("block 0 is of type int", lambda: self.solver.blocks([1]))


class Lifetime(unittest.TestCase):
    def test_closing(self):
        x, y, z, m, mine = some_points(50)
        own = [a[mine] for a in (x, y, z, m)]
        with gravlet.Solver(theta=0.5, **share) as solver:
            potential = solver.points(*own).potential
        self.assertEqual(potential.shape, own[0].shape)
        self.assertEqual(repr(solver), "<gravlet.Solver, closed>")
        for call in (lambda: solver.points(*own), lambda: solver.blocks([]), lambda: solver.report, lambda: solver.set_G(2.0),
                     lambda: solver.options, lambda: solver.abandon("no more")):
            self.assertEqual(raised(call), ("InputError", "this solver is closed"))
        solver.close()
        with self.assertRaises(KeyError):
            with gravlet.Solver(**share) as solver:
                raise KeyError("of the caller's own")
        self.assertIn("closed", repr(solver))

    def test_many_solvers(self):
        """Their communicators are freed: MPI has a few thousands."""
        for _ in range(3000):
            gravlet.Solver(**share).close()
        gc.collect()

    def test_repr(self):
        ranks = f"{size} rank" + "s" * (size > 1)
        solver = gravlet.Solver(theta=0.5, order=4, gpu_sharing="auto", keep_tree=False, backend="cpu")
        options = "backend=cpu, theta=0.5, order=4, keep_tree=false"
        self.assertEqual(repr(solver), f"<gravlet.Solver {options}, {ranks}, not solved yet>")
        solver.set_G(2)
        solver.points(np.ones((1, 3)) * rank, 1.0)
        self.assertRegex(repr(solver), rf"^<gravlet.Solver .*G=2, .*{ranks}, cpu \(\w+\)>$")

    def test_options_are_plain(self):
        for value in (np.float32(0.5), np.array(0.5), np.float64(0.5), "0.5"):
            self.assertEqual(gravlet.Solver(theta=value).options["theta"], "0.5")

        class Length(float):
            unit = "pc"

        for words, options in (("softening has the unit pc", {"softening": Length(0.1)}), ("G has the unit pc", {"G": Length(1)}),
                               ("domain has the unit pc", {"domain": ((0, 0, 0), (1, 1, Length(1)))}), ("G is None", {"G": None})):
            kind, text = raised(lambda options=options: gravlet.Solver(**(options if rank == size - 1 else {})))
            self.assertEqual(kind, "InputError")
            self.assertIn(words, text)
        solver = gravlet.Solver()
        for wrong in ("much", None, [1.0, 2.0], Length(1)):
            kind, text = raised(lambda wrong=wrong: solver.set_G(wrong if rank == size - 1 else 1.0))
            self.assertEqual(kind, "InputError")
            self.assertIn("G ", text)

    def test_velocities(self):
        """By rows, as positions are."""
        *everyone, mine = some_points(400)
        table, m = np.array(everyone[:3]).T[mine], everyone[3][mine]
        v = np.full_like(table, 0.1)
        states = []
        for drifted in (lambda s: s.drifted(v, 1e-3), lambda s: s.drifted(v, time=1e-3), lambda s: s.drifted(*v.T, 1e-3)):
            solver = gravlet.Solver(theta=0.6, keep_moved=True, **share)
            solver.points(table, m)
            for step in range(1, 4):
                drifted(solver)
                states.append(solver.points(table + step * 1e-3 * v, m).potential)
        for step in range(3):
            np.testing.assert_array_equal(states[step], states[3 + step])
            np.testing.assert_array_equal(states[step], states[6 + step])


if __name__ == "__main__":
    run_tests()
