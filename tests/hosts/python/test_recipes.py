# SPDX-License-Identifier: Apache-2.0
"""test_recipes.py ROOT yt|pynbody|amrex: what docs/python.md says of these packages, done as it stands there, with a file of the
test's own: a snapshot in GADGET's layout, an AMReX plotfile. Ends with "skipped: " where the package is not there."""

import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

root, which = pathlib.Path(sys.argv[1]), sys.argv[2]
package = {"amrex": "yt"}.get(which, which)
try:
    importlib.import_module(package)
    h5py = importlib.import_module("h5py")
except ImportError:
    print("skipped: no " + package)
    sys.exit(0)

HUBBLE, COUNT = 0.7, 500
random = np.random.default_rng(1)
positions = 100 * random.random((COUNT, 3))
mass = 0.5 + random.random(COUNT)
KPC = {"yt": 1.0, "pynbody": 1000.0}.get(which)  # what they take a length for in a file that states no units, over h


def write_snapshot(path):
    with h5py.File(path, "w") as file:
        header = file.create_group("Header").attrs
        counts = np.array([0, COUNT, 0, 0, 0, 0], dtype="uint32")
        for name, value in {"NumPart_ThisFile": counts, "NumPart_Total": counts, "NumPart_Total_HighWord": 0 * counts,
                            "MassTable": np.zeros(6), "Time": 1.0, "Redshift": 0.0, "BoxSize": 100.0, "Omega0": 0.3,
                            "OmegaLambda": 0.7, "HubbleParam": HUBBLE, "NumFilesPerSnapshot": 1, "Flag_Sfr": 0,
                            "Flag_Cooling": 0, "Flag_StellarAge": 0, "Flag_Metals": 0, "Flag_Feedback": 0,
                            "Flag_DoublePrecision": 1}.items():
            header[name] = value
        points = file.create_group("PartType1")
        points["Coordinates"], points["Velocities"], points["Masses"] = positions, 0 * positions, mass
        points["ParticleIDs"] = np.arange(COUNT, dtype="uint64")


def direct():
    """Potential in (km/s)^2 and acceleration in km^2/s^2/kpc, softened by 0.1 kpc."""
    x, m = KPC * positions / HUBBLE, mass * 1e10 / HUBBLE
    gravity = 4.30092e-6
    d = x[None] - x[:, None]
    r2 = (d**2).sum(axis=2) + 0.1**2
    np.fill_diagonal(r2, np.inf)
    return -gravity * (m / np.sqrt(r2)).sum(axis=1), gravity * (m[None, :, None] * d / r2[:, :, None] ** 1.5).sum(axis=1)


def recipe(word):
    """The one block of code of the document with this word."""
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs/python.md").read_text(encoding="utf-8"), re.S)
    (block,) = [block for block in blocks if word in block]
    return block


def same(name, found, exact, order):
    error = np.abs(found[order] / exact - 1).max() if found.ndim == 1 else (
        np.linalg.norm(found[order] - exact, axis=1) / np.linalg.norm(exact, axis=1)).max()
    print(f"{name}: largest error {error:.1e}")
    assert error < 5e-4, name  # units' last digits, and the tree's


def write_box(folder, level, lower, upper, values):
    """A level of one box of cells, and what the file says of it."""
    box = "((" + ",".join(map(str, lower)) + ") (" + ",".join(map(str, upper)) + ") (0,0,0))"
    here = folder / f"Level_{level}"
    here.mkdir()
    real = "((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))"
    (here / "Cell_D_00000").write_bytes(f"FAB {real}{box} 1\n".encode() + values.astype("<f8").tobytes(order="F"))
    (here / "Cell_H").write_text(f"1\n1\n1\n0\n(1 0\n{box}\n)\n1\nFabOnDisk: Cell_D_00000 0\n\n1,1\n{values.min()},\n\n"
                                 f"1,1\n{values.max()},\n")


def write_plotfile(folder):
    """Cells of 1/16 of the box, and of 1/32 in its middle; lengths in cm, as AMReX has no units."""
    folder.mkdir()
    boxes = [((0, 0, 0), (15, 15, 15)), ((8, 8, 8), (23, 23, 23))]
    domains = " ".join(f"((0,0,0) ({n},{n},{n}) (0,0,0))" for n in (15, 31))
    side = 3e18
    sizes = [side / 16, side / 32]
    text = ["HyperCLaw-V1.1", "1", "density", "3", "0", "1", "0 0 0", f"{side} {side} {side}", "2", domains, "0 0"]
    text += [f"{size} {size} {size}" for size in sizes] + ["0", "0"]
    for level, ((lower, upper), size) in enumerate(zip(boxes, sizes)):
        text += [f"{level} 1 0", "0"] + [f"{lo * size} {(hi + 1) * size}" for lo, hi in zip(lower, upper)]
        text += [f"Level_{level}/Cell"]
        c = [(np.arange(lo, hi + 1) + 0.5) * size / side - 0.5 for lo, hi in zip(lower, upper)]
        r2 = c[0][:, None, None] ** 2 + c[1][None, :, None] ** 2 + c[2][None, None, :] ** 2
        write_box(folder, level, lower, upper, 1e-20 * np.exp(-r2 / 0.02))
    (folder / "Header").write_text("\n".join(text) + "\n")
    (folder / "job_info").write_text("AMReX\n")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    if which == "amrex":
        write_plotfile(pathlib.Path("plt00000"))
        done = subprocess.run([sys.executable, root / "examples/yt_potential.py", "plt00000"], text=True, stdout=subprocess.PIPE)
        print(done.stdout)
        assert done.returncode == 0 and f"{16**3 - 8**3 + 16**3} leaf cells" in done.stdout
    else:
        write_snapshot("snapshot")
        names = {}
        exec("import gravlet\nimport numpy\nimport yt\nyt.set_log_level('error')\n" if which == "yt"
             else "import gravlet\nimport numpy\nimport pynbody\n", names)
        exec(recipe(which + ".load("), names)
        phi, acc = direct()
        if which == "yt":
            found = names["stars"]["all", "particle_index"].d.astype(int)
            same("potential", names["phi"], phi, np.argsort(found))
        else:
            same("acceleration", names["acc"], acc, np.argsort(np.asarray(names["s"]["iord"])))
    os.chdir("/")
