#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py ROOT BUILD RECIPE | --build RECIPE...: recipes of CONTRIBUTING.md, carried out on a copy of the tree.

RECIPE.toml here says what somebody does who follows it, by the example of something small:

    title        the recipe's heading in CONTRIBUTING.md
    name         what stands there for NAME
    generate     scripts/generate --extend-abi is called
    picture      tests/layers/check.py --print is called
    not_here     files that it names, and the trial leaves alone
    built        files that a build writes anew (--build alone sees that)
    [[edit]]     file, and `text` that goes `after` or `before` what is there once, or `in_place_of` it
    [[new]]      file, text
    [[compile]]  files, and `like`: a file whose compiler's flags they want, if they have none of their own
    [[run]]      a program that is linked as another `like` it of the build, and run
    [[command]]  --build: arguments of the command `gravlet`, and what it then `says`

The files that are touched are those that the recipe names, but for what scripts/generate writes, and the pages stay as it would
write them. By day sources are compiled without code (-fsyntax-only); --build builds the command, after several recipes.
"""

import concurrent.futures
import filecmp
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
NAMED = re.compile(r"`([\w./-]+/[\w./-]+|[\w-]+\.(?:md|txt|in))`")


def done(what, *command, **more):
    ended = subprocess.run(command, capture_output=True, text=True, **more)
    if ended.returncode != 0:
        sys.exit(f"{what}: {shlex.join(map(str, command))}\n{ended.stdout[-3000:]}{ended.stderr[-6000:]}")
    return ended.stdout


class Trial:
    def __init__(self, root, build, recipe, copy):
        self.root, self.build, self.copy = root, build, copy
        self.recipe = tomllib.loads((HERE / f"{recipe}.toml").read_text())
        listed = done("git", "git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        self.files = [name for name in listed if name and (root / name).is_file()]
        for name in self.files if not any(copy.iterdir()) else []:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)

    def edit(self):
        for edit in self.recipe.get("edit", []):
            path = self.copy / edit["file"]
            text = path.read_text()
            place = next(key for key in ("after", "before", "in_place_of") if key in edit)
            if text.count(edit[place]) != 1:
                sys.exit(f"{edit['file']} has {text.count(edit[place])} times: {edit[place]}")
            new = {"after": edit[place] + edit["text"], "before": edit["text"] + edit[place], "in_place_of": edit["text"]}[place]
            path.write_text(text.replace(edit[place], new))
        for new in self.recipe.get("new", []):
            path = self.copy / new["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new["text"])
        if self.recipe.get("generate"):
            done("scripts/generate", sys.executable, "scripts/generate", "--extend-abi", cwd=self.copy)
        if self.recipe.get("picture"):  # which it writes before it says what else is wrong
            subprocess.run([sys.executable, "tests/layers/check.py", ".", "--print"], cwd=self.copy, capture_output=True)
        done("scripts/generate", sys.executable, "scripts/generate", "--check", cwd=self.copy)
        done("layers", sys.executable, "tests/layers/check.py", ".", cwd=self.copy)

    def compare_files(self):
        """What is touched is what the recipe names."""
        sys.path.insert(0, str(self.root / "api/schema/generator"))
        import main as generator  # noqa: PLC0415
        written = {*generator.REGIONS, *generator.WHOLE, "api/schema/abi.txt"} if self.recipe.get("generate") else set()
        touched = {name for name in self.files if not filecmp.cmp(self.root / name, self.copy / name, shallow=False)}
        touched |= {new["file"] for new in self.recipe.get("new", [])}
        by_hand = {edit["file"] for edit in self.recipe.get("edit", [])}
        touched = (touched - (written - by_hand)) | set(self.recipe.get("built", []))
        text = (self.root / "CONTRIBUTING.md").read_text()
        section = re.search(rf"^### {re.escape(self.recipe['title'])}\n(.*?)(?=^##)", text, re.MULTILINE | re.DOTALL)
        if section is None:
            sys.exit(f"CONTRIBUTING.md has no recipe \"{self.recipe['title']}\"")
        lines = section[1].strip().splitlines()
        if len(lines) > 12:
            sys.exit(f"CONTRIBUTING.md, {self.recipe['title']}: {len(lines)} lines, at most 12")
        named = {name.replace("NAME", self.recipe.get("name", "")) for name in NAMED.findall(section[1])}
        named -= {name for name in named if os.access(self.root / name, os.X_OK)}  # programs, and folders
        left = set(self.recipe.get("not_here", []))
        if left - named or not all((self.root / name).is_file() for name in left):
            sys.exit(f"{self.recipe['title']}: not named, or not there: {sorted(left)}")
        named -= left
        if named != touched:
            sys.exit(f"{self.recipe['title']}: named and not touched: {sorted(named - touched)}; touched and not named: "
                     f"{sorted(touched - named)}")

    def commands(self):
        if not hasattr(self, "known"):
            listed = json.loads((self.build / "compile_commands.json").read_text())
            self.known = {os.path.relpath(entry["file"], self.root): entry for entry in listed}
        return self.known

    def syntax(self, file, like):
        """The compiler's call for a file of the copy, as that of this or a like file of the tree, without code."""
        entry = self.commands().get(file) or self.commands()[like]
        words = shlex.split(entry["command"])
        build = str(self.build)
        words = [word if build in word else word.replace(str(self.root), str(self.copy)) for word in words]
        if pathlib.Path(words[0]).name == "ccache":
            words.pop(0)
        place = words.index("-o")
        del words[place:place + 2]
        words[words.index("-c") + 1] = str(self.copy / file)
        words = [word for word in words if not word.startswith("-J")]
        return [*words, "-fsyntax-only"], entry["directory"]

    def compile(self):
        wanted = [(file, group.get("like", file)) for group in self.recipe.get("compile", []) for file in group["files"]]
        with tempfile.TemporaryDirectory() as modules, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            def one(pair):
                words, folder = self.syntax(*pair)
                if pair[0].endswith(".f90"):
                    words = [words[0], "-I", modules, *words[1:], "-cpp", "-J", modules]
                done(pair[0], *words, cwd=folder)
            fortran = [pair for pair in wanted if pair[0].endswith(".f90")]
            for pair in fortran:  # modules in their order
                one(pair)
            list(pool.map(one, [pair for pair in wanted if pair not in fortran]))
        return len(wanted)

    def run(self):
        for run in self.recipe.get("run", []):
            words, folder = self.syntax(run["file"], run["like"])
            target = self.build / "examples" / pathlib.Path(run["like"]).stem
            if not target.exists() or not (self.build / "build.ninja").exists():
                done(run["file"], *words, cwd=folder)
                print(f"{run['file']} compiles; {target} is not built, so that it is not linked and run")
                continue
            calls = done("ninja", "ninja", "-C", self.build, "-t", "commands", target.relative_to(self.build)).splitlines()
            built, program = self.copy / "host.o", self.copy / "host"
            done(run["file"], *words[:-1], "-o", built, cwd=folder)
            own = {f"examples/{target.name}": str(program)}
            link = [str(built) if word.endswith(f"{target.name}.cpp.o") else own.get(word, word)
                    for word in shlex.split(calls[-1]) if word not in (":", "&&")]
            done("linking", *link, cwd=self.build)
            print(done(run["file"], self.root / "scripts/mpirun", "2", program, env=os.environ | {"OMP_NUM_THREADS": "1"}), end="")

    def build_command(self):
        work = self.copy / "build"
        off = [f"-DGRAVLET_{part}=OFF" for part in ("CUDA", "TESTS", "EXAMPLES", "BENCHMARKS", "PYTHON_PACKAGE")]
        done("cmake", "cmake", "-G", "Ninja", "-S", self.copy, "-B", work, "-D", "CMAKE_BUILD_TYPE=Release", *off,
             "-D", "CMAKE_CXX_FLAGS_RELEASE=-O0 -DGRAVLET_WITHOUT_AVX512")
        done("build", "cmake", "--build", work, "--target", "gravlet_command", "gravlet_manual_files")

    def ask_command(self):
        """The command, once built, and what it says of this recipe; what the build writes is then another file."""
        work = self.copy / "build"
        for command in self.recipe.get("command", []):
            said = done("gravlet", work / "tools/gravlet", *command["arguments"])
            if command["says"] not in said:
                sys.exit(f"gravlet {' '.join(command['arguments'])} says nothing of {command['says']}:\n{said}")
        for name in self.recipe.get("built", []):
            if filecmp.cmp(work / "tools" / pathlib.Path(name).name, self.root / name, shallow=False):
                sys.exit(f"{name}: the build writes what was there")


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    if not (root / ".git").exists() or shutil.which("git") is None:
        print("skipped: no git checkout to copy")
        return
    with tempfile.TemporaryDirectory(prefix="gravlet-recipe-") as folder:
        copy = pathlib.Path(folder).resolve()
        if sys.argv[3] == "--build":
            trials = []
            for recipe in sys.argv[4:]:
                trials.append(Trial(root, build, recipe, copy))
                trials[-1].edit()
            trials[0].build_command()
            for trial in trials:
                trial.ask_command()
                print(f"{trial.recipe['title']}: the command has it")
            return
        trial = Trial(root, build, sys.argv[3], copy)
        trial.edit()
        trial.compare_files()
        compiled = trial.compile() + len(trial.recipe.get("run", []))
        trial.run()
        print(f"{trial.recipe['title']}: {compiled} sources compile")


main()
