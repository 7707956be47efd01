# SPDX-License-Identifier: Apache-2.0
"""The communicator that a solver lives on: mpi4py's, or this process alone."""

from gravlet import _gravlet
from gravlet._gravlet import Error, InputError


class Alone:
    """A communicator of this process alone, where there is no mpi4py."""

    @staticmethod
    def py2f():
        return _gravlet.alone()

    @staticmethod
    def Get_size():
        return 1

    @staticmethod
    def allgather(value):
        return [value]


def world():
    try:
        from mpi4py import MPI
    except ImportError:
        return Alone
    return MPI.COMM_WORLD


def require_same_mpi():
    """Handles of one MPI are passed on as integers, which another would take for something else."""
    from mpi4py import MPI
    compiled, ours = _gravlet.mpi_libraries()
    theirs = MPI.Get_library_version().strip("\0")
    if ours != theirs or ("Open MPI" in ours) != (compiled == "Open MPI"):
        first = [text.strip().splitlines()[0] for text in (compiled, ours, theirs)]
        error = Error(f"mpi4py has another MPI than gravlet, which was compiled with {first[0]} and calls {first[1]}: "
                      f"mpi4py's is {first[2]}. Both must be built with the same")
        error.code = "communication"
        raise error


class Here:
    """What is raised on this rank alone, before a solve, is raised on all."""

    def __init__(self, solver):
        self._solver = solver

    def __enter__(self):
        return self

    def __exit__(self, kind, raised, trace):
        if raised is not None and isinstance(raised, Exception):
            self._solver.abandon(str(raised))


def agreed(comm, call):
    """What call() returns. Collective: what it raises of input on one rank is raised on all, the first rank's."""
    result, wrong = None, None
    try:
        result = call()
    except InputError as error:
        wrong = str(error)
    first = next((text for text in comm.allgather(wrong) if text is not None), None)
    if first is not None:
        raise InputError(first)
    return result
