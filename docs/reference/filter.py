#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes of gravlet's comments what Doxygen reads: filter.py FILE, as its FILTER_PATTERNS call it."""

import pathlib
import re
import sys
from itertools import dropwhile


def c_like(lines):
    """C: /* before a declaration, or behind it on its line. C++ has /// and ///< already; // at the top is the file's own."""
    top = True
    for line in lines:
        if top and line.startswith("//"):
            line = "/// \\file" if "SPDX" in line else "/" + line
        elif top and "SPDX" in line:
            line = line.replace("/* ", "/** \\file ").replace("SPDX-License-Identifier: Apache-2.0", "")
        elif re.match(r"\s*/\* ", line):
            line = line.replace("/* ", "/** ", 1)
        else:
            line = re.sub(r"^(\s*[^\s/*#].*?)/\* ", r"\1/**< ", line)
        top = top and line.startswith(("/", " *"))
        yield line


def expanded(path, macros):
    """A Fortran file's lines, with #include and the plain macros that ours are."""
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["#define"]:
            macros[words[1]] = words[2]
        elif words[:1] == ["#undef"]:
            del macros[words[1]]
        elif words[:1] == ["#include"]:
            yield from dropwhile(str.strip, expanded(path.parent / words[1].strip('"'), macros))  # what is said of the file
        elif "SPDX" not in line:
            yield re.sub(r"\b[A-Z_]+\b", lambda name: macros.get(name[0], name[0]), line)


def fortran(lines):
    """! on lines of its own documents what follows; behind a declaration, that. What hosts cannot use is made private by name: of
    types Doxygen takes no list of those that are public."""
    text = "\n".join(lines)
    public = set(re.findall(r"\w+", " ".join(re.findall(r"^ *public ::(.*(?:&\n.*)*)", text, re.M))))
    text = re.sub(r"^    interface (\w+)\n(?:.*\n)*?    end interface\n", lambda i: i[0] if i[1] in public else "", text, flags=re.M)
    lines = text.splitlines()
    listed = re.findall(r"^ *(?:public ::|procedure ::|generic ::|module procedure)(.*(?:&\n.*)*)", text, re.M)
    usable = set(re.findall(r"\w+", " ".join(listed)))
    named = re.findall(r"^    (?:[\w =():*]*, *)?(?:[\w ()*=:]*(?:subroutine|function|parameter ::) *)(\w+)", text, re.M)
    hidden = sorted(set(named) - usable)
    for line in lines:
        name = re.match(r"    type(?:, *[^:]*)? :: (\w+)$", line)
        if usable and name and name[1] not in usable:
            line = line.replace("type", "type, private", 1)
        if line == "    private":
            line = f"    private :: {', '.join(hidden)}" if hidden else ""
        if re.match(r"\s*!( |$)", line):
            yield re.sub(r"!", "!>", line, count=1)
        else:
            yield re.sub(r"^([^'\"!]*[^'\"!\s][^'\"!]*)! ", r"\1!< ", line)


path = pathlib.Path(sys.argv[1])
if path.suffix == ".f90":
    print("\n".join(fortran(list(expanded(path, {})))))
else:
    print("\n".join(c_like(path.read_text(encoding="utf-8").splitlines())))
