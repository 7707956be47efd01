#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random combinations of what NumPy may hand over, against sums by NumPy: combine.py [--seed N] [--count N] [--seconds S]

On any number of ranks, with the package's folder in PYTHONPATH. Arrays of all types, strides and shapes, some of them results that
share memory or cannot be written: each solve is right, or gravlet.InputError on every rank with results untouched. Prints the seeds
that are neither, and how many were tried of each kind. Exit code 1 if any is wrong.
"""

import argparse
import sys
import time
from collections import Counter

import numpy as np
from mpi4py import MPI

import gravlet

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
PAIRS = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
UNTOUCHED = -1234.5
CUBE = 2.3800774  # own potential of a unit cube of unit mass


class Bodies:
    """All ranks', and which are this rank's; values that every type below holds exactly."""

    def __init__(self, random):
        self.kind = str(random.choice(["points", "cells", "blocks"]))
        if self.kind == "points":
            n = int(random.integers(2, 60))
            self.x = random.integers(0, 2**10, (3, n)).astype(float)
            self.side = np.zeros(n)
        else:
            # whole blocks of 2^3, each of one rank
            count = int(random.integers(1, 8))
            places = random.permutation(64)[:count]
            self.corners = np.array([4.0 * (places // 16), 4.0 * (places // 4 % 4), 4.0 * (places % 4)])
            inside = np.array([[i, j, k] for k in (1.0, 3.0) for j in (1.0, 3.0) for i in (1.0, 3.0)]).T
            self.x = (self.corners[:, :, None] + inside[:, None, :]).reshape(3, -1)
            n = self.x.shape[1]
            self.side = np.full(n, 2.0)
        self.mass = random.integers(0, 50, n).astype(float)
        self.mass[0] = 1.0
        if self.kind == "blocks":
            self.mass *= 8.0  # of cells of volume 8: densities are whole numbers
        owner = random.integers(0, size, n if self.kind == "points" else n // 8)
        self.mine = (owner if self.kind == "points" else np.repeat(owner, 8)) == rank
        self.blocks = np.flatnonzero(owner == rank)

    def right(self):
        """Potential, acceleration and tidal tensor at this rank's, (10, n), and the size of each."""
        d = self.x[:, None, :] - self.x[:, self.mine][:, :, None]
        r2 = (d**2).sum(axis=0)
        r2[r2 == 0.0] = np.inf
        terms = [-self.mass / np.sqrt(r2)]
        terms += [self.mass * one / r2**1.5 for one in d]
        near = np.where(np.isfinite(r2), r2, 1e100)
        terms += [self.mass * (3.0 * d[i] * d[j] / near**2.5 - (i == j) / near**1.5) for i, j in PAIRS]
        values = np.array([t.sum(axis=1) for t in terms])
        sizes = np.array([np.abs(t).sum(axis=1) for t in terms])
        side = self.side[self.mine]
        own = np.divide(CUBE * self.mass[self.mine], side, out=np.zeros_like(side), where=side > 0.0)
        values[0] -= own
        sizes[0] += own
        sizes[1:4] = np.linalg.norm(sizes[1:4], axis=0)
        sizes[4:] = np.linalg.norm(sizes[4:], axis=0)
        return values, sizes


TYPES = ["f8", "f8", "f8", "f4", "f4", ">f8", ">f4", "f2", "g", "c16", "c8", "i8", "i4", ">i4", "u2", "O", "U8", "M8[s]",
         [("v", "f8")]]


def disguise(random, values, shape_of_block=False):
    """The same numbers in another array, and what is special about it."""
    kind = random.choice(["plain", "type", "strided", "backward", "read only", "list", "column", "shape"],
                         p=[0.66, 0.05, 0.09, 0.06, 0.06, 0.04, 0.035, 0.005])
    if kind == "type":
        chosen = TYPES[random.integers(len(TYPES))]
        if isinstance(chosen, list):
            out = np.zeros(values.shape, chosen)
            out["v"] = values
            return out, "structured"
        return values.astype(chosen), f"type {chosen}"
    if kind == "strided":
        wide = np.full(values.shape[:-1] + (3 * values.shape[-1],), np.nan)
        wide[..., ::3] = values
        return wide[..., ::3], kind
    if kind == "backward":
        return np.ascontiguousarray(values[..., ::-1])[..., ::-1], kind
    if kind == "read only":
        copy = values.copy()
        copy.flags.writeable = False
        return copy, kind
    if kind == "list" and not shape_of_block:
        return values.tolist(), kind
    if kind == "column":
        return np.asfortranarray(np.stack([values, values + 7.0], axis=-1))[..., 0], kind
    if kind == "shape":
        return values[..., None], kind
    return values.copy(), "plain"


def result_array(random, shape):
    """Poisoned, and what is special about it."""
    kind = random.choice(["plain", "f4", "type", "strided", "read only", "shape"],
                         p=[0.8, 0.13, 0.04, 0.01, 0.01, 0.01])
    if kind == "type":
        chosen = str(random.choice([">f8", ">f4", "c16", "c8", "f2", "g", "i8", "?"]))
        return np.full(shape, UNTOUCHED).astype(chosen), f"result of type {chosen}"
    if kind == "strided":
        return np.full(shape[:-1] + (2 * shape[-1],), UNTOUCHED)[..., ::2], "strided result"
    if kind == "shape":
        return np.full(shape[:-1] + (shape[-1] + 1,), UNTOUCHED), "longer result"
    out = np.full(shape, UNTOUCHED, "f4" if kind == "f4" else "f8")
    if kind == "read only":
        out.flags.writeable = False
        return out, "result that is read only"
    return out, "result of floats" if kind == "f4" else "plain result"


