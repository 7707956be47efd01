# SPDX-License-Identifier: Apache-2.0
"""All series as tables in the form of scripts/study, for docs' pages (benchmarks/study/tables.py)."""

import draw
import plan
import series as of
import store


def cell(run, efficiency):
    text = f"{of.seconds(run):.3g} ({efficiency:.0%})"
    return f"{text}, crowded" if of.crowded(run) else text


def table(kind, device, problems):
    ranks = sorted({of.ranks(run) for runs in problems.values() for run in runs})
    rows = []
    for problem, runs in problems.items():
        cells = {of.ranks(run): cell(run, share) for run, share in zip(runs, of.efficiency(runs))}
        pairs = [of.pairs_per_target(run) for run in runs]
        last = runs[-1]["figures"]
        rows.append([draw.label(problem, runs, kind), *(cells.get(r) for r in ranks), pairs[-1] / pairs[0] if pairs[0] > 0 else None,
                     last["bytes_sent"] / last["targets"], last["peak_bytes"] * last["ranks"] / last["targets"]])
    where = {"cpu": "ranks", "gpu": "GPUs"}[device]
    return {"title": f"{kind.capitalize()} series, seconds a solve and efficiency by {where}; on the most of them: interactions over those on "
                     "the fewest, bytes sent a target, bytes held a target",
            "columns": ["series", *map(str, ranks), "interactions", "bytes sent", "bytes held"], "rows": rows}


def misfits(models):
    """How far the models' terms are from what was measured."""
    rows = [[f"{plan.title(problem)} ({device})", f"{model.residual:.0%}",
             *(f"{share:.1%} ({own:.0%})" for own, share in model.misfits.values())] for (problem, device), model in models.items()]
    return {"title": "The model's deviation from solves that were measured; and of its terms, over the solve and in parentheses over the "
                     "term itself; rms", "columns": ["series", "solve", *next(iter(models.values())).misfits], "rows": rows}


def write(folder, all_series, models, command):
    """OUT_DIR/scaling.json: where, when, a table a kind and device, and what the models miss."""
    runs = [run for runs in all_series.values() for run in runs]
    last = max(runs, key=lambda run: run["date"])
    tables = [table(kind, device, problems) for (kind, device), problems in store.by_kind(all_series)]
    tables += [misfits(models)] if models else []
    content = {"study": "scaling", "date": last["date"], "commit": last["commit"], "processor": last["machine"]["processor"],
               "threads": last["figures"]["threads"], "backend": last["figures"]["backend"], "device": last["machine"]["gpu"],
               "command": command, "tables": tables}
    path = folder / "scaling.json"
    store.write(path, content)
    return path
