# SPDX-License-Identifier: Apache-2.0
"""What a study leaves: Markdown tables on stdout as they are found, NAME.json with all that there are so far, NAME.png."""

import datetime
import sys
import time

import bench  # of benchmarks/scaling, as store and style
import markdown
import store
import style as looks


class Report:
    def __init__(self, name, folder, programs, settings):
        self.name, self.folder, self.programs, self.settings = name, folder, programs, settings
        self.tables = []
        self.began = time.monotonic()
        self.date = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")

    def table(self, title, columns, rows):
        """Rows of numbers, words, or None where there is nothing."""
        self.tables.append({"title": title, "columns": columns, "rows": rows})
        print("\n".join(["", title, "", *markdown.head(columns), *map(markdown.line, rows)]), flush=True)
        self.write()

    def content(self):
        """The tables, and where and when they were made."""
        programs = self.programs
        return {"study": self.name, "date": self.date,
                   "commit": bench.commit(), "processor": bench.processor(), "threads": programs.threads,
                   "backend": programs.backend, "device": programs.device, "settings": self.settings,
                   "command": " ".join(["scripts/study", *sys.argv[1:]]), "seconds": time.monotonic() - self.began, "tables": self.tables}

    def write(self):
        """Writes what there is so far. Returns the path."""
        path = self.folder / f"{self.name}.json"
        store.write(path, self.content())
        return path


def picture(content, panels, path):
    """Panels in rows of up to four, each a function that draws on the axis it is given. `content`: what they were made of."""
    looks.apply()
    rows = -(-len(panels) // 4)
    columns = -(-len(panels) // rows)
    size = max(7.5, 4.2 * columns), max(5.0, 3.8 * rows)  # inches: one panel has room for the title
    figure, axes = looks.plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    for axis in axes.flat[len(panels):]:
        axis.axis("off")
    for axis, panel in zip(axes.flat, panels):
        panel(axis)
        if axis.get_legend_handles_labels()[0]:
            axis.legend(frameon=True, framealpha=0.8, edgecolor="none")
    figure.suptitle(f"{content['study']}: {markdown.machine(content)}; {content['date'][:10]}, gravlet {content['commit']}", fontsize=9.5)
    said = []
    looks.save(figure, path, said)
    return said[0]


def lines(rows, x, y, label, style="o-", color=None):
    """Draws columns x and y of a table's rows where both are numbers."""
    points = [(row[x], row[y]) for row in rows if row[x] is not None and row[y] is not None]

    def draw(axis):
        if points:
            axis.plot(*zip(*points), style, label=label, color=color)

    return draw


def panel(x, y, drawn, scales=("log", "log")):
    """A panel of some lines() with its axes."""

    def draw(axis):
        for line in drawn:
            line(axis)
        axis.set(xlabel=x, ylabel=y, xscale=scales[0], yscale=scales[1])
        for one, scale in zip((axis.xaxis, axis.yaxis), scales):
            if scale == "log":
                looks.readable(one)

    return draw
