# SPDX-License-Identifier: Apache-2.0
"""One run of gravlet_bench: the command, its environment, and what is kept of it."""

import datetime
import json
import os
import pathlib
import platform
import shlex
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A run that failed, with what the program said last."""


def cores():
    """Number of cores of this machine that this process may use."""
    return len(os.sched_getaffinity(0))


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def commit():
    """The commit by git describe; empty where there is no repository (a tarball), or no git."""
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def environment(threads):
    return os.environ | {"OMP_NUM_THREADS": str(threads)}


def call(command, environ, timeout):
    """Exit code and output. A launcher that takes too long is asked to end, for it has ranks to end in turn."""
    try:
        process = subprocess.Popen(command, env=environ, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
    except OSError as error:
        raise Failed(str(error)) from None
    with process:
        try:
            said, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
            raise Failed(f"not done after {timeout:g} s") from None
    return process.returncode, said


def run(program, launcher, asked, timeout, out):
    """What gravlet_bench writes of the run (in `out`, which all machines see), and where and when it was. Throws Failed."""
    with tempfile.TemporaryDirectory(dir=out, prefix=".run-") as folder:
        written = pathlib.Path(folder) / "run.json"
        start = shlex.split(launcher.replace("{ranks}", str(asked["ranks"])).replace("{threads}", str(asked["threads"])))
        command = [*start, str(program), *asked["arguments"], "--threads", str(asked["threads"]), "--json", str(written)]
        code, said = call(command, environment(asked["threads"]), timeout)
        if code != 0:
            raise Failed(f"exit code {code}: " + " | ".join([line for line in said.splitlines() if line.strip()][-3:]))
        with open(written, encoding="utf-8") as file:
            found = json.load(file)
    figures = found.pop("cases")[0]
    if figures["ranks"] != asked["ranks"]:
        raise Failed(f"{figures['ranks']} ranks instead of {asked['ranks']}: does the launcher fit this MPI?")
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    return {"asked": asked, "date": now, "commit": commit(),
            "machine": {"processor": processor(), "cores": cores() * found["machines"], "machines": found["machines"],
                        "gpu": found["device"], "gpus": found["devices_used"]},
            "program": found, "figures": figures}
