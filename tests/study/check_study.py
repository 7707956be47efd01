# SPDX-License-Identifier: Apache-2.0
"""scripts/study as a researcher starts it, from a folder of its own: check_study.py NAME GRAVLET_BENCH GRAVLET
CORE_COLLAPSE. NAME unhappy: errors."""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = {"nakasato": 3, "gothic": 2, "six_kernels": 3, "kdtree_accuracy": 5, "active": 4, "gpu_bh": 9, "pages": 7}
MORE = {"gothic": ["--models", "m31"]}  # the other one takes the same way


def expect(true, otherwise):
    if not true:
        sys.exit(otherwise)


def study(folder, *arguments, code=0):
    done = subprocess.run([ROOT / "scripts/study", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        print("skipped: " + done.stderr)
        sys.exit(77)
    expect(done.returncode == code, f"exit code {done.returncode}, not {code}: {done.stdout}{done.stderr}")
    return done.stdout if code == 0 else done.stderr


def check(name, programs, folder):
    said = study(folder, name, *programs, "--small", "--out", "found", *MORE.get(name, []))
    expect(said.count("\n|---|") == TABLES[name], f"not {TABLES[name]} tables: {said}")
    content = json.loads((folder / f"found/{name}.json").read_text(encoding="utf-8"))
    expect(content["study"] == name and content["backend"] == "cpu" and content["date"], "no name, backend or date")
    expect(len(content["tables"]) == TABLES[name], f"{len(content['tables'])} tables in JSON")
    for table in content["tables"]:
        expect(table["rows"], f"no rows: {table['title']}")
        for row in table["rows"]:
            expect(len(row) == len(table["columns"]), f"{table['title']}: {row}")
            expect(all(math.isfinite(value) for value in row if isinstance(value, float)), f"{table['title']}: {row}")
    picture = (folder / f"found/{name}.png").read_bytes()
    expect(picture.startswith(b"\x89PNG") and len(picture) > 10000, "no picture")
    return content["tables"]


def measured(name, tables):
    """What must be so whatever the machine."""
    rows = tables[0]["rows"]
    if name == "nakasato":
        loose, fine = (row[2] for row in tables[2]["rows"][::-1])
        expect(0 < fine < loose < 1e-3, f"mean errors of theta 0.3 and 0.5: {fine}, {loose}")
    elif name == "gothic":
        for row in rows:
            expect(0 < row[3] < row[2] < 1e-3 and min(row[4:7]) > 0 and row[7] > 0, f"{row}")
    elif name == "six_kernels":
        expect(rows[0][0] == 1000 and all(value > 0 for value in rows[0][1:6]), f"{rows}")
        expect(all(row[column] > 0 for row in rows for column in (1, 2, 4, 5)), f"{rows}")
    elif name == "gpu_bh":
        for row in rows:
            expect(0 < row[2] < row[1] < 1e-2 and row[2] < row[3] < 1e-2, f"errors: {row}")
        expect(rows[0][1] > rows[-1][1], f"errors: {rows}")
        steps = tables[6]["rows"]
        expect(steps[0][0] == 1 and all(0 < row[3] < 1 for row in steps), f"{steps}")
    elif name == "pages":
        for table in tables[:5]:
            for row in table["rows"]:
                expect(row[3] is not None and row[3] > 0 and row[4] * row[3] > 0.99 * row[1], f"seconds and rate: {row}")
                expect(row[7] > 0 and 0 < row[8] <= row[9] < 1e-2, f"bytes and errors: {row}")
            defaults = {row[1]: row for row in table["rows"] if row[0] == "defaults"}
            for row in table["rows"]:
                expect(row[0] != "theta 0.5, order 4" or row[8] < defaults[row[1]][8], f"not below the defaults' error: {row}")
        rows = sum(len(table["rows"]) for table in tables[:5])
        expect(len(tables[5]["rows"]) == 7 and len(tables[6]["rows"]) == rows, "summaries")
    elif name == "active":
        for table in tables[:3]:
            full, *fewer = table["rows"]
            expect(full[4] == 1 and full[5] == full[2], f"{full}: the full solve is not its own measure")
            for before, after in zip(table["rows"], fewer):
                expect(after[1] < before[1], f"{before}, {after}: not fewer targets")
            for row in table["rows"]:
                expect(0 < row[3] < row[2] and row[6] > 0 and row[7] == min(200, row[1]), f"{row}")
                expect(0 < row[8] <= row[9] <= row[10] < 1e-2, f"errors: {row}")
    else:
        for above, below in zip(rows[::2], rows[1::2]):  # the second setting of each is the tighter
            expect(below[3] > above[3] and below[5] < above[5], f"{above}, {below}: not more pairs and smaller errors")
        energy = tables[4]["rows"]
        expect(abs(energy[-1][1]) < 1e-4, f"energy: {energy}")


def unhappy(programs, folder):
    said = study(folder, "nakasato", "--gravlet-bench", "nothing", "--out", "found", code=1)
    expect("nothing is not there" in said, said)
    said = study(folder, "nakasato", *programs[:1], "/bin/false", *programs[2:], "--small", "--out", "found", code=1)
    expect("false, exit code 1" in said, f"a failed run is not said: {said}")
    said = study(folder, "brownian", "--out", "found", code=2)
    expect("invalid choice: 'brownian'" in said, said)
    said = study(folder, "pages", "--gravlet-bench", "/bin/false", *programs[2:], "--small", "--out", "found")
    failed = said.count("| failed: false, exit code 1: ")
    expect(failed == 2 * 15 and said.count("\n|---|") == 7, f"a failed run took others with it: {said}")


def main():
    name, bench, gravlet, core_collapse = sys.argv[1:]
    programs = ["--gravlet-bench", bench, "--gravlet", gravlet]
    if name == "gpu_bh":
        programs += ["--core-collapse", core_collapse]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if name == "unhappy":
            unhappy(programs, folder)
        else:
            measured(name, check(name, programs, folder))


main()
