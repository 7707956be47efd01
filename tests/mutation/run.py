# SPDX-License-Identifier: Apache-2.0
"""Builds a copy of the sources with all mutants in it, and runs each against its tests (scripts/mutate says how).

First the tests run without a mutant, for their times: all should pass. Then each mutant meets its tests, the short ones first,
until one fails; three times as long as without it, and ten seconds, counts as a failure. So does what the tests print or leave
nowhere: each run has a folder for temporary files of its own.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import mutants as lists

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOOR = 0.95
LONGEST_PATIENCE = 600.0


def chosen(arguments):
    """All mutants of the list, and those to run."""
    everything = lists.load()
    found = lists.flaws(ROOT, everything)
    if found:
        sys.exit("\n".join(found))
    some = [m for m in everything if (m.folder == "gpu") == arguments.gpu]
    if arguments.folder:
        some = [m for m in some if m.folder in arguments.folder]
    if arguments.id:
        unknown = set(arguments.id) - {m.id for m in some}
        if unknown:
            sys.exit(f"no such mutant: {', '.join(sorted(unknown))}")
        some = [m for m in some if m.id in arguments.id]
    elif not arguments.equivalent:
        some = [m for m in some if not m.equivalent]
    if arguments.sample:
        some = sorted(random.Random(arguments.seed).sample(some, min(arguments.sample, len(some))), key=some.index)
    return everything, some


def configure(everything, gpu):
    """The copy, ready to be built; the build's folder."""
    top = ROOT / "build" / "mutants"
    source, build = top / "source", top / ("gpu" if gpu else "cpu")
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout
    lists.write_copy(ROOT, [name for name in listed.split("\0") if name], everything, source)
    shared = top / "shared"  # the data that some tests look for beside the repository
    if (ROOT.parent / "shared").is_dir() and not shared.exists():
        shared.symlink_to((ROOT.parent / "shared").resolve())
    # -O1 and an instruction set fewer: half the time to compile, and tests take little longer.
    subprocess.run(["cmake", "-G", "Ninja", "-S", source, "-B", build, "-D", "CMAKE_BUILD_TYPE=Release",
                    "-D", "CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG -DGRAVLET_WITHOUT_AVX512", "-D", f"GRAVLET_CUDA={'ON' if gpu else 'OFF'}",
                    "-D", "GRAVLET_WERROR=OFF", "-D", "GRAVLET_BENCHMARKS=OFF", "-D", "GRAVLET_EXAMPLES=OFF"],
                   check=True, stdout=subprocess.DEVNULL)
    return build


class Test:
    def __init__(self, described):
        self.name = described["name"]
        self.command = described.get("command", [])
        properties = {p["name"]: p["value"] for p in described.get("properties", [])}
        self.folder = properties.get("WORKING_DIRECTORY")
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        self.skipped_code = properties.get("SKIP_RETURN_CODE")
        self.seconds = None

    def run(self, mutant, limit):
        """What it printed, and its exit code, or None if it took too long."""
        with tempfile.TemporaryDirectory(prefix="gravlet-mutant-") as temporary:
            environment = os.environ | self.environment | {"TMPDIR": temporary, "GTEST_FAIL_FAST": "1"}
            if mutant:
                environment["GRAVLET_MUTANT"] = str(mutant.number)
            process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                       start_new_session=True)
            try:
                return process.communicate(timeout=limit)[0], process.returncode
            except subprocess.TimeoutExpired:
                # The launcher ends its ranks, which are in groups of their own.
                for end in (signal.SIGTERM, signal.SIGKILL):
                    os.killpg(process.pid, end)
                    try:
                        process.communicate(timeout=10)
                        break
                    except subprocess.TimeoutExpired:
                        pass
                return "", None


def tests_of(build, some):
    """Each mutant's tests, by ctest's names."""
    described = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    tests = {t["name"]: Test(t) for t in json.loads(described.stdout)["tests"]}
    found = {m.id: [t for name, t in tests.items() if re.search(m.tests, name)] for m in some}
    alone = [m.id for m in some if not found[m.id]]
    if alone:
        sys.exit(f"no tests for {', '.join(alone)}")
    return found


