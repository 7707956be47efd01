#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""xdmf_references.py FILE.xmf [FILE.h5]: whether every reference of an XDMF file leads to a data set of the shape and type that it
says; of blocks in FILE.h5, whether each leaf is there once, where the HDF5 file has it, with all its values."""
import functools
import os
import sys
import xml.etree.ElementTree as xml

import h5py
import numpy as np

from flash_mesh import check, leaves

KINDS = {"f": "Float", "i": "Int", "u": "Int"}


def numbers(item, kind=float):
    return [kind(word) for word in item.text.split()]


def shape_of(item):
    return tuple(int(n) for n in item.get("Dimensions").split())


@functools.lru_cache(maxsize=32)
def content(path, name):
    with h5py.File(path, "r") as hdf5:
        return hdf5[name][:]


def values(item, folder):
    """Of a DataItem, as a reader would take them."""
    if item.get("ItemType") == "HyperSlab":
        selection, source = item
        start, stride, count = np.reshape(numbers(selection, int), shape_of(selection))
        data = values(source, folder)
        if (stride != 1).any() or (start + count > data.shape).any():
            sys.exit(f"{start} {stride} {count} of {data.shape}")
        return data[tuple(slice(a, a + n) for a, n in zip(start, count))].reshape(shape_of(item))
    if item.get("Format") == "XML":
        return np.reshape(numbers(item), shape_of(item))
    file, name = item.text.rsplit(":", 1)
    data = content(os.path.join(folder, file), name)
    said = (shape_of(item), item.get("NumberType"), int(item.get("Precision")))
    if said != (data.shape, KINDS[data.dtype.kind], data.dtype.itemsize):
        sys.exit(f"{item.text}: {said}, and it is {data.shape} of {data.dtype}")
    return data


def main():
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    grids = xml.parse(sys.argv[1]).getroot().findall(".//Grid[@GridType='Uniform']")
    references = 0
    found = []
    for grid in grids:
        fields = {field.get("Name"): values(field[0], folder) for field in grid.findall("Attribute")}
        geometry = [values(item, folder) for item in grid.find("Geometry")]
        references += len(fields) + len(geometry)
        topology = grid.find("Topology")
        if topology.get("TopologyType") == "Polyvertex":
            lengths = {len(field) for field in [*fields.values(), *geometry]}
            if not fields or lengths != {int(topology.get("NumberOfElements"))}:
                sys.exit(f"{len(fields)} fields of lengths {lengths}")
        else:
            found.append((tuple(n - 1 for n in shape_of(topology)), *geometry, fields))
    print(f"{len(grids)} grids, {references} arrays")
    if len(sys.argv) < 3:
        if not grids:
            sys.exit("no grid")
        return
    _, lower, size, _, variables = leaves(sys.argv[2])
    check("leaves", len(found), len(lower), 0.0)
    for i, (cells, origin, spacing, fields) in enumerate(found):
        if fields.keys() != variables.keys() or cells != variables["dens"].shape[1:]:
            sys.exit(f"grid {i}: {fields.keys()} of {cells}")
        if not (np.allclose(origin[::-1], lower[i], rtol=1e-14, atol=0) and np.allclose(spacing[::-1], size[i], rtol=1e-14)):
            sys.exit(f"grid {i}: at {origin[::-1]}, not {lower[i]}")
        for name, data in fields.items():
            if not np.array_equal(data, variables[name][i]):
                sys.exit(f"grid {i}: other values of {name}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
