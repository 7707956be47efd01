#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plot.py FILE.h5 PICTURE.png [rms] | --check PICTURE.png: the potential and its relative error in two planes.

FILE.h5 is what `gravlet run` writes. Blocks: the x-y and y-z planes through the middle of the box, with the outlines of the
AMR blocks. Points: the potential against the radius, and the error likewise. rms: errors are relative to the reference's rms, as
with periodic boundaries. --check: draws nothing, and fails if it could not.
"""
import sys
from pathlib import Path

try:
    import h5py
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection
    from matplotlib.ticker import FuncFormatter
except ImportError as error:
    print(f"plot.py: {error}", file=sys.stderr)
    sys.exit(3)

PIXELS = 1024
PLANES = (("x", "y", 0, 1), ("y", "z", 1, 2))
INK = "#1b1f24"
TO_VALUE = r"$|\Phi/\Phi_{\rm ref}-1|$"
TO_RMS = r"$|\Phi-\Phi_{\rm ref}|\,/\,{\rm rms}\,\Phi_{\rm ref}$"


def style():
    plt.rcParams.update({
        "font.family": "DejaVu Sans", "font.size": 10.5, "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK,
        "xtick.color": INK, "ytick.color": INK, "axes.linewidth": 0.8, "axes.titlesize": 11.5, "axes.titleweight": "medium",
        "xtick.direction": "out", "ytick.direction": "out", "mathtext.fontset": "dejavusans",
    })


def slice_plane(file, name, rows, boxes, plane, domain):
    """The values of a variable on a grid of pixels in a plane through the middle of the domain."""
    _, _, a, b = plane
    normal = 3 - a - b
    low, high = domain
    image = np.full((PIXELS, PIXELS), np.nan)
    at = 0.5 * (low[normal] + high[normal])
    data = file[name]
    for row, box in zip(rows, boxes):
        cells = data[row]  # z, y, x
        n = cells.shape[::-1]
        index = min(int((at - box[normal, 0]) / (box[normal, 1] - box[normal, 0]) * n[normal]), n[normal] - 1)
        cut = np.take(cells, index, axis=2 - normal)  # [b, a], as b is the later axis
        pixel = []
        for axis in (a, b):
            edge = (box[axis] - low[axis]) / (high[axis] - low[axis]) * PIXELS
            first, last = np.ceil(edge - 0.5).astype(int)
            centre = (np.arange(first, last) + 0.5) / PIXELS * (high[axis] - low[axis]) + low[axis]
            cell = ((centre - box[axis, 0]) / (box[axis, 1] - box[axis, 0]) * n[axis]).astype(int)
            pixel.append((slice(first, last), np.clip(cell, 0, n[axis] - 1)))
        (columns, i), (lines, j) = pixel
        image[lines, columns] = cut[np.ix_(j, i)]
    return image


def outlines(boxes, plane):
    _, _, a, b = plane
    lines = []
    for box in boxes:
        (x0, x1), (y0, y1) = box[a], box[b]
        lines.append([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
    return lines


def draw_blocks(file, picture, error_label):
    leaf = np.flatnonzero(file["node type"][:] == 1)
    boxes = file["bounding box"][:][leaf]
    domain = boxes[:, :, 0].min(axis=0), boxes[:, :, 1].max(axis=0)
    shown = [("gpot", r"potential  $\Phi$", "viridis", lambda v: v)]
    if "error" in file:
        shown.append(("error", f"relative error  {error_label}", "magma", lambda v: np.log10(np.maximum(v, 1e-16))))

    figure, axes = plt.subplots(len(shown), 2, figsize=(10.6, 4.75 * len(shown) + 0.35), squeeze=False, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.08)
    for line, (name, title, colours, scale) in zip(axes, shown):
        images, cuts = [], []
        for plane in PLANES:
            normal = 3 - plane[2] - plane[3]
            at = 0.5 * (domain[0][normal] + domain[1][normal])
            here = (boxes[:, normal, 0] <= at) & (at < boxes[:, normal, 1])
            images.append(scale(slice_plane(file, name, leaf[here], boxes[here], plane, domain)))
            cuts.append(boxes[here])
        finite = np.concatenate([image[np.isfinite(image)] for image in images])
        low, high = (finite.min(), finite.max()) if name == "gpot" else np.percentile(finite, (1.0, 100.0))
        for axis, plane, image, cut in zip(line, PLANES, images, cuts):
            first, second, a, b = plane
            shade = axis.imshow(image, origin="lower", cmap=colours, vmin=low, vmax=high, interpolation="nearest",
                                extent=(domain[0][a], domain[1][a], domain[0][b], domain[1][b]), aspect="equal")
            axis.add_collection(LineCollection(outlines(cut, plane), colors="white", linewidths=0.6, alpha=0.5))
            normal = "xyz"[3 - a - b]
            middle = 0.5 * (domain[0][3 - a - b] + domain[1][3 - a - b])
            axis.set(xlabel=first, ylabel=second, title=f"{first}–{second} plane, {normal} = {middle:g}")
        bar = figure.colorbar(shade, ax=line, pad=0.015, aspect=26, fraction=0.046)
        bar.outline.set_linewidth(0.6)
        if name == "error":
            if high - low >= 2.0:
                bar.locator = matplotlib.ticker.MaxNLocator(integer=True, nbins=8)
                bar.formatter = FuncFormatter(lambda v, _: rf"$10^{{{v:g}}}$")
            else:  # decades are too few for ticks
                bar.formatter = FuncFormatter(lambda v, _: f"{10**v:.1e}")
            bar.update_ticks()
            worst = file["error"][:][leaf].max()
            title += f"   (worst {worst:.1e})"
        bar.set_label(title, labelpad=8)
    cells = len(leaf) * int(np.prod(file["gpot"].shape[1:]))
    levels = file["refine level"][:][leaf]
    figure.suptitle(f"gravlet: {cells:,} cells in {len(leaf):,} blocks, levels {levels.min()}–{levels.max()}", fontsize=13)
    figure.savefig(picture, dpi=150)


def draw_points(file, picture, error_label):
    position = np.stack([file[axis][:] for axis in "xyz"])
    mass = file["m"][:]
    centre = np.median(position, axis=1, keepdims=True)
    radius = np.sqrt(((position - centre) ** 2).sum(axis=0))
    shown = [("potential", r"$|\Phi|$", np.abs(file["potential"][:]))]
    if "error" in file:
        shown.append(("relative error", error_label, np.maximum(file["error"][:], 1e-16)))
    figure, axes = plt.subplots(1, len(shown), figsize=(5.6 * len(shown), 4.6), squeeze=False, layout="constrained")
    for axis, (title, label, values) in zip(axes[0], shown):
        good = (radius > 0) & (values > 0)
        shade = axis.hexbin(radius[good], values[good], xscale="log", yscale="log", gridsize=140, bins="log", cmap="viridis",
                            mincnt=1, linewidths=0)
        axis.set(xlabel="distance from the median point", ylabel=label, title=title)
        bar = figure.colorbar(shade, ax=axis, pad=0.02, aspect=30)
        bar.set_label("points")
        bar.outline.set_linewidth(0.6)
    figure.suptitle(f"gravlet: {len(mass):,} points", fontsize=13)
    figure.savefig(picture, dpi=150)


def check(picture):
    """Ends with an error if there is no such format of pictures."""
    known = plt.figure().canvas.get_supported_filetypes()
    kind = Path(picture).suffix[1:].lower()
    if kind not in known:
        sys.exit(f"{picture}: no format of pictures is \"{kind}\"; there are {', '.join(sorted(known))}")


def main():
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 3:
        return check(sys.argv[2])
    if len(sys.argv) < 3 or sys.argv[3:] not in ([], ["rms"]):
        sys.exit(__doc__)
    style()
    with h5py.File(sys.argv[1], "r") as file:
        draw = draw_blocks if "bounding box" in file else draw_points
        draw(file, sys.argv[2], TO_RMS if sys.argv[3:] else TO_VALUE)


if __name__ == "__main__":
    try:
        main()
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"plot.py: {sys.argv[1]}: {error}")
