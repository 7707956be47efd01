#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_film.py FILM.py: pictures of a small made-up run, what is in them, and what is said of files that are none. Exit code 77
where there is no matplotlib or h5py.
"""
import runpy
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

try:
    import h5py
    import matplotlib.image
    import numpy as np
except ImportError as error:
    print(f"check_film.py: {error}")
    sys.exit(77)

FILM = Path(sys.argv[1])
sys.path.insert(0, str(FILM.parent))  # as for a script that is started
COLUMNS = ("time,steps,kinetic,potential,energy,virial_ratio,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
           "angular_momentum_y,angular_momentum_z,centre_x,centre_y,centre_z,seconds,pairs,active,rebuilds").split(",")


def require(true, *what):
    if not true:
        sys.exit(" ".join(map(str, ("check_film.py:", *what))))


def write_snapshot(path, time):
    """Two lumps, of masses 3 and 2: those of their points are in a data set, and in the header."""
    random = np.random.default_rng(7)
    with h5py.File(path, "w") as file:
        header = file.create_group("Header").attrs
        header.update(Time=time, NumPart_ThisFile=[0, 300, 100, 0, 0, 0], MassTable=[0, 0, 0.02, 0, 0, 0])
        for kind, count, x in ((1, 300, -1.0), (2, 100, 1.0)):
            file[f"PartType{kind}/Coordinates"] = 0.1 * random.normal(size=(count, 3)) + [x, 0.5 * x, 0.0]
        file["PartType1/Masses"] = np.full(300, 0.01)


def write_log(path, lines):
    rows = [[0.5 * k if name == "time" else 4 * k if name == "steps" else 1.0 + 0.1 * k for name in COLUMNS] for k in range(lines)]
    path.write_text("\n".join(",".join(map(str, row)) for row in [COLUMNS, *rows]) + "\n")


def film(*arguments):
    """What the script says as it ends; "": nothing, and all is well."""
    sys.argv = [str(FILM), *map(str, arguments)]
    try:
        runpy.run_path(str(FILM), run_name="__main__")
    except SystemExit as end:
        return str(end.code)
    return ""


def check_pictures(folder):
    snapshots = [folder / f"s_{k:04d}.hdf5" for k in range(14)]
    for k, path in enumerate(snapshots):
        write_snapshot(path, 0.5 * k)
    log = folder / "log.csv"
    write_log(log, 14)
    with log.open("a") as file:
        file.write("7.0,56,0.")  # cut off
    said = film(log, *reversed(snapshots[:3]), "--strip", folder / "a.png", "--energy", folder / "b.png", "--frames", folder / "f")
    require(said == "", said)
    require(sorted(path.name for path in (folder / "f").iterdir()) == [f"frame_000{k}.png" for k in range(3)], "not three frames")
    for picture in (folder / "a.png", folder / "b.png", folder / "f/frame_0002.png"):
        require(matplotlib.image.imread(picture).std() > 0.05, picture, "shows nothing")
    shape = matplotlib.image.imread(folder / "a.png").shape
    said = film(log, *snapshots, "--strip", folder / "a.png")
    require(said == "", said)
    require(matplotlib.image.imread(folder / "a.png").shape[0] > 2 * shape[0], "twelve frames are not in three lines")


def check_density(folder):
    module = SimpleNamespace(**runpy.run_path(str(FILM), run_name="film"))
    view = module.View([folder / "s_0000.hdf5"])
    for plane in module.PLANES:
        image = view.image(folder / "s_0000.hdf5", plane)
        mass = image.sum() * (2 * view.half / module.PIXELS) ** 2
        require(abs(mass / 5.0 - 1) < 0.02, "mass of the picture", mass)
        line, column = np.unravel_index(image.argmax(), image.shape)
        where = [view.centre[axis] + ((pixel + 0.5) / module.PIXELS * 2 - 1) * view.half
                 for axis, pixel in zip(plane[2:], (column, line))]
        lumps = np.array([[-1.0, -0.5, 0.0], [1.0, 0.5, 0.0]])[:, plane[2:]]
        require(np.abs(lumps - where).max(axis=1).min() < 0.15, "densest at", where)


def check_errors(folder):
    log, text, picture = folder / "log.csv", folder / "text", folder / "none.png"
    text.write_text("no log, no snapshot\n")
    for arguments, message in (
            ((log, "--strip", picture), "there are no snapshots"),
            ((log, folder / "none.hdf5", "--strip", picture), "none.hdf5: "),
            ((log, text, "--strip", picture), f"film.py: {text}: "),
            ((folder / "none.csv", "--energy", picture), "none.csv"),
            ((text, "--energy", picture), f"{text}: there are no lines but the header")):
        said = film(*arguments)
        require(message in said, said, "instead of", message)
    write_log(folder / "short.csv", 1)
    text.write_text("time,energy\n0,1\n")
    require("there is no column" in film(text, "--energy", picture), "a log without columns is drawn")
    require(not picture.exists(), "a picture of nothing")
    require(film(folder / "short.csv", "--energy", picture) == "", "a log of one line is not drawn")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_pictures(folder)
        check_density(folder)
        check_errors(folder)


main()
