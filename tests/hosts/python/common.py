# SPDX-License-Identifier: Apache-2.0
"""What tests of the Python package share: points, sums of their own, and what all ranks are told."""

import sys
import unittest

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
share = {"gpu_sharing": "share"}
everything = ("potential", "acceleration", "tidal")


def some_points(n=1500, seed=1):
    """The same on every rank, and which of them are this rank's."""
    random = np.random.default_rng(seed)
    x, y, z = random.random((3, n))
    return x, y, z, random.random(n) / n, np.arange(n) % size == rank


def direct(x, y, z, m, at, length=0.0):
    """Potential, acceleration and tidal tensor at some of the points, by NumPy."""
    d = np.array([x, y, z])[:, None, :] - np.array([x[at], y[at], z[at]])[:, :, None]
    r2 = (d**2).sum(axis=0) + length**2
    own = np.flatnonzero(at)
    r2[np.arange(len(own)), own] = np.inf
    potential = -(m / np.sqrt(r2)).sum(axis=1)
    acceleration = (m * d / r2**1.5).sum(axis=2)
    r2[np.arange(len(own)), own] = 1e100
    pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    tidal = np.array([(m * (3 * d[i] * d[j] / r2**2.5 - (i == j) / r2**1.5)).sum(axis=1) for i, j in pairs])
    return potential, acceleration, tidal


def raised(call):
    """What a collective call raises: the same on every rank."""
    try:
        call()
        text, kind = None, None
    except Exception as error:
        text, kind = str(error), type(error).__name__
    everywhere = comm.allgather((kind, text))
    assert all(one == everywhere[0] for one in everywhere), everywhere
    return everywhere[0]


def run_tests():
    """Runs the program's tests, and ends it: the same on every rank."""
    result = unittest.main(exit=False, verbosity=0, buffer=False).result
    failed = comm.allreduce(0 if result.wasSuccessful() else 1)
    sys.exit(1 if failed else 0)
