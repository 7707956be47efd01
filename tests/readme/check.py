# SPDX-License-Identifier: Apache-2.0
"""check.py ROOT: the README is short, and its code is that of files that tests build or run.

At most 600 words beside code blocks. Its C++ and Fortran are what stands between the marks of their examples, every other block an
excerpt of a file of examples (guide.py), and each command of a block of shell has a program and options that are there.
"""

import pathlib
import re
import sys
import textwrap

import guide

WORDS = 600
MARKED = {"cpp": "examples/cpp_cells.cpp", "fortran": "examples/fortran_host.f90"}


def between_marks(source):
    excerpt = re.search(r"^ *(?://|!) \[readme\]\n(.*?)^ *(?://|!) \[/readme\]$", source, re.MULTILINE | re.DOTALL)
    if excerpt is None:
        sys.exit("no [readme] and [/readme] marks in the example")
    return textwrap.dedent(excerpt.group(1))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    readme = (root / "README.md").read_text()
    wrong = guide.wrong_code(root, readme)
    for language, file in MARKED.items():
        blocks = [block for of, block in guide.FENCE.findall(readme) if of == language]
        if blocks != [between_marks((root / file).read_text())]:
            wrong.append(f"the code in {language} is not that of {file}")
    if "python" not in [of for of, _ in guide.FENCE.findall(readme)]:
        wrong.append("no code in python")
    words, _ = guide.measure(guide.FENCE.sub("", readme))
    if words > WORDS:
        wrong.append(f"{words} words, at most {WORDS}")
    if wrong:
        sys.exit("\n".join(f"README.md: {what}" for what in wrong))


main()
