# SPDX-License-Identifier: Apache-2.0
"""scripts/scaling as a researcher starts it: check_study.py BUILD_DIR."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def scaling(*arguments, code=0):
    done = subprocess.run([ROOT / "scripts/scaling", *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 3:
        print("skipped: " + done.stderr)
        sys.exit(77)
    said = done.stdout + done.stderr
    expect(done.returncode == code, f"exit code {done.returncode}, not {code}: {said}")
    return said


def expect(true, otherwise):
    if not true:
        sys.exit(otherwise)


def series(out, name):
    content = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    return content["runs"]


def first(out, study):
    scaling(out, *study, "--ranks", "1 2")
    for name in ("weak-plummer-cpu", "strong-plummer-cpu", "weak-maclaurin-cpu", "strong-maclaurin-cpu"):
        runs = series(out, name)
        expect([run["figures"]["ranks"] for run in runs] == [1, 2], f"{name}: other ranks")
        for run in runs:
            machine, program = run["machine"], run["program"]
            expect(run["date"] and program["version"] and machine["cores"] >= 1, f"{name}: no date, version or machine")
            figures = run["figures"]
            for key in ("threads", "targets", "solve_s", "cell_interactions", "peak_bytes"):
                expect(figures[key] > 0, f"{name}: {key} is {figures[key]}")
            # The spheroid of so few cells a rank is some blocks, which act cell by cell.
            expect(figures["node_interactions"] > 0 or name == "weak-maclaurin-cpu", f"{name}: no nodes act")
            walk = figures["stages_s"]["walk"]
            expect(walk["max"] >= walk["mean"] > 0, f"{name}: no seconds of the walk")
            several = figures["ranks"] > 1
            for key in ("bytes_sent", "nodes_imported", "cells_imported"):
                expect((figures[key] > 0) == several, f"{name}: {key} is {figures[key]}")
    expect(series(out, "weak-plummer-cpu")[1]["figures"]["targets"] == 2 * 2000, "a weak series of another size")
    radii = [next(word for word in run["asked"]["arguments"] if "a1=" in word) for run in series(out, "weak-maclaurin-cpu")]
    expect(radii == ["problem.a1=0.0625", "problem.a1=0.0884"], f"a weak series of {radii}")
    for run in series(out, "strong-plummer-cpu"):
        expect(run["figures"]["targets"] == 4000, "a strong series of another size")
    pictures(out)


def pictures(out):
    for name in ("weak-cpu-work", "strong-cpu", "strong-cpu-stages", "model-plummer-cpu", "model-maclaurin-cpu"):
        picture = (out / f"{name}.png").read_bytes()
        expect(picture.startswith(b"\x89PNG") and len(picture) > 10000, f"{name}.png is no picture")
        (out / f"{name}.png").unlink()
    expect("agreements" in (out / "model.txt").read_text(encoding="utf-8"), "no model.txt")


def described(out, study):
    """A problem of `gravlet run`, on more ranks than this machine has cores as well."""
    out.mkdir(parents=True)
    problem = out / "Two Cores.yaml"
    problem.write_text("problem: {kind: collapse_mesh, cores: 2, min_level: 2, max_level: 5}\n", encoding="utf-8")
    cores = len(os.sched_getaffinity(0))
    said = scaling(out, *study, "--config", problem, "--ranks", f"1 {2 * cores}")
    expect("weak two_cores cpu: no such series" in said, said)
    expect(f"{2 * cores} ranks share cores or GPUs" in said, said)
    one, more = series(out, "strong-two_cores-cpu")
    expect(one["figures"]["targets"] == more["figures"]["targets"] > 0, "of another size")
    table, misfits = json.loads((out / "scaling.json").read_text(encoding="utf-8"))["tables"]
    expect(len(table["rows"]) == 1 and table["rows"][0][2].endswith("crowded") and len(table["rows"][0]) == len(table["columns"]), f"{table}")
    expect([len(row) for row in misfits["rows"]] == [len(misfits["columns"])] and "walk" in misfits["columns"], f"{misfits}")
    expect("measured and" in (out / "model.txt").read_text(encoding="utf-8"), "the model does not say what was measured")
    said = scaling(out, *study, "--config", out / "nothing.yaml", code=2)
    expect("nothing.yaml: there is no such file" in said, said)


def goes_on(out, study):
    before = series(out, "weak-plummer-cpu")
    said = scaling(out, *study, "--ranks", "1 2 3", "--problems", "plummer", "--series", "weak")
    expect("weak plummer cpu, 2: in weak-plummer-cpu.json already" in said, f"runs are repeated: {said}")
    expect(series(out, "weak-plummer-cpu")[:2] == before, "runs were not kept")
    expect(len(series(out, "weak-plummer-cpu")) == 3, "the third run is missing")
    pictures(out)


def failures(out, study):
    weak = ["--problems", "grid", "--series", "weak"]
    said = scaling(out, *study, *weak, "--ranks", "1 4", "--launcher",
                   "sh -c '[ {ranks} = 4 ] && echo no node && exit 9; shift; exec \"$@\"' sh {ranks}", code=1)
    expect("weak grid cpu, 4: failed, and left out: exit code 9: no node" in said, f"a failure is not said: {said}")
    expect(len(series(out, "weak-grid-cpu")) == 1, "the other run is missing")
    said = scaling(out, *study, *weak, "--ranks", "1", "--weak-n", "1000", code=1)
    expect("weak-grid-cpu.json holds runs of" in said, f"another size is mixed in: {said}")
    said = scaling(out, "--build", out, code=1)
    expect("gravlet_bench is not there" in said, f"a missing program is not said: {said}")


def main():
    study = ["--build", sys.argv[1], "--weak-n", "2000", "--strong-n", "4000", "--level", "3", "--timeout", "60"]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "study"
        first(out, [*study, "--problems", "plummer,maclaurin"])
        goes_on(out, study)
        described(out.with_name("described"), study)
        failures(out.with_name("failures"), study)


main()
