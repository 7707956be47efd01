# SPDX-License-Identifier: Apache-2.0
"""The pictures of what was measured: time and efficiency, stages, pairs and bytes; of each device and kind of series."""

import numpy as np

import plan
import series as of
import store
import style


def machine_of(runs):
    """One line that says where; the largest run speaks for all."""
    run = max(runs, key=of.ranks)
    machine, figures = run["machine"], run["figures"]
    if not figures["backend"].startswith("cpu"):
        return machine["gpu"]
    threads = "1 thread" if figures["threads"] == 1 else f"{figures['threads']} threads"
    return f"{machine['processor']}, {machine['cores']} cores, {threads} a rank"


def when(runs):
    """The last run's date and commit."""
    last = max(runs, key=lambda run: run.get("date", ""))
    return f"{last.get('date', '')[:10]}, gravlet {last.get('commit', '')}"


def title(figure, kind, problems, text):
    everything = [run for runs in problems.values() for run in runs]
    figure.suptitle(f"{kind.capitalize()} scaling: {text}\n{machine_of(everything)}; {when(everything)}", fontsize=9.5)


def label(problem, runs, kind):
    size = of.targets(runs[0]) / (of.ranks(runs[0]) if kind == "weak" else 1)
    return f"{plan.title(problem)}, {style.count(size)}{' a rank' if kind == 'weak' else ''}"


def time_and_efficiency(kind, device, problems):
    figure, [[time, share]], below = style.figure(2, width=4.0, height=3.1, legend_lines=(len(problems) + 3) // 2)
    everyone = [of.ranks(run) for runs in problems.values() for run in runs]
    for problem, runs in problems.items():
        ranks, seconds = [of.ranks(run) for run in runs], [of.seconds(run) for run in runs]
        look = style.look_of(problem)
        time.plot([], [], **look, label=label(problem, runs, kind))
        shares = [100 * value for value in of.efficiency(runs)]
        for axis, values in ((time, seconds), (share, shares)):
            for crowded in (False, True):
                found = [(r, value) for r, value, run in zip(ranks, values, runs) if of.crowded(run) == crowded]
                if found:
                    axis.plot(*zip(*found), **look, **({"fillstyle": "none", "linestyle": "none"} if crowded else {}))
        ideal = [seconds[0] * (ranks[0] / r if kind == "strong" else 1) for r in ranks]
        time.plot(ranks, ideal, color=look["color"], linestyle=":", linewidth=1)
    time.plot([], [], color=style.INK, linestyle=":", linewidth=1, label="ideal")
    if any(of.crowded(run) for runs in problems.values() for run in runs):
        time.plot([], [], "o", color=style.INK, fillstyle="none", label="on shared " + {"cpu": "cores", "gpu": "GPUs"}[device])
    style.few_decades(time)
    time.set_ylabel("seconds a solve")
    share.set_ylabel("efficiency (%)")
    share.set_ylim(0, max(110, 5 + share.get_ylim()[1]))
    share.axhline(100, color=style.INK, linestyle=":", linewidth=1)
    for axis in (time, share):
        style.over_ranks(axis, everyone, device)
    style.legend(below, time, 2)
    title(figure, kind, problems, "time and efficiency")
    return figure


def stages(kind, device, problems):
    width = max(2.3, 6 / len(problems))
    figure, [axes], below = style.figure(len(problems), width, height=3.1, legend_lines=2)
    for axis, (problem, runs) in zip(axes, problems.items()):
        places = np.arange(len(runs))
        bottom = np.zeros(len(runs))
        # A rank's share of the whole work, so that ideal bars are of one height in both kinds of series.
        workers = {"cpu": runs[0]["figures"]["threads"], "gpu": 1}[device]
        scale = np.array([workers * of.ranks(run) / of.targets(run) * 1e6 for run in runs])
        parts = [of.parts(run) for run in runs]
        groups = {group: np.array([own[group] for own, _ in parts]) for group in of.STAGES}
        groups["rest"] = np.array([own["agreements"] + sum(waited.values()) for own, waited in parts])
        for group, seconds in groups.items():
            axis.bar(places, scale * seconds, bottom=bottom, width=0.75, color=style.COLOURS[group], hatch=style.HATCHES[group],
                     edgecolor="white", linewidth=0.3, label={"rest": "waiting for the slowest rank"}.get(group, group))
            bottom += scale * seconds
        axis.set_xticks(places, [f"({of.ranks(run):,})" if of.crowded(run) else f"{of.ranks(run):,}" for run in runs])
        axis.set_xlabel({"cpu": "ranks", "gpu": "GPUs"}[device])
        axis.set_title(plan.title(problem), fontsize=9)
        axis.grid(axis="x", visible=False)
        axis.set_ylim(0, 1.06 * axis.dataLim.y1)
    axes[0].set_ylabel(f"{'core' if device == 'cpu' else 'GPU'} seconds per million targets")
    style.legend(below, axes[0], 4)
    title(figure, kind, problems, "stages of a solve, the mean rank's")
    return figure


def work(kind, device, problems):
    figure, [[pairs, sent, held]], below = style.figure(3, width=2.9, height=3.0, legend_lines=(len(problems) + 1) // 2)
    everyone = [of.ranks(run) for runs in problems.values() for run in runs]
    for problem, runs in problems.items():
        ranks = [of.ranks(run) for run in runs]
        look = style.look_of(problem)
        pairs.plot(ranks, [of.pairs_per_target(run) for run in runs], **look, label=label(problem, runs, kind))
        beyond = [run for run in runs if of.ranks(run) > 1]
        sent.plot([of.ranks(run) for run in beyond], [run["figures"]["bytes_sent"] / of.targets(run) for run in beyond], **look)
        held.plot(ranks, [run["figures"]["peak_bytes"] * of.ranks(run) / of.targets(run) for run in runs], **look)
    pairs.set_ylabel("interactions a target (nodes + cells)")
    sent.set_ylabel("bytes sent a target")
    held.set_ylabel("bytes held a target (fullest rank)")
    for axis in (pairs, sent, held):
        axis.set_ylim(bottom=0)
        style.over_ranks(axis, everyone, device)
    style.legend(below, pairs, 2)
    title(figure, kind, problems, "interactions, messages and memory")
    return figure


def draw(folder, all_series, said):
    """Draws all figures, into PNG files beside the series."""
    style.apply()
    for (kind, device), problems in store.by_kind(all_series):
        style.save(time_and_efficiency(kind, device, problems), folder / f"{kind}-{device}.png", said)
        style.save(stages(kind, device, problems), folder / f"{kind}-{device}-stages.png", said)
        style.save(work(kind, device, problems), folder / f"{kind}-{device}-work.png", said)
        crowded = sorted({of.ranks(run) for runs in problems.values() for run in runs if of.crowded(run)})
        if crowded:
            print(f"{kind}, {device}: {', '.join(map(str, crowded))} ranks share cores or GPUs: their times are marked in pictures and "
                  "not in the model, their counts are")
