# SPDX-License-Identifier: Apache-2.0
"""The codes' setup may move the variable's index of a block's data behind the others: in files that name the arrays. This fails
where a file of the unit has such an array and does not name it.

    reorder.py FOLDER
"""
import pathlib
import re
import sys

wrong = []
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.F90"))
for path in files:
    text = path.read_text()
    named = {name.strip() for line in re.findall(r"^!!REORDER\(4\):(.*)$", text, re.M) for name in line.split(",")}
    arrays = set(re.findall(r"real, pointer :: (\w+)\(:, *:, *:, *:\)", text))
    wrong += [f"{path}: {name} is not in !!REORDER(4):" for name in sorted(arrays - named)]
print("\n".join(wrong) or f"{len(files)} files")
sys.exit(1 if wrong or not files else 0)
