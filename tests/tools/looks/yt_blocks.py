#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""yt_blocks.py FILE.h5: whether yt finds in blocks what h5py finds: cells, mass, the least potential and its place, a slice, a
projection, a value at a point. Exit code 77 where there is no yt (Debian: python3-yt)."""
import sys

try:
    import numpy as np
    import yt

    from flash_mesh import check, leaves, summary
except ImportError as error:
    print(f"yt_blocks.py: {error}")
    sys.exit(77)

DENSITY, POTENTIAL = ("flash", "dens"), ("flash", "gpot")


def main():
    path = sys.argv[1]
    expected = summary(path)
    _, lower, size, levels, variables = leaves(path)
    if len(set(levels)) < 2:
        sys.exit("yt_blocks.py: a mesh of one level shows little")
    yt.set_log_level("error")
    data = yt.load(path)
    everything = data.all_data()
    check("cells", everything[POTENTIAL].size, expected["cells"], 0.0)
    check("levels", data.index.max_level, levels.max() - 1, 0.0)
    volume = everything["index", "cell_volume"].to_value("code_length**3")
    check("mass", (everything[DENSITY].d * volume).sum(), expected["mass"])
    minimum, place = data.find_min(POTENTIAL)
    check("minimum", minimum.d, expected["minimum"])
    check("its place", place.to_value("code_length"), expected["place"])
    check("value there", data.find_field_values_at_point([POTENTIAL], place)[0], expected["minimum"])

    # A slice beside the faces of cells, through blocks of several levels.
    upper = lower + size * variables["gpot"].shape[:0:-1]
    heights = lower[:, 2] + 0.3 * size[:, 2].min()
    height = next(h for h in heights if len(set(levels[(lower[:, 2] < h) & (h < upper[:, 2])])) > 1)
    count, total = 0, 0.0
    for corner, step, values in zip(lower, size, variables["gpot"]):
        plane = int(np.floor((height - corner[2]) / step[2]))
        if 0 <= plane < values.shape[0]:
            count += values[plane].size
            total += values[plane].sum() * step[0] * step[1]
    cut = data.slice("z", data.quan(height, "code_length"))
    check("cells of a slice", cut[POTENTIAL].size, count, 0.0)
    area = (cut["index", "dx"] * cut["index", "dy"]).to_value("code_length**2")
    check("integral over a slice", (cut[POTENTIAL].d * area).sum(), total)
    picture = data.proj(DENSITY, "z")
    area = 4.0 * (picture["pdx"] * picture["pdy"]).to_value("code_length**2")
    check("mass of a projection", (picture[DENSITY].d * area).sum(), expected["mass"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
