# SPDX-License-Identifier: Apache-2.0
"""The list of mutants fits the sources: each mutant's `old` is in its file, once. python3 tests/mutation/check.py ROOT"""
import pathlib
import sys

import mutants

root = pathlib.Path(sys.argv[1])
found = mutants.flaws(root, mutants.load())
print("\n".join(found))
sys.exit(1 if found else 0)
