#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Spack recipe is Python, its variants are its own, and it sets CMake options that there are: recipe.py ROOT BUILD

Spack itself reads it nowhere here: PyPI and Debian have it not."""

import ast
import pathlib
import re
import sys

root, build = map(pathlib.Path, sys.argv[1:])
tree = ast.parse((root / "scripts/spack/packages/gravlet/package.py").read_text(encoding="utf-8"))


def calls(name):
    """Of each call of a function or method of that name: its arguments that are text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", None)) == name:
            yield [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]


cache = set(re.findall(r"^(\w+):(?!INTERNAL)\w+=", (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.M))
variants = {name for name, *_ in calls("variant")} | {"cuda"}  # CudaPackage's own
options = {option for option, *_ in [*calls("define"), *calls("define_from_variant")]} - {"CMAKE_CUDA_ARCHITECTURES"}
used = {variant for _, variant in calls("define_from_variant")}
wrong = sorted(options - cache) + sorted(used - variants) + sorted(variants - used)
print(f"{len(options)} options, {len(variants)} variants; wrong: {wrong}")
sys.exit(bool(wrong or not options))
