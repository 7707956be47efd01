#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes of gravlet's comments what Doxygen reads: filter.py FILE, as its FILTER_PATTERNS call it. Lines stay where they are."""

import pathlib
import re
import sys


def c_like(lines):
    """C: /* before a declaration, or behind it on its line. C++ has /// and ///< already; // at the top is the file's own."""
    top = True
    for line in lines:
        if line.startswith("// ") and top:
            yield "/// \\file" if "SPDX" in line else "///" + line[2:]
            continue
        top = top and not line.strip()
        yield re.sub(r"^(.*\S.*?)/\* (?!clang)", r"\1/**< ", line) if re.match(r"\s*[^\s/*]", line) else re.sub(r"^(\s*)/\* ", r"\1/** ", line)


def fortran(lines):
    """! on lines of its own documents what follows; behind a declaration, that."""
    for line in lines:
        if re.match(r"\s*!( |$)", line):
            yield re.sub(r"!", "!>", line, count=1)
        else:
            yield re.sub(r"^([^'\"!]*[^'\"!\s][^'\"!]*)! ", r"\1!< ", line)


path = pathlib.Path(sys.argv[1])
lines = path.read_text(encoding="utf-8").splitlines()
print("\n".join((fortran if path.suffix == ".f90" else c_like)(lines)))
