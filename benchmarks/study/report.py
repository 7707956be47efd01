# SPDX-License-Identifier: Apache-2.0
"""What a study leaves: Markdown tables on stdout as they are found, NAME.json with all of them, NAME.png."""

import datetime
import json
import os
import time

import bench  # of benchmarks/scaling, as style
import style as looks


class Report:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.tables = []
        self.began = time.monotonic()

    def table(self, title, columns, rows):
        """Rows of numbers, words, or None where there is nothing."""
        self.tables.append({"title": title, "columns": columns, "rows": rows})
        print(f"\n{title}\n\n| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
        for row in rows:
            print("| " + " | ".join(shown(value) for value in row) + " |", flush=True)

    def write(self, programs, settings):
        """The tables, and where and when they were made."""
        content = {"study": self.name, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                   "commit": bench.commit(), "processor": bench.processor(), "threads": programs.threads,
                   "backend": programs.backend, "device": programs.device, "settings": settings,
                   "seconds": time.monotonic() - self.began, "tables": self.tables}
        path = self.folder / f"{self.name}.json"
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        os.replace(unfinished, path)
        return path

    def picture(self, panels):
        """A row of panels, each a function that draws on the axis it is given."""
        looks.apply()
        figure, axes = looks.plt.subplots(1, len(panels), figsize=(4.2 * len(panels), 3.8), layout="constrained", squeeze=False)
        for axis, panel in zip(axes[0], panels):
            panel(axis)
            if axis.get_legend_handles_labels()[0]:
                axis.legend()
        said = []
        looks.save(figure, self.folder / f"{self.name}.png", said)
        return said[0]


def shown(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


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

    return draw
