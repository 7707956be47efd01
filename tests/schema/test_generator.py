# SPDX-License-Identifier: Apache-2.0
"""scripts/generate on copies of the schema that someone has edited: what it refuses, and where new members go."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ("api", "amr_adapter", "docs", "include", "physics/orders.hpp", "scripts/generate", "solver/data/local_report.hpp",
         "tests/schema", "tests/api/input/test_options.cpp")
NEW = '[[option]]\nname = "depth"\ntype = "integer"\ndefault = 3\nrange = [1, 9]\nexample = "5"\nhelp = "How deep."\n\n'


class Generator(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name in FILES:
            whole = ROOT / name
            if whole.is_dir():
                shutil.copytree(whole, self.root / name)
            else:
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(whole, self.root / name)

    def tearDown(self):
        self.folder.cleanup()

    def edit(self, name, old, new):
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def generate(self, *arguments):
        run = subprocess.run([self.root / "scripts/generate", *arguments], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def refused(self, words, *arguments):
        code, said = self.generate(*arguments)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)

    def test_what_is_committed_is_fresh(self):
        self.assertEqual(self.generate("--check"), (0, ""))

    def test_a_file_that_was_edited(self):
        self.edit("include/gravlet/options.hpp", "int leaf_size = 12;", "int leaf_size = 13;")
        self.refused("+    int leaf_size = 12;", "--check")
        self.assertEqual(self.generate()[1], "include/gravlet/options.hpp\n")
        self.assertEqual(self.generate("--check"), (0, ""))

    def test_a_new_option_goes_to_the_end(self):
        self.edit("api/schema/options.toml", '[[option]]\nname = "theta"', NEW + '[[option]]\nname = "theta"')
        self.refused("gravlet_options has new members, depth: scripts/generate --extend-abi puts them at its end")
        code, said = self.generate("--extend-abi")
        self.assertEqual(code, 0, said)
        places = (self.root / "api/schema/abi.txt").read_text(encoding="utf-8")
        before = (ROOT / "api/schema/abi.txt").read_text(encoding="utf-8")
        added = [line for line in places.splitlines() if line not in before.splitlines()]
        self.assertEqual([line.split()[:2] for line in added], [["gravlet_options", "depth"]])
        self.assertEqual([line for line in places.splitlines() if line not in added], before.splitlines())
        for name in ("include/gravlet/options.hpp", "include/gravlet/gravlet.h", "amr_adapter/fortran/gravlet_settings.f90",
                     "amr_adapter/python/gravlet/_schema.py", "docs/reference/options.md"):
            self.assertIn("depth", (self.root / name).read_text(encoding="utf-8"), name)
        self.assertEqual(self.generate("--check"), (0, ""))

    def test_members_that_are_lost_moved_or_resized(self):
        self.edit("api/schema/report.toml", '[[struct.member]]\nname = "median"\ntype = "number"\npage = "half of them err by no more"\n', "")
        self.refused("gravlet_error_statistics has lost median", "--extend-abi")
        self.edit("api/schema/report.toml", '[[struct.member]]\nname = "rms"', '[[struct.member]]\nname = "median"\ntype = "number"\npage = "half"\n[[struct.member]]\nname = "rms"')
        self.edit("api/schema/options.toml", 'name = "leaf_size"\ntype = "integer"', 'name = "leaf_size"\ntype = "integer64"')
        self.refused("gravlet_options.leaf_size was 4 bytes at 168, and would be 8 at 168", "--extend-abi")
        self.edit("api/schema/options.toml", 'name = "leaf_size"\ntype = "integer64"', 'name = "leaf_size"\ntype = "integer"')
        self.edit("api/schema/abi.txt", "gravlet_options theta 32 8\n", "")
        self.refused("gravlet_options.order was 4 bytes at 40, and would be 4 at 28")
        # A struct within another: what comes after it would move.
        self.tearDown()
        self.setUp()
        self.edit("api/schema/report.toml", 'name = "worst"\n', 'name = "mean"\ntype = "number"\npage = "their mean"\n[[struct.member]]\nname = "worst"\n')
        self.refused("gravlet_report.potential_error was 80 bytes at 120, and would be 88", "--extend-abi")

    def test_what_the_pages_want(self):
        self.edit("api/schema/report.toml", 'page = "half of them err by no more"\n', "")
        self.refused("ErrorStatistics.median: page, brief or doc is wanted")
        self.edit("api/schema/enums.toml", 'help = "The message names the option and what it may be. Give every rank the same options."\n', "")
        self.refused("error invalid_option: ")

    def test_schemas_that_are_wrong(self):
        for old, new, words in ((NEW[:0], NEW.replace('"integer"', '"whole"'), "option depth: no type whole"),
                                (NEW[:0], NEW.replace("example", "exmple"), "option depth: "),
                                (NEW[:0], NEW.replace("range = [1, 9]\n", ""), "option depth: range and default are wanted"),
                                (NEW[:0], NEW.replace("depth", "theta"), "options: theta twice"),
                                ('default = "point"', 'default = "dot"', "option near_cells: dot is no word of NearCells")):
            with self.subTest(words=words):
                self.tearDown()
                self.setUp()
                place = '[[option]]\nname = "theta"'
                self.edit("api/schema/options.toml", old or place, new if old else new + place)
                self.refused(words)


if __name__ == "__main__":
    unittest.main()
