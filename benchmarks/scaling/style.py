# SPDX-License-Identifier: Apache-2.0
"""What all pictures share. Colours are those of Okabe & Ito (2008), which the colour-blind tell apart, and two more that differ in
lightness; markers and hatches tell the same."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: E402

INK = "#1b1f24"
COLOURS = {
    "plummer": "#0072B2", "cube": "#D55E00", "grid": "#009E73", "maclaurin": "#CC79A7",
    "tophat": "#E69F00", "collapse": "#56B4E9",
    "tree": "#56B4E9", "roots": "#882255", "essential": "#E69F00", "exchange": "#D55E00", "merge": "#CC79A7",
    "walk": "#0072B2", "results": "#009E73", "agreements": "#000000", "rest": "#BBBBBB",
}
MARKERS = {"plummer": "o", "cube": "s", "grid": "^", "maclaurin": "D", "tophat": "v", "collapse": "P", "tree": "s", "essential": "^",
           "merge": "D", "walk": "o", "roots": "p", "exchange": "v", "agreements": "*"}
OTHERS = ("#117733", "#332288", "#AA4499", "#999933")  # described problems


def look_of(problem):
    """A colour and a marker for each problem."""
    other = OTHERS[sum(problem.encode()) % len(OTHERS)]
    return {"color": COLOURS.get(problem, other), "marker": MARKERS.get(problem, "X")}
HATCHES = {"tree": "", "roots": "xxx", "essential": "///", "exchange": "\\\\\\", "merge": "...", "walk": "", "results": "---",
           "rest": ""}


def apply():
    plt.rcParams.update({
        "font.family": "DejaVu Sans", "font.size": 9, "axes.labelsize": 9.5, "axes.titlesize": 10, "legend.fontsize": 8,
        "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
        "axes.linewidth": 0.8, "axes.grid": True, "grid.color": "#d9d9d9", "grid.linewidth": 0.5, "axes.axisbelow": True,
        "lines.linewidth": 1.4, "lines.markersize": 5, "legend.frameon": False, "hatch.linewidth": 0.5, "savefig.dpi": 200,
    })


def figure(columns, width, height, legend_lines, rows=1):
    """The figure, its axes by row, and a strip below them for the legend that they share."""
    strip = 0.2 * legend_lines + 0.1
    drawn = plt.figure(figsize=(width * columns, height * rows + strip), layout="constrained")
    grid = drawn.add_gridspec(rows + 1, columns, height_ratios=[height] * rows + [strip])
    axes = [[drawn.add_subplot(grid[row, column]) for column in range(columns)] for row in range(rows)]
    below = drawn.add_subplot(grid[rows, :])
    below.axis("off")
    return drawn, axes, below


def legend(below, axis, columns):
    below.legend(*axis.get_legend_handles_labels(), loc="center", ncol=columns, borderaxespad=0, handlelength=2.4)


def over_ranks(axis, ranks, device):
    """A logarithmic axis with a tick at each number of ranks that was run."""
    ranks = sorted(set(ranks))
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.set_xticks(ranks if len(ranks) <= 8 else ranks[::2])
    axis.xaxis.set_minor_locator(NullLocator())
    if len(ranks) == 1:
        axis.set_xlim(ranks[0] / 2, ranks[0] * 2)
    axis.set_xlabel({"cpu": "ranks", "gpu": "GPUs"}[device])


def readable(axis):
    """Ticks of a logarithmic axis (of x or y) that can be read where it spans less than a decade, too."""
    low, high = axis.get_view_interval()
    if high / low < 300:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low > 5 else (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def few_decades(axis):
    """Makes the y axis logarithmic."""
    axis.set_yscale("log")
    readable(axis.yaxis)


def count(value):
    """2,000,000 as 2 M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def save(drawn, path, said):
    drawn.savefig(path)
    plt.close(drawn)
    said.append(path)
