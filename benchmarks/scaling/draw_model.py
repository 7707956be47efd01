# SPDX-License-Identifier: Apache-2.0
"""The model's picture of one problem: seconds of its terms, and efficiency; solid where ranks were measured, dashed beyond."""

import numpy as np
from matplotlib.ticker import NullLocator

import model as of_model
import plan
import series as of
import style
from draw import machine_of, when

SHOWN = ("walk", "tree", "essential", "merge", "roots", "exchange", "agreements")
LOOKS = {"agreements": {"linewidth": 0.9}}


def two_styles(axis, ranks, values, end, **look):
    """Solid up to `end`, dashed from there on."""
    ranks, values = np.asarray(ranks), np.asarray(values)
    label = look.pop("label", None)
    axis.plot(ranks[ranks <= end], values[ranks <= end], linestyle="-", label=label, **look)
    axis.plot(ranks[ranks >= end], values[ranks >= end], linestyle=(0, (4, 2)), **look)


def panels(seconds, share, kind, runs, fitted, device):
    timed = of.timed(runs)
    base = of.ranks(timed[0])
    n = of.targets(timed[0]) / base
    end = max(of.ranks(run) for run in timed)
    fitted = fitted.along(of.targets(timed[-1]))
    steps = sorted({*of_model.ladder(kind, n, base, fitted.reach()), (float(end), float(n if kind == "weak" else n * base / end))})
    ranks = [p for p, _ in steps]
    terms = [fitted.terms(here, p) for p, here in steps]
    measured = [of.ranks(run) for run in timed]
    for term in SHOWN:
        look = {"color": style.COLOURS[term]}
        two_styles(seconds, ranks, [max(t[term], 1e-12) for t in terms], end, label=term, **look, **LOOKS.get(term, {}))
        seconds.plot(measured, [max(of_model.of_term(run, term), 1e-12) for run in timed], style.MARKERS[term], **look,
                     markeredgecolor=style.INK, markeredgewidth=0.4)
    whole, circle = {"color": style.INK, "linewidth": 2.0}, {"color": "white", "markeredgecolor": style.INK}
    two_styles(seconds, ranks, [sum(t.values()) for t in terms], end, label="solve", **whole)
    seconds.plot(measured, [of.seconds(run) for run in timed], "o", label="measured (terms: filled)", **circle)
    two_styles(share, ranks, [100 * of_model.efficiency(fitted, kind, n, base, p) for p in ranks], end, **whole)
    share.plot(measured, [100 * e for e in of.efficiency(timed)], "o", **circle)
    seconds.set_yscale("log")
    longest = max(sum(t.values()) for t in terms)
    seconds.set_ylim(1e-5 * longest, 3 * longest)
    seconds.yaxis.set_minor_locator(NullLocator())
    seconds.set_ylabel("seconds a solve")
    share.set_ylabel("efficiency (%)")
    share.set_ylim(0, max(110, 5 + share.get_ylim()[1]))
    size = f"{style.count(n)} a rank" if kind == "weak" else style.count(n * base)
    seconds.set_title(f"{kind}, {size}")
    share.set_title(f"{kind}: measured up to {end:,}, model beyond")
    for axis in (seconds, share):
        axis.set_xscale("log")
        axis.axvspan(base / 1.15, end * 1.15, color="#eeeeee", zorder=0)
        axis.set_xlim(base / 1.15, max(ranks[-1], end * 1.15))
        axis.set_xlabel({"cpu": "ranks", "gpu": "GPUs"}[device])
    both = f"{of.efficiency(timed)[-1]:.0%} measured and {of_model.efficiency(fitted, kind, n, base, measured[-1]):.0%} modelled"
    return f"{kind}, {size}: efficiency on {measured[-1]:,} ranks {both}; {of_model.breaks_first(fitted, kind, n, base)}"


def draw(folder, problem, device, kinds, network, remote, said):
    """kinds: the runs of each kind of series. Returns the model, and lines that say what it says."""
    everything = [run for runs in kinds.values() for run in runs]
    kinds = {kind: runs for kind, runs in kinds.items() if of.timed(runs)}
    fitted = of_model.fit(everything, network, remote)
    style.apply()
    figure, rows, below = style.figure(2, width=4.0, height=3.0, legend_lines=2, rows=len(kinds))
    lines = [f"{problem}, {device}: {of_model.constants(fitted)}", *of_model.misfit_table(fitted)]
    for row, (kind, runs) in zip(rows, kinds.items()):
        lines.append(f"{problem}, {device}, " + panels(*row, kind, runs, fitted, device))
    style.legend(below, rows[0][0], 5)
    figure.suptitle(f"Model of a solve: {plan.title(problem)}, fitted to {fitted.measured[0]} to {fitted.measured[1]} ranks "
                    f"(rms deviation {fitted.residual:.0%})\n{machine_of(everything)}; {when(everything)}; beyond one machine by assumption: "
                    f"{1e6 * network.latency:g} µs, {1e-9 * network.bandwidth:g} GB/s", fontsize=9)
    style.save(figure, folder / f"model-{problem}-{device}.png", said)
    return fitted, lines
