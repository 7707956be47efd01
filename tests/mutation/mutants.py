# SPDX-License-Identifier: Apache-2.0
"""The mutants of list/*.jsonl, and a copy of the sources with all of them in it.

A mutant is a line of JSON, in the list of the folder that it is for:

    id          its name: short, and it stays
    file        from the repository's root
    old, new    what becomes what; of whole expressions or statements, as `kind` says
    at          a longer text around `old`, where that alone is not unique in the file
    kind        expression: (gravlet_mutant(number) ? (new) : (old)); statement: if (gravlet_mutant(number)) { new } else { old }
    breaks      what is wrong with it, in a phrase
    tests       a ctest regular expression: those meant for it
    equivalent  why nobody could tell it apart, if so; it is not counted

No two may overlap. What is evaluated at compile time stays as it was.
"""
import collections
import dataclasses
import json
import pathlib
import zlib

LISTS = pathlib.Path(__file__).resolve().parent / "list"
SWITCH = "tests/mutation/mutant.hpp"
# Files that come first in any translation unit of physics/, solver/, cpu/ and gpu/; templates (.inl) are included in the middle.
EVERYWHERE = {"physics/types.hpp"}
# A device's own copy of the number is set with its first stream.
ON_DEVICE = ("gpu/execution/context.cpp", "const DeviceScope scope(device_);\n")


@dataclasses.dataclass(frozen=True)
class Mutant:
    id: str
    file: str
    old: str
    new: str
    kind: str
    breaks: str
    tests: str
    folder: str
    at: str = ""
    equivalent: str = ""

    @property
    def number(self):
        """What GRAVLET_MUTANT is set to: the same whatever else is in the list, so that nothing else is compiled anew."""
        return zlib.crc32(self.id.encode()) & 0x7FFFFFFF or 1

    def place(self, text):
        """Where `old` begins in the file's text, or what is wrong."""
        around = self.at or self.old
        if text.count(around) != 1:
            raise ValueError(f"{self.id}: {self.file} has {text.count(around)} times: {around}")
        if around.count(self.old) != 1:
            raise ValueError(f"{self.id}: `old` must be once in `at`: {self.old}")
        return text.index(around) + around.index(self.old)

    def switched(self):
        switch = f"gravlet_mutant({self.number})"
        if self.kind == "expression":
            return f"({switch} ? ({self.new}) : ({self.old}))"
        return f"if ({switch}) {{ {self.new} }} else {{ {self.old} }}"


def is_whole(text, kind):
    """Whether brackets match and, in an expression, each ? has its :, no comma is outside of brackets (it would be the comma operator),
    and no operator lacks what it acts on."""
    if kind == "expression":
        if text.count("?") != text.replace("::", "").count(":"):
            return False
        if not text.strip() or text.strip()[0] in "/%<>=|^?:.," or text.strip()[-1] in "+-*/%<>=|&^?:.,!~":
            return False
    depth = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (depth == 0 and kind == "expression" and letter in ",;"):
            return False
    return depth == 0


def load(lists=LISTS):
    """All mutants; a ValueError says which line is none."""
    mutants = []
    for path in sorted(lists.glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                mutants.append(Mutant(folder=path.stem, **json.loads(line)))
            except (TypeError, json.JSONDecodeError) as error:
                raise ValueError(f"{path.name}:{number}: {error}") from None
    return mutants


def flaws(root, mutants):
    """What is wrong with a list, a line each."""
    found = []
    for key in ("id", "number"):
        counts = collections.Counter(getattr(m, key) for m in mutants)
        found += [f"{name}: two mutants have this {key}" for name, count in counts.items() if count > 1]
    places = collections.defaultdict(list)
    for m in mutants:
        if m.kind not in ("expression", "statement"):
            found.append(f"{m.id}: kind {m.kind}")
        if not (is_whole(m.old, m.kind) and is_whole(m.new, m.kind)):
            found.append(f"{m.id}: not whole: {m.old} -> {m.new}")
        if not (m.breaks and m.tests):
            found.append(f"{m.id}: says not what it breaks, or by which tests that is seen")
        path = root / m.file
        try:
            begin = m.place(path.read_text()) if path.is_file() else None
        except ValueError as error:
            found.append(str(error))
            continue
        if begin is None:
            found.append(f"{m.id}: there is no {m.file}")
        else:
            places[m.file].append((begin, begin + len(m.old), m.id))
    for ranges in places.values():
        ranges.sort()
        found += [f"{b[2]}: overlaps with {a[2]}" for a, b in zip(ranges, ranges[1:]) if a[1] > b[0]]
    return found


def include_switch(file):
    """By its way from the file: hosts that include a header do not know where the sources are."""
    return f'#include "{"../" * file.count("/")}{SWITCH}"\n'


def mutated(file, text, mutants):
    """A file's text with its mutants in it."""
    for begin, m in sorted(((m.place(text), m) for m in mutants), key=lambda place: place[0], reverse=True):
        text = text[:begin] + m.switched() + text[begin + len(m.old):]
    if file == ON_DEVICE[0]:
        text = include_switch(file) + text.replace(ON_DEVICE[1], ON_DEVICE[1] + "    gravlet_set_mutant_on_device();\n")
    elif file in EVERYWHERE or (mutants and not file.endswith(".inl") and not file.endswith("-inl.hpp")):
        text = include_switch(file) + text
    return text


def write_copy(root, files, mutants, to):
    """Copies files (paths from the root) with all mutants; what is there already as it should be is not touched, what is too many goes."""
    by_file = collections.defaultdict(list)
    for m in mutants:
        by_file[m.file].append(m)
    wanted = set()
    for file in files:
        source, target = root / file, to / file
        if not source.is_file():
            continue
        wanted.add(target)
        data = source.read_bytes()
        if file in by_file or file in EVERYWHERE or file == ON_DEVICE[0]:
            data = mutated(file, data.decode(), by_file[file]).encode()
        if target.is_file() and target.read_bytes() == data:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(source.stat().st_mode)
    for old in [path for path in to.rglob("*") if path.is_file() and path not in wanted]:
        old.unlink()
