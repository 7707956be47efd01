# SPDX-License-Identifier: Apache-2.0
"""Compares the README's code blocks with the examples they are taken from."""

import pathlib
import re
import sys
import textwrap


def block(readme: str, language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    if len(found) != 1:
        sys.exit(f"README.md: {len(found)} code blocks in {language}, expected 1")
    return found[0]


def between_marks(source: str) -> str:
    excerpt = re.search(r"^ *(?://|!) \[readme\]\n(.*?)^ *(?://|!) \[/readme\]$", source, re.MULTILINE | re.DOTALL)
    if excerpt is None:
        sys.exit("no [readme] and [/readme] marks in the example")
    return textwrap.dedent(excerpt.group(1))


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    readme = (root / "README.md").read_text()
    if block(readme, "cpp") != between_marks((root / "examples/cpp_cells.cpp").read_text()):
        sys.exit("README.md: the C++ differs from examples/cpp_cells.cpp")
    if block(readme, "fortran") != between_marks((root / "examples/fortran_host.f90").read_text()):
        sys.exit("README.md: the Fortran differs from examples/fortran_host.f90")
    header, body = (root / "examples/maclaurin.yaml").read_text().split("\n\n", 1)
    if block(readme, "yaml") != body:
        sys.exit("README.md: the YAML differs from examples/maclaurin.yaml")


main()