class Case:
    """One call, made by solve(); `results` are (name, array) of this rank, `special` what there is to count."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.bodies = Bodies(self.random)
        self.odd = np.random.default_rng((seed, rank))
        self.special = Counter()
        self.want = ["potential"] + [name for name in ("acceleration", "tidal") if self.random.random() < 0.4]
        self.solver = gravlet.Solver(theta=0.0, backend="cpu", threads=1)
        self.results = []

    def _given(self, values, block=False):
        array, kind = disguise(self.odd, values, block)
        self.special[kind] += 1
        return array

    def _out(self, shape):
        arrays = {}
        for name, most in (("potential", ()), ("acceleration", (3,)), ("tidal", (6,))):
            if name not in self.want:
                continue
            arrays[name], kind = result_array(self.odd, most + shape)
            self.special[kind] += 1
        if len(arrays) > 1 and self.odd.random() < 0.05:
            arrays["potential"] = arrays["acceleration" if "acceleration" in arrays else "tidal"][1]
            self.special["results that share memory"] += 1
        self.results += [(name, array) for name, array in arrays.items()]
        return arrays

    def solve(self):
        b = self.bodies
        if b.kind == "blocks":
            blocks = []
            for number in b.blocks:
                density = self._given(b.mass[8 * number:8 * number + 8].reshape(2, 2, 2) / 8.0, True)
                blocks.append(gravlet.Block(b.corners[:, number], (2.0, 2.0, 2.0), density, **self._out((2, 2, 2))))
            if len(blocks) > 1 and self.odd.random() < 0.1:
                blocks[1].potential = blocks[0].potential
                self.results = [(n, a) for n, a in self.results if a is not blocks[1].potential] + [
                    ("potential", blocks[0].potential)] * 2
                self.special["two blocks' results in one array"] += 1
            self.solver.blocks(blocks, want=self.want)
            return
        x, y, z = (self._given(one) for one in b.x[:, b.mine])
        mass = self._given(b.mass[b.mine])
        out = gravlet.Fields(**self._out((int(b.mine.sum()),)))
        if b.kind == "points":
            self.solver.points(x, y, z, mass, out=out)
        else:
            self.solver.cells(x, y, z, self._given(b.side[b.mine]), mass, out=out)

    def fault(self, refused):
        """"" or what is wrong on this rank."""
        if refused:
            return "" if all(is_untouched(array) for _, array in self.results) else "refused, but results are touched"
        values, sizes = self.bodies.right()
        for name, rows in (("potential", slice(0, 1)), ("acceleration", slice(1, 4)), ("tidal", slice(4, 10))):
            arrays = [a for n, a in self.results if n == name]
            if not arrays or values.shape[1] == 0:
                continue
            parts = 6 if name == "tidal" else 3 if name == "acceleration" else 1
            if self.bodies.kind == "blocks":
                if len(arrays) != len(self.bodies.blocks):
                    return "two blocks' results are in one array"
                got = np.concatenate([np.asarray(a).reshape(parts, -1) for a in arrays], axis=1)
            else:
                got = np.asarray(arrays[0]).reshape(parts, -1)
            if got.shape != values[rows].shape:
                return f"{name} of another shape is accepted"
            with np.errstate(all="ignore"):
                right = (np.abs(got - values[rows]) <= 3e-7 * sizes[rows] + 1e-30).all()
            if not right:
                return f"{name} is wrong: {got.ravel()[:3]}, right is {values[rows].ravel()[:3]}"
        return ""


def is_untouched(array):
    with np.errstate(all="ignore"):
        return bool((array == np.full(1, UNTOUCHED).astype(array.dtype)[0]).all())


def play(seed, counts):
    """"" or what is wrong, the same on every rank."""
    case = Case(seed)
    answer = None
    try:
        case.solve()
    except gravlet.InputError as error:
        answer = ("InputError", str(error))
    except Exception as error:  # whatever it is, it is reported
        answer = (type(error).__name__, str(error))
    answers = comm.allgather(answer)
    fault = ""
    if any(one != answers[0] for one in answers):
        fault = f"ranks differ: {answers}"
    elif answer and answer[0] != "InputError":
        fault = f"refused unclearly: {answer}"
    else:
        try:
            fault = case.fault(answer is not None)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
    fault = next((one for one in comm.allgather(fault) if one), "")
    special = sum(comm.allgather(case.special), Counter())
    counts.update({("arrays", kind): n for kind, n in special.items()})
    counts[("all", "cases")] += 1
    counts[("bodies", case.bodies.kind)] += 1
    counts[("all", "refused as they should" if answer and not fault else "wrong" if fault else "solves")] += 1
    if fault and rank == 0:
        print(f"WRONG seed {seed} on {size} ranks, {case.bodies.kind} by python, {dict(special)}: {fault}", flush=True)
    return fault


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=sys.maxsize)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    start, counts, wrong, seed = time.time(), Counter(), 0, arguments.seed
    while seed < arguments.seed + arguments.count and comm.bcast(time.time() - start < arguments.seconds):
        wrong += play(seed, counts) != ""
        seed += 1
    if rank == 0:
        for (group, kind), n in sorted(counts.items()):
            print(f"{group:14}\t{kind:24}\t{n}")
    sys.exit(1 if wrong else 0)


main()
