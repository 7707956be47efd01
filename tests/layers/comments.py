#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Doc comments read alone: comments.py ROOT [--pretend LINE]

A doc comment (/// or ///<; a docstring) names its subject: it does not begin as if it went on from the
declaration, or the comment, before it. "Local." and "Collective." with their conditions come before the beginning. --pretend adds
a line of C++, to see the check fail.
"""

import pathlib
import re
import sys

FOLDERS = ("include", "solver", "physics", "ewald", "mpi", "cpu", "gpu", "api", "amr_adapter", "tools", "hdf5", "benchmarks",
           "examples")
SUFFIXES = {".hpp", ".cpp", ".inl", ".cu", ".cuh"}
LEADS = re.compile(r"(?:(?:Local|Collective)\b[^.:]*[.:]\s*)*")
# Of words that begin so, the comment goes on from something else. "What", "where", "which" and "whether" begin noun clauses.
REFUSED = re.compile(
    r"(?:of|that of|those of|the same|same|likewise|see|as|by|in|at|on|to|from|for|with|without|up to|into|behind|beyond|beside|"
    r"once|after|before|until|while|if|unless|else|then|and|or|also|both|not|again|it|its|they|their|them|these|"
    r"(?:one|some|each|all) of (?:it|its|these|those|them))\b",
    re.I,
)


def doc_comments(lines):
    """The first line's number and the text of each doc comment."""
    number = 0
    while number < len(lines):
        begin = number
        number += 1
        if trailing := re.search(r"\S.*///<\s*(.*)", lines[begin]):
            yield begin + 1, trailing[1]
        elif own := re.match(r"\s*///(?!<)\s*(.*)", lines[begin]):
            text = [own[1]]
            while number < len(lines) and (more := re.match(r"\s*///(?!<)\s*(.*)", lines[number])):
                text.append(more[1])
                number += 1
            yield begin + 1, " ".join(text)


def docstrings(lines):
    for number, line in enumerate(lines, 1):
        if own := re.match(r'\s*"""(.+)', line):
            yield number, own[1]


def flaws(name, comments):
    for number, text in comments:
        begin = LEADS.match(text).end()
        if begin == len(text):
            yield f"{name}:{number}: a doc comment without a subject: {text}"
        elif begins := REFUSED.match(text, begin):
            yield f'{name}:{number}: a doc comment that begins with "{begins[0]}" does not name its subject: {text}'


def main():
    root, options = pathlib.Path(sys.argv[1]), sys.argv[2:]
    wrong = list(flaws("pretended", doc_comments(options[1:])))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            read = doc_comments if path.suffix in SUFFIXES else docstrings if path.suffix == ".py" else None
            if read:
                wrong += flaws(name, read(path.read_text(encoding="utf-8").splitlines()))
    sys.exit("\n".join(wrong) if wrong else 0)


main()
