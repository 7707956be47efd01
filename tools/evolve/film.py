#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a run in time: of its snapshots (GADGET's HDF5 layout) and of its log (CSV), as `gravlet evolve` writes them.

--strip   surface density in the x-y plane of up to 12 snapshots, side by side with their times
--frames  one picture a snapshot, x-y and x-z, numbered in order of time: frame_0000.png, ...
--check   nothing, and an error if no picture of that name could be drawn
--energy  of the log: error of the energy, virial ratio, drift of the momenta, and how many points are stepped at a time

Place and colours are the same in all pictures of a run: a cube around nine tenths of the mass at all times, and a logarithmic
scale from what is densest. Where points are few they are spread over more of the picture.
"""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path += [str(Path(__file__).resolve().parent.parent)]  # of plot.py in the source; installed, it is beside this file

try:
    import argparse
    import contextlib
    import csv

    import h5py
    import numpy as np
    from matplotlib.colors import LogNorm
    from plot import INK, check, plt, style
except ImportError as error:
    print(f"film.py: {error}", file=sys.stderr)
    sys.exit(3)

PIXELS = 256
MARGIN = 32  # pixels around the picture, so that smoothing does not see its edge
GRAINS = (0.7, 1, 1.4, 2, 2.8, 4, 5.7, 8, 11, 16)  # pixels that points are spread over: the smallest with enough points
ENOUGH = 10
RANGE = 1e4  # greatest ratio of densities in a picture
MOST_FRAMES = 12
SAMPLE = 10000  # points or a few more, of each snapshot, that the place is taken from
ROWS = 1 << 22  # that are read at a time
PLANES = (("x", "y", 0, 1), ("x", "z", 0, 2))
DENSITY = "surface density"


@contextlib.contextmanager
def snapshot(path):
    try:
        with h5py.File(path, "r") as file:
            yield file
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"film.py: {path}: {error}")


def points(file, every=1):
    """Positions and masses, some at a time."""
    for group in (file[name] for name in file if name.startswith("PartType")):
        position = group["Coordinates"]
        one = file["Header"].attrs["MassTable"][int(group.name.removeprefix("/PartType"))]
        for first in range(0, len(position), ROWS):
            rows = slice(first, min(first + ROWS, len(position)), every)
            here = position[rows].astype(float)
            yield here, np.full(len(here), one) if one > 0 else group["Masses"][rows].astype(float)


class View:
    """What the pictures of a run show: a cube."""

    def __init__(self, paths):
        samples, self.times = [], []
        for path in paths:
            with snapshot(path) as file:
                self.times.append(float(file["Header"].attrs["Time"]))
                every = max(1, int(np.sum(file["Header"].attrs["NumPart_ThisFile"])) // SAMPLE)
                position, mass = [np.zeros((0, 3))], [np.zeros(0)]
                for here, weight in points(file, every):
                    position.append(here)
                    mass.append(weight)
                samples.append((np.concatenate(position), np.concatenate(mass)))
                if not samples[-1][1].sum() > 0:
                    raise ValueError("there is no mass")
        self.centre = np.mean([np.average(position, axis=0, weights=mass) for position, mass in samples], axis=0)
        self.half = 1.15 * max(self.radius(*sample) for sample in samples) or 1.0

    def radius(self, position, mass):
        """Half the side of the cube with nine tenths of the mass."""
        distance = np.abs(position - self.centre).max(axis=1)
        order = np.argsort(distance)
        within = np.cumsum(mass[order])
        return distance[order][np.searchsorted(within, 0.9 * within[-1])]

    def image(self, path, plane):
        """Mass an area, on a grid of pixels."""
        _, _, a, b = plane
        side = PIXELS + 2 * MARGIN
        pixel = 2 * self.half / PIXELS
        mass, count = np.zeros(side**2), np.zeros(side**2)
        with snapshot(path) as file:
            for position, weight in points(file):
                place = (position[:, (a, b)] - self.centre[[a, b]] + self.half) / pixel + MARGIN
                inside = ((place >= 0) & (place < side)).all(axis=1)
                cell = place[inside].astype(int) @ [1, side]
                mass += np.bincount(cell, weight[inside], side**2)
                count += np.bincount(cell, minlength=side**2)
        return smoothed(mass.reshape(side, side), count.reshape(side, side)) / pixel**2

    def extent(self, plane):
        _, _, a, b = plane
        return tuple(self.centre[axis] + sign * self.half for axis in (a, b) for sign in (-1, 1))


def smoothed(mass, count):
    """The mass of each pixel is spread over the smallest grain that has enough points around it."""
    side = len(mass)
    size = side + 2 * MARGIN  # of Fourier transforms: what goes around the edge does not reach the picture
    distance = np.minimum(np.arange(size), size - np.arange(size))
    count = np.fft.rfft2(count, (size, size))
    left, found = np.ones((side, side), bool), 0.0
    for grain in GRAINS:
        weight = np.exp(-0.5 * (distance / grain) ** 2)
        weight = np.fft.fft(weight / weight.sum())
        blur = weight[:, None] * weight[: size // 2 + 1]
        enough = 4 * np.pi * grain**2 * np.fft.irfft2(count * blur, (size, size))[:side, :side] >= ENOUGH
        here = left & (enough | (grain == GRAINS[-1]))
        found = found + np.fft.rfft2(np.where(here, mass, 0.0), (size, size)) * blur
        left &= ~here
    return np.fft.irfft2(found, (size, size))[MARGIN:side - MARGIN, MARGIN:side - MARGIN].astype(np.float32)


def colours(images):
    """A scale of colours from the densest pixel of all down to the emptiest, or so far that all can be told apart."""
    high = max(float(image.max()) for image in images)
    least = min(float(np.percentile(image, 5)) for image in images)
    return LogNorm(min(max(least, high / RANGE), 0.1 * high), high)


def show(axis, view, image, plane, norm):
    shade = axis.imshow(np.maximum(image, norm.vmin), origin="lower", cmap="magma", norm=norm, extent=view.extent(plane),
                        interpolation="bilinear", aspect="equal")
    axis.set_facecolor("black")
    return shade


def add_bar(figure, shade, axes, **where):
    bar = figure.colorbar(shade, ax=axes, **where)
    bar.outline.set_linewidth(0.6)
    bar.set_label(DENSITY, labelpad=8)


def draw_strip(view, images, norm, picture):
    shown = np.unique(np.linspace(0, len(images) - 1, MOST_FRAMES).round().astype(int))
    columns = min(4, len(shown))
    lines = -(-len(shown) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(2.75 * columns + 1.2, 2.75 * lines + 0.2), squeeze=False,
                                layout="constrained")
    figure.get_layout_engine().set(w_pad=0.02, h_pad=0.02, wspace=0.01, hspace=0.01)
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[])
        axis.set_visible(False)
    for axis, k in zip(axes.flat, shown):
        axis.set_visible(True)
        shade = show(axis, view, images[k], PLANES[0], norm)
        axis.text(0.04, 0.955, f"t = {view.times[k]:.4g}", color="white", transform=axis.transAxes, va="top")
    length = 10 ** np.floor(np.log10(view.half))
    first = axes[0, 0]
    left, low = view.extent(PLANES[0])[0], view.extent(PLANES[0])[2]
    first.plot([left + 0.1 * view.half, left + 0.1 * view.half + length], [low + 0.12 * view.half] * 2, color="white", lw=1.6)
    first.text(left + 0.1 * view.half, low + 0.17 * view.half, f"{length:g}", color="white", fontsize=9)
    add_bar(figure, shade, axes, pad=0.015, aspect=26 * lines / 2, fraction=0.046)
    figure.savefig(picture, dpi=150)
    plt.close(figure)


def draw_frame(view, k, images, norm, picture):
    figure, axes = plt.subplots(1, 2, figsize=(10.6, 4.75), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.08)
    for axis, plane, image in zip(axes, PLANES, images):
        shade = show(axis, view, image, plane, norm)
        axis.set(xlabel=plane[0], ylabel=plane[1])
    add_bar(figure, shade, axes, pad=0.015, aspect=26, fraction=0.046)
    figure.suptitle(f"t = {view.times[k]:.4g}", fontsize=13)
    figure.savefig(picture, dpi=150)
    plt.close(figure)


def draw_snapshots(paths, strip, frames):
    if not paths:
        raise ValueError("there are no snapshots")
    view = View(paths)
    order = np.argsort(view.times, kind="stable")
    paths, view.times = [paths[k] for k in order], [view.times[k] for k in order]
    planes = PLANES if frames else PLANES[:1]
    images = [[view.image(path, plane) for plane in planes] for path in paths]
    norm = colours([image for both in images for image in both])
    if strip:
        draw_strip(view, [both[0] for both in images], norm, strip)
    if frames:
        Path(frames).mkdir(parents=True, exist_ok=True)
        for k, both in enumerate(images):
            draw_frame(view, k, both, norm, Path(frames) / f"frame_{k:04d}.png")


def read_log(path):
    """Columns by their names. The last line of a run that was killed may be cut off."""
    with open(path, newline="", encoding="utf-8") as file:
        names, *lines = list(csv.reader(file)) or [[]]
    lines = [line for line in lines if len(line) == len(names)]
    if not lines:
        raise ValueError("there are no lines but the header")
    return dict(zip(names, np.array(lines, float).T))


def drift(log, name):
    vector = np.stack([log[f"{name}_{axis}"] for axis in "xyz"])
    return np.sqrt(((vector - vector[:, :1]) ** 2).sum(axis=0))


def log_line(axis, time, values, **how):
    """Draws positive values over time on a logarithmic axis; others are left out."""
    axis.plot(time, np.where(values > 0, values, np.nan), lw=1.2, **how)
    if (values > 0).any():
        axis.set_yscale("log")


def draw_energy(log, picture):
    time, energy = log["time"], log["energy"]
    solves, active = np.diff(log["steps"]), log["active"][1:]
    with_levels = len(solves) > 0 and (solves > 0).all() and (solves.max() > 1 or active.min() < active.max())
    count = 4 if with_levels else 3
    figure, axes = plt.subplots(count, 1, figsize=(8.4, 2.1 * count + 0.4), sharex=True, layout="constrained")
    error = np.abs(energy / energy[0] - 1.0) if energy[0] != 0 else np.abs(energy)
    log_line(axes[0], time, error, color="C0")
    axes[0].set(ylabel=r"$|E/E_0-1|$" if energy[0] != 0 else r"$|E|$", title=f"energy error: at most {error.max():.1e}")
    axes[1].axhline(1.0, color=INK, lw=0.6, ls=":")
    axes[1].plot(time, log["virial_ratio"], lw=1.2, color="C1")
    axes[1].set(ylabel=r"$-2K/W$", title="virial ratio")
    log_line(axes[2], time, drift(log, "momentum"), color="C2", label=r"momentum, $|p-p_0|$")
    log_line(axes[2], time, drift(log, "angular_momentum"), color="C3", label=r"angular momentum, $|L-L_0|$")
    axes[2].set(ylabel="drift", title="momenta")
    if with_levels:
        axes[3].plot(time[1:], active / solves, lw=1.2, color="C4", label="points a solve (mean)")
        axes[3].plot(time[1:], solves, lw=1.2, color="C5", label="solves a line of the log")
        axes[3].set(yscale="log", ylabel="number", title="steps")
    axes[-1].set_xlabel("time")
    for axis in axes[2:]:
        axis.legend(fontsize=9, edgecolor="none")
    for axis in axes:
        axis.grid(color="#d0d7de", lw=0.5)
        axis.margins(x=0.01)
    figure.savefig(picture, dpi=150)
    plt.close(figure)


def main():
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 3:
        return check(sys.argv[2])
    parser = argparse.ArgumentParser(prog="film.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", metavar="LOG.csv", help="read for --energy only")
    parser.add_argument("snapshots", metavar="SNAPSHOT.hdf5", nargs="*")
    parser.add_argument("--strip", metavar="PNG")
    parser.add_argument("--energy", metavar="PNG")
    parser.add_argument("--frames", metavar="FOLDER")
    arguments = parser.parse_args()
    style()
    if arguments.strip or arguments.frames:
        draw_snapshots(arguments.snapshots, arguments.strip, arguments.frames)
    if arguments.energy:
        try:
            log = read_log(arguments.log)
            draw_energy(log, arguments.energy)
        except KeyError as error:
            sys.exit(f"film.py: {arguments.log}: there is no column {error}")
        except ValueError as error:
            sys.exit(f"film.py: {arguments.log}: {error}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"film.py: {error}")
