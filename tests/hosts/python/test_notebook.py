# SPDX-License-Identifier: Apache-2.0
"""test_notebook.py NOTEBOOK FOLDER [PICTURES]: runs its cells one after the other, in a folder of their own and without Jupyter,
with the command that is in FOLDER, and looks at what they find: the closed forms of the sphere that it is about. The notebook
itself has no outputs. Its pictures stay in PICTURES, to look at them."""

import json
import os
import pathlib
import sys
import tempfile

try:
    import h5py  # noqa: F401
    import matplotlib
except ImportError:
    print("skipped: no matplotlib or h5py")
    sys.exit(0)
import numpy as np

matplotlib.use("Agg")
path = pathlib.Path(sys.argv[1]).resolve()
notebook = json.loads(path.read_text(encoding="utf-8"))
os.environ["PATH"] = sys.argv[2] + ":" + os.environ["PATH"]
keep = sys.argv[3] if len(sys.argv) > 3 else None

names = {"__name__": "__main__"}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None, f"cell {cell['id']} has outputs: strip them"
        exec(compile("".join(cell["source"]), f"cell {cell['id']}", "exec"), names)
    for picture in ("profiles.png", "potential.png"):
        image = matplotlib.image.imread(picture)
        assert image.shape[0] > 300 and image.std() > 0.05, f"{picture} is empty"
        if keep:
            pathlib.Path(keep, picture).write_bytes(pathlib.Path(picture).read_bytes())
    os.chdir("/")

r, phi, g = names["r"], names["phi"], names["g"]
wide = r > 0.2  # shells of 500 points: the softening, and noise
print("potential, worst shell:", np.abs(phi * (1 + r) + 1)[wide].max())
print("acceleration, worst shell:", np.abs(g * (1 + r) ** 2 - 1)[wide].max())
assert np.abs(phi * (1 + r) + 1)[wide].max() < 0.02
assert np.abs(g * (1 + r) ** 2 - 1)[wide].max() < 0.1
try:
    import nbformat
except ImportError:
    pass
else:
    nbformat.validate(nbformat.read(path, as_version=4))
