#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How near to their bounds the tests' numbers come.

    GRAVLET_BOUNDS=FOLDER scripts/test ...; tests/ledger/bounds.py FOLDER [--beyond 3]

Reads what the runs of tests left in FOLDER (tests/ledger/bounds.hpp). Prints, for each line of a test, the measurement of all runs
that came nearest to its bound, the bound, and how many times that is what was measured; those beyond so many times, the loosest
first; and a count of all.
"""

import argparse
import pathlib
import sys


def read(folder):
    """{place: (measured, bound, backends)} of all runs."""
    nearest = {}
    for path in sorted(pathlib.Path(folder).glob("*.tsv")):
        for line in path.read_text().splitlines():
            place, backend, measured, bound = line.split("\t")
            measured, bound = float(measured), float(bound)
            known = nearest.get(place, (0.0, bound, set()))
            backends = known[2] | {backend}
            nearer = measured * known[1] >= known[0] * bound
            nearest[place] = (measured, bound, backends) if nearer else (*known[:2], backends)
    return nearest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--beyond", type=float, default=3.0, help="list bounds of more than so many times what was measured")
    arguments = parser.parse_args()
    nearest = read(arguments.folder)
    if not nearest:
        sys.exit(f"{arguments.folder}: nothing was noted there")
    root = str(pathlib.Path(__file__).resolve().parents[2]) + "/"
    times = {place: bound / measured if measured > 0.0 else float("inf") for place, (measured, bound, _) in nearest.items()}
    for place in sorted(times, key=times.get, reverse=True):
        if times[place] <= arguments.beyond:
            break
        measured, bound, backends = nearest[place]
        print(f"{place.removeprefix(root)}\t{'+'.join(sorted(backends))}\tmeasured {measured:.2g}\tbound {bound:.2g}\t{times[place]:.1f}")
    counts = ", ".join(f"{sum(t > limit for t in times.values())} above {limit:g} times" for limit in (3, 10, 100))
    print(f"{len(times)} upper bounds: {counts} what was measured")


if __name__ == "__main__":
    main()
