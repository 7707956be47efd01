# SPDX-License-Identifier: Apache-2.0
"""gravlet_bench and gravlet as a study calls them: keys in, what they measured out. One process each, without mpirun, but where a
study asks for ranks."""

import csv
import json
import os
import pathlib
import tempfile

import bench  # of benchmarks/scaling

MPIRUN = bench.ROOT / "scripts/mpirun"
TIMEOUT = 900  # seconds a run


class Programs:
    """Runs throw bench.Failed, with what the program said last."""

    def __init__(self, gravlet_bench, gravlet, backend):
        self.gravlet_bench, self.gravlet, self.backend = gravlet_bench, gravlet, backend
        self.device = ""
        self.threads = bench.cores()

    def cases(self, problem, n, *, backend=None, threads=None, **options):
        """gravlet_bench's cases, one a combination of the lists: potential and acceleration, points on the GPU if it is to solve."""
        return self._bench(backend or self.backend, threads or self.threads, 0, {"problem": problem, "n": n, "acceleration": True} | options)

    def described(self, problem, *, backend=None, ranks=0, threads=None, gpus=0, **options):
        """gravlet_bench's cases of a problem of `gravlet run`, its keys: potentials, on so many ranks (0: without mpirun) and the
        first so many GPUs of those that there are (0: all)."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "problem.yaml"
            file.write_text(json.dumps({"problem": problem}), encoding="utf-8")  # JSON is YAML
            return self._bench(backend or self.backend, threads or self.threads, ranks, {"config": file} | options, gpus)

    def attempts(self, problem, **options):
        """gravlet_bench's cases of a problem by name, or of a description's keys, on one rank; those that failed too, which say
        why in "failure"."""
        if isinstance(problem, str):
            return self._cases(self.backend, self.threads, 0, {"problem": problem} | options)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "problem.yaml"
            file.write_text(json.dumps({"problem": problem}), encoding="utf-8")  # JSON is YAML
            return self._cases(self.backend, self.threads, 0, {"config": file} | options)

    def _bench(self, backend, threads, ranks, options, gpus=0):
        cases = self._cases(backend, threads, ranks, options, gpus)
        for case in cases:
            if "failure" in case:
                raise bench.Failed(f"gravlet_bench, {case['problem']}: {case['failure']}")
        return cases

    def _cases(self, backend, threads, ranks, options, gpus=0):
        options = {"backend": backend, "memory": "device" if backend == "gpu" else "host", "threads": threads, "samples": 0,
                   "warmup": 1, "repeat": 3} | options
        start = [MPIRUN, ranks] if ranks else []
        found = self._call([*start, self.gravlet_bench, *flags(options)], threads, gpus)
        self.device = found["device"] or self.device
        return found["cases"]

    def solve(self, problem, solver, samples):
        """`gravlet run`, for accelerations too, against the direct sum at so many random targets."""
        keys = {"problem": problem, "solver": self._solver(solver) | {"acceleration": True}, "run": {"warmup": 0, "repeat": 1},
                "compare": {"reference": "direct", "samples": samples}, "output": {}}
        return self._command("run", keys)

    def evolve(self, problem, solver, evolve):
        """`gravlet evolve`: its summary, and as "log" a line at each multiple of the largest step."""
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log.csv"
            found = self._command("evolve", {"problem": problem, "solver": self._solver(solver), "evolve": evolve,
                                             "output": {"log": str(log)}})
            with open(log, encoding="utf-8", newline="") as file:
                lines = [{name: float(value) for name, value in line.items()} for line in csv.DictReader(file)]
        return found | {"log": lines}

    def _solver(self, solver):
        return {"backend": self.backend, "threads": self.threads} | solver

    def _command(self, job, keys):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "study.yaml"
            file.write_text(json.dumps(keys), encoding="utf-8")  # JSON is YAML
            return self._call([self.gravlet, job, str(file)], self.threads)

    @staticmethod
    def _call(command, threads, gpus=0):
        environment = bench.environment(threads)
        if gpus:
            there = os.environ.get("CUDA_VISIBLE_DEVICES", ",".join(map(str, range(gpus))))
            environment["CUDA_VISIBLE_DEVICES"] = ",".join(there.split(",")[:gpus])
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder) / "found.json"
            code, said = bench.call([*map(str, command), "--json", str(written)], environment, TIMEOUT)
            if not written.exists():
                last = [line for line in said.splitlines() if line.strip()][-3:]
                raise bench.Failed(f"{pathlib.Path(command[0]).name}, exit code {code}: " + " | ".join(last))
            return json.loads(written.read_text(encoding="utf-8"))


def flags(options):
    """{"n": [1, 2], "acceleration": True} as --n 1,2 --acceleration."""
    out = []
    for name, value in options.items():
        if value is False:
            continue
        out.append("--" + name.replace("_", "-"))
        if value is not True:
            out.append(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))
    return out


def pairs_per_target(case):
    """Nodes and sources that a target of a gravlet_bench case was paired with, without far nodes, met through a local expansion."""
    return (case["node_interactions"] + case["cell_interactions"]) / case["targets"]


def seconds_per_step(run):
    """Seconds of a gravlet evolve run a step, which is a solve, of whatever points were due. The first solve, before the first step,
    does not count."""
    first, *rest = run["log"]
    return sum(line["seconds"] for line in rest) / (rest[-1]["steps"] - first["steps"])
