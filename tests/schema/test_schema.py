# SPDX-License-Identifier: Apache-2.0
"""Every option, number of the report, stage, constant, error code and field of api/schema is in every language, under its name: hosts
in each set, solve and print, and say the same. test_schema.py LANGUAGE=PROGRAM..."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "api/schema/generator"))
import abi  # noqa: E402
import hosts  # noqa: E402
from model import Schema, default_text  # noqa: E402

schema = Schema()
programs = dict(word.split("=", 1) for word in sys.argv[1:])
options = {o.name: o for o in schema.options}
examples = {o.name: o.example for o in schema.options}
numbers = [path for path, _, _ in hosts.leaves(schema.structs["Report"], schema)]
# Of an option by itself, what it does not go without.
DOMAIN = {"domain": [[0, 0, 0], [1, 1, 1]]}
NEEDS = {"boundary": DOMAIN, "shear": {"boundary": "periodic", **DOMAIN}}
# Seconds, and memory: of one solve, not of another. How many stages there are is compared.
MEASURED = re.compile(r"seconds|peak_bytes")


def said(*command, stdin=None):
    run = subprocess.run([ROOT / "scripts/mpirun", "1", *map(str, command)], input=stdin, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    return run.stdout


def lines(text):
    """{first word: {second: the rest}}; of stages a list."""
    out = {}
    for line in text.splitlines():
        kind, name, rest = (line.split(None, 2) + ["", ""])[:3]
        if kind == "place":
            member, *rest = rest.split()
            out.setdefault(kind, {})[name, member] = tuple(map(int, rest))
        elif kind == "stage":
            out.setdefault(kind, {}).setdefault(name, []).append(rest)
        else:
            out.setdefault(kind, {})[name] = rest.strip()
    return out


def typed(option):
    """As Python has it."""
    text = option.example
    if option.type in schema.enums or option.type == "path":
        return text.strip("[]").split(", ") if option.suffix else text
    return json.loads(text)


ours = {}
for language in ("cpp", "c", "fortran"):
    if language in programs:
        ours[language] = lines(said(programs[language]))
if "python" in programs:
    asked = {name: (typed(o), NEEDS.get(name, {})) for name, o in options.items()}
    ours["python"] = lines(said(programs["python"], HERE / "host.py", stdin=json.dumps(asked)))
cpp = ours["cpp"]


class Everywhere(unittest.TestCase):
    def test_options(self):
        for language, found in ours.items():
            self.assertEqual(found["option"], examples, language)

    def test_defaults(self):
        for language, found in ours.items():
            self.assertEqual(found["default"], {o.name: default_text(o) for o in schema.options}, language)

    def test_error_codes(self):
        for language, found in ours.items():
            self.assertEqual({name: int(code) for name, code in found["code"].items()}, {e.name: e.code for e in schema.errors}, language)

    def test_constants(self):
        values = {e.constant(word): i for e in schema.enums.values() for i, word in enumerate(e.words)} | {"GRAVLET_AUTOMATIC": -1}
        for language in ours.keys() & {"c", "fortran"}:
            self.assertEqual({name: int(value) for name, value in ours[language]["constant"].items()}, values, language)

    def test_report(self):
        for name, found in ours.items():
            self.assertEqual(found["report"]["points.backend"], cpp["report"]["points.backend"])
            for path in numbers:
                for solve in ("points", "cells"):
                    here, there = (self.value(report, solve, path) for report in (found["report"], cpp["report"]))
                    if MEASURED.search(path):
                        self.assertGreater(here, 0.0, path)
                    elif here is None or there is None:  # which C has as 0 or -1
                        self.assertIn(here, (None, 0.0, -1.0), f"{name} {solve}.{path}")
                        self.assertIn(there, (None, 0.0, -1.0), f"{name} {solve}.{path}")
                    else:
                        self.assertEqual(here, there, f"{name} {solve}.{path}")

    def value(self, report, solve, path):
        """None if it is not there, by itself or with the struct that it is in."""
        outer = f"{solve}.{path.rpartition('.')[0]}"
        text = report.get(f"{solve}.{path}", report.get(outer))
        self.assertIsNotNone(text, f"{solve}.{path}")
        if text == "absent":
            return None
        words = schema.enums["Criterion"].words
        return float(words.index(text) if text in words else text)

    def test_two_solves_have_every_number(self):
        for path in numbers:
            if path in ("unchanged_ranks", "moved_ranks", "predicted_nodes", "predicted_shift", "warnings", "coincident_pairs",
                        "bytes_sent", "nodes_imported", "cells_imported", "tolerance.solves_ago", "tolerance.floor"):
                continue  # of several ranks or solves: tests/hosts/c/test_c_report.cpp
            self.assertTrue(any(self.value(cpp["report"], solve, path) for solve in ("points", "cells")), path)

    def test_stages(self):
        for language, found in ours.items():
            for solve in ("points", "cells"):
                self.assertEqual(found["stage"][solve], cpp["stage"][solve], language)
                self.assertLessEqual(set(found["stage"][solve]), set(schema.stages))

    def test_stages_are_those_of_the_solver(self):
        sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "solver").rglob("*.?pp"))
        for stage in schema.stages:
            self.assertIn(f'"{stage}"', sources)
        named = re.findall(r'(?:\brun|stages)\.(?:local|collective)\("(\w+)"', sources)
        self.assertLessEqual(set(named), set(schema.stages))
        guide = (ROOT / "docs/algorithm.md").read_text(encoding="utf-8") + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        for stage in schema.stages:
            self.assertRegex(guide, rf"\b{stage}\b")

    def test_results(self):
        components = sum(len(f.components) for f in schema.fields)
        self.assertEqual(len(cpp["result"]), 2 * components)
        for language, found in ours.items():
            self.assertEqual({k: float(v) for k, v in found["result"].items()}, {k: float(v) for k, v in cpp["result"].items()}, language)

    def test_names_of_fields(self):
        inside = (ROOT / "physics/fields.hpp").read_text(encoding="utf-8")
        self.assertIn("field_names = {" + ", ".join(f'"{f.name}"' for f in schema.fields) + "}", inside)
        for column in (c for f in schema.fields for c in f.columns):
            self.assertIn(f'"{column}"', inside)

    @unittest.skipIf("fortran" not in programs, "no Fortran")
    def test_places_in_fortran(self):
        places = {(s, m): place for s, members in abi.recorded().items() for m, place in members.items()}
        self.assertEqual(ours["fortran"]["place"], places)
        self.assertEqual({s: int(n) for s, n in ours["fortran"]["length"].items()}, {s: abi.size_of(s, schema) for s in abi.names(schema)})

    @unittest.skipIf("flash" not in programs, "no FLASH unit")
    def test_flash(self):
        config = ROOT / "amr_adapter/flash/source/Grid/GridSolvers/Gravlet/Config"
        meant = [o for o in schema.options if o.flash is not None]
        self.assertGreater(len(meant), 15)
        # A tolerance decides on others.
        for some in ([o for o in meant if o.name != "tolerance"], [o for o in meant if o.name == "tolerance"]):
            texts = {"true": "TRUE", "false": "FALSE"}
            small = {"error_samples": "77"}  # FLASH's integers have 32 bits
            wanted = {o.name: small.get(o.name, o.example) for o in some}
            found = lines(said(programs["flash"], config, *(f"{o.parameter}={texts.get(wanted[o.name], wanted[o.name])}" for o in some)))
            self.assertEqual({name: found["option"][name] for name in wanted}, wanted)

    @unittest.skipIf("command" not in programs, "no command")
    def test_command(self):
        in_yaml = {name: o for name, o in options.items() if name not in ("domain", "error_samples", "error_seed")}
        alone = ("theta", "tolerance", "boundary", "shear")  # the criterion and the tolerance decide on theta
        runs = [[name for name in in_yaml if name not in alone], *([name] for name in alone)]
        with tempfile.TemporaryDirectory() as folder:
            for names in runs:
                box = {"boundary": "periodic"} if names == ["shear"] else {}
                written = self.solved(folder, {**box, **{name: examples[name] for name in names}}, names in (["boundary"], ["shear"]))
                self.assertEqual(set(written["options"]), set(options))
                for name in set(names) - {"tolerance"}:  # options are as it has chosen them
                    expected = typed(options[name]) if not options[name].suffix else options[name].example
                    self.assertEqual(written["options"][name], expected, name)
                report = schema.structs["Report"].members
                self.assertEqual(set(written["report"]) - {m.name for m in report}, set())
                self.assertGreaterEqual(set(written["report"]), {m.name for m in report if m.suffix != "?"})
                if names == ["tolerance"]:
                    kept = written["report"]["tolerance"]
                    self.assertEqual(set(kept), {m.name for m in schema.structs["ToleranceReport"].members})
                    self.assertEqual(kept["asked"], float(examples["tolerance"]))

    def solved(self, folder, chosen, in_a_box=False):
        out, file = os.path.join(folder, "run.json"), os.path.join(folder, "run.yaml")
        problem = "sine_wave\n  min_level: 1\n  max_level: 1" if in_a_box else "uniform_points\n  n: 300"
        pathlib.Path(file).write_text(f"problem:\n  kind: {problem}\nrun:\n  warmup: 0\n  repeat: 1\n", encoding="utf-8")
        said(programs["command"], "run", file, "--json", out, *(f"--set=solver.{name}={text}" for name, text in chosen.items()))
        return json.loads(pathlib.Path(out).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
