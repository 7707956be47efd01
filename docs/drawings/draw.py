#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""draw.py [--check] [FOLDER]: writes the drawings of docs/guide/how_it_works.md, computed with a small tree in the plane.

--check writes nothing, and fails where a drawing that is committed is not the one that it would write.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import merged  # noqa: E402
import one_rank  # noqa: E402
import periodic  # noqa: E402
import ranks  # noqa: E402

DRAWINGS = {"walk.svg": one_rank.walk, "essential.svg": ranks.essential, "merged.svg": merged.merged,
            "far_images.svg": periodic.far_images, "downward.svg": one_rank.downward}


def main(arguments):
    check = "--check" in arguments
    folder = pathlib.Path(*[a for a in arguments if a != "--check"] or [HERE])
    stale = []
    for name, draw in DRAWINGS.items():
        text = draw().svg()
        if check and (folder / name).read_text(encoding="utf-8") != text:
            stale.append(name)
        elif not check:
            (folder / name).write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"not as docs/drawings/draw.py writes them: {', '.join(stale)}")


if __name__ == "__main__":
    main(sys.argv[1:])