def build_tests(build, tests, jobs):
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True, capture_output=True, text=True).stdout
    known = {line.split(":")[0] for line in listed.splitlines()}
    targets = set()
    for test in tests:
        base = test.name.split("/")[0]
        names = {name for name in (base, base + "_gpu") if name in known}
        targets |= names or {"all"}
    subprocess.run(["cmake", "--build", build, "-j", str(jobs), "--target", *sorted(targets)], check=True)


def without_mutant(tests, jobs):
    """Takes the tests' times. Those that are skipped here are left out, and so are those that fail, which are told."""
    def one(test):
        begin = time.monotonic()
        output, code = test.run(None, LONGEST_PATIENCE)
        test.seconds = time.monotonic() - begin
        return test, output, code

    skipped, failed = set(), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for test, output, code in pool.map(one, tests):
            print(f"  {test.name}: {test.seconds:.1f} s" + ("" if code == 0 else f", exit code {code}"), flush=True)
            if code != 0 and code == test.skipped_code:
                skipped.add(test.name)
            elif code != 0:
                failed.append(f"{output}\n{test.name} fails without a mutant, too")
                skipped.add(test.name)
    print("\n".join(failed), flush=True)
    return skipped, failed


def with_mutant(mutant, tests):
    """By which test it died, or None, and the seconds."""
    begin = time.monotonic()
    for test in sorted(tests, key=lambda t: t.seconds):
        _, code = test.run(mutant, 3.0 * test.seconds + 10.0)
        if code != 0:
            return test.name + (" (hangs)" if code is None else ""), time.monotonic() - begin
    return None, time.monotonic() - begin


def table(some, deaths):
    """By folder: how many, and how many died."""
    counts = collections.Counter(m.folder for m in some if not m.equivalent)
    killed = collections.Counter(m.folder for m in some if deaths[m.id] and not m.equivalent)
    lines = ["folder       mutants  killed"]
    lines += [f"{folder:<12} {counts[folder]:>7} {killed[folder]:>7}" for folder in sorted(counts)]
    return "\n".join(lines + [f"{'all':<12} {counts.total():>7} {killed.total():>7}"]), counts.total(), killed.total()


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate")
    parser.add_argument("id", nargs="*")
    parser.add_argument("--sample", type=int, default=0, help="so many of them")
    parser.add_argument("--seed", default=time.strftime("%Y-%m-%d"), help="which ones; today's")
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument("--equivalent", action="store_true", help="those that nobody can tell apart, too")
    arguments = parser.parse_args()

    everything, some = chosen(arguments)
    build = configure(everything, arguments.gpu)
    tests = tests_of(build, some)
    needed = sorted({t for ts in tests.values() for t in ts}, key=lambda t: t.name)
    build_tests(build, needed, os.cpu_count() or 1)

    print(f"{len(needed)} tests without a mutant", flush=True)
    jobs = arguments.jobs
    skipped, failed = without_mutant(needed, jobs)
    deaths, times = {}, {}
    print(f"{len(some)} mutants", flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = {pool.submit(with_mutant, m, [t for t in tests[m.id] if t.name not in skipped]): m for m in some}
        for run in concurrent.futures.as_completed(runs):
            mutant = runs[run]
            deaths[mutant.id], times[mutant.id] = run.result()
            print(f"  {mutant.id}: {deaths[mutant.id] or 'LIVES'}, {times[mutant.id]:.1f} s", flush=True)

    living = [m for m in some if not deaths[m.id] and not m.equivalent]
    text, all_of_them, killed = table(some, deaths)
    print("\n" + text)
    for m in living:
        print(f"lives: {m.id} ({m.file}): {m.breaks}")
    for m in some:
        if m.equivalent and deaths[m.id]:
            print(f"dies, and is called equivalent: {m.id}: {deaths[m.id]}")
    return 0 if killed >= FLOOR * all_of_them and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
