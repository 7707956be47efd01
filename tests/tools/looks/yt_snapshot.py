#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""yt_snapshot.py SNAPSHOT.hdf5: whether yt finds in a snapshot what h5py finds: the number of points, positions, velocities,
identities, the time, the mass in all, in a sphere and in a projection. Exit code 77 where there is no yt (Debian: python3-yt).

The file says nothing of a box (BoxSize 0) and of units: yt is given a box around the points, which its projections need, and only
what is asked for in code units means something.
"""
import sys

try:
    import h5py
    import numpy as np
    import yt
except ImportError as error:
    print(f"yt_snapshot.py: {error}")
    sys.exit(77)

GROUP = "PartType1"


def check(what, found, expected, tolerance=1e-12):
    scale = np.abs(expected).max()
    error = np.abs(np.asarray(found) - expected).max()
    print(f"{what}: differs by {error:.1e} of {scale:.6g}")
    if not error <= tolerance * scale:
        sys.exit(f"yt_snapshot.py: {what}: yt finds {found}, h5py {expected}")


def main():
    with h5py.File(sys.argv[1], "r") as file:
        points = {name: values[:] for name, values in file[GROUP].items()}
        time = file["Header"].attrs["Time"]
    position, mass = points["Coordinates"], points["Masses"]
    centre = np.average(position, axis=0, weights=mass)
    distance = np.sqrt(((position - centre) ** 2).sum(axis=1))
    radius = np.sort(distance)[(len(mass) - 1) // 2:][:2].mean()  # between two points

    yt.set_log_level("error")
    box = np.stack([position.min(axis=0), position.max(axis=0)], axis=1)
    margin = 0.01 * (box[:, 1] - box[:, 0]).max()
    data = yt.load(sys.argv[1], bounding_box=box + [-margin, margin])
    data.index
    check("time", data.current_time.to_value("code_time"), time)
    everything = data.all_data()
    order = np.argsort(everything[GROUP, "particle_index"].d)
    mine = np.argsort(points["ParticleIDs"])
    check("points", len(order), len(mass))
    for name, field, unit in (("Coordinates", "particle_position", "code_length"),
                              ("Velocities", "particle_velocity", "code_velocity"), ("Masses", "particle_mass", "code_mass")):
        check(name, everything[GROUP, field].to_value(unit)[order], points[name][mine])
    check("mass", everything[GROUP, "particle_mass"].sum().to_value("code_mass"), mass.sum())
    sphere = data.sphere(data.arr(centre, "code_length"), (radius, "code_length"))
    check("mass in a sphere", sphere[GROUP, "particle_mass"].sum().to_value("code_mass"), mass[distance < radius].sum())
    picture = yt.ParticleProjectionPlot(data, "z", (GROUP, "particle_mass"))
    check("mass in a projection", np.nansum(picture.frb[GROUP, "particle_mass"].to_value("code_mass")), mass.sum(), 1e-6)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
