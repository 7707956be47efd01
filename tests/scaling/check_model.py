# SPDX-License-Identifier: Apache-2.0
"""The model of the scaling study finds the constants of runs that were made up from them."""

import math
import pathlib
import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks/scaling"))
import model  # noqa: E402

TREE = (3e-9, 2e-8)          # n log2 n, n
PAIRS = (300.0, 5e3, 20.0, 2.0)  # 1, N^(-1/3), log2 N, log2 P
WALK = (2e-7, 1e-9)          # a target, an interaction
UNEVEN = 0.06
SENT = (900.0, 5e4)          # surface, log2 P
ESSENTIAL, MERGE = 4e-9, 1e-9


def made_up(ranks, n, cores=64):
    """As scripts/scaling keeps a run."""
    pairs = PAIRS[0] + PAIRS[1] * (n * ranks) ** (-1 / 3) + PAIRS[2] * math.log2(n * ranks) + PAIRS[3] * math.log2(ranks)
    sent = SENT[0] * n ** (2 / 3) * (1 - ranks ** (-1 / 3)) + SENT[1] * math.log2(ranks)
    walk = n * (WALK[0] + WALK[1] * pairs)
    mean = {"stage_in": TREE[1] * n, "sort": TREE[0] * n * math.log2(n), "essential": ESSENTIAL * sent, "complete": MERGE * sent,
            "walk": 0.9 * walk, "walk_early": 0.1 * walk}
    slowest = 1 + UNEVEN * (1 - 1 / ranks)
    stages = {name: {"mean": value, "max": value * (slowest if "walk" in name else 1)} for name, value in mean.items()}
    return {"asked": {}, "machine": {"cores": cores, "gpus": 0, "machines": 1, "gpu": "", "processor": "made up"},
            "figures": {"ranks": ranks, "threads": 1, "targets": n * ranks, "backend": "cpu", "stages_s": stages,
                        "solve_s": sum(stage["max"] for stage in stages.values()), "node_interactions": 0.4 * pairs * n * ranks,
                        "cell_interactions": 0.6 * pairs * n * ranks, "bytes_sent": sent * ranks}}


def near(name, found, known, share=1e-6):
    if abs(found - known) > share * abs(known):
        sys.exit(f"{name}: {found}, not {known}")


def constants():
    runs = [made_up(ranks, n) for ranks in (1, 2, 4, 8, 64) for n in (1e4, 1e5, 1e6)]
    runs.append(made_up(128, 1e5))  # on more ranks than cores: counts are right, times not
    for stage in runs[-1]["figures"]["stages_s"].values():
        stage["mean"] *= 17
    free = model.Network(latency=0.0, bandwidth=1e30)
    nothing = model.RemoteRanks(0.0, 0.0, 0.0, 0.0)
    found = model.fit(runs, free, nothing)
    for name, values, known in (("tree", found.tree, TREE), ("pairs", found.pairs, PAIRS), ("walk", found.walk, WALK),
                                ("sent", found.sent, SENT)):
        for value, other in zip(values, known):
            near(name, value, other)
    near("uneven", found.uneven["walk"], UNEVEN)
    near("essential", found.essential[0], ESSENTIAL)
    near("merge", found.merge[0], MERGE)
    if found.residual > 1e-6:
        sys.exit(f"residual {found.residual}")
    if found.measured != (1, 64):
        sys.exit(f"measured {found.measured}")
    return runs


def remote_ranks():
    content = {"cells": 1000000, "boxes": 1,
               "runs": [{"ranks": ranks, "near": 30, "roots_s": 1e-5 + 2e-7 * ranks, "essential_s": 3e-3 + 4e-7 * ranks,
                         "complete_s": 2e-3, "root_table_bytes": 1000 + 240 * ranks, "essential_bytes": 4000000}
                        for ranks in (1000, 10000, 100000)]}
    far = model.of_synthetic(content)
    near("roots", far.roots, 2e-7)
    near("essential", far.essential, 4e-7)
    near("table", far.table, 240)
    near("near", far.near, 30)
    if not 0 <= far.merge < 1e-12:
        sys.exit(f"merge: {far.merge}, not 0")


def breaks_first(runs):
    """The term that is made dear is the one that is named."""
    free = model.Network(latency=0.0, bandwidth=1e30)
    slow = model.Network(latency=1e-2, bandwidth=1e30)
    for word, network, far in (("roots", free, model.RemoteRanks(1e-5, 0, 0, 0)),
                               ("essential", free, model.RemoteRanks(0, 1e-5, 0, 0)),
                               ("merge", free, model.RemoteRanks(0, 0, 1e-5, 0)),
                               ("agreements", slow, model.RemoteRanks(0, 0, 0, 0, near=0))):
        said = model.breaks_first(model.fit(runs, network, far).along(6.4e7), "weak", 1e6, 1)
        if f"breaks first is {word}:" not in said:
            sys.exit(f"{word} is not what breaks first: {said}")


def waiting():
    """What ranks wait where they meet is of the stages before, and all parts add up to the solve."""
    run = made_up(4, 1e5)
    stages = {"sort": (3.0, 5.0), "roots": (2.5, 2.6), "essential": (1.0, 1.0), "walk": (10.0, 11.0), "conservation": (0.5, 1.0)}
    run["figures"]["stages_s"] = {name: {"mean": mean, "max": most} for name, (mean, most) in stages.items()}
    run["figures"]["solve_s"] = 18.0
    own, waited = model.terms(run)
    for name, mine, all_wait in (("tree", 3.0, 2.0), ("roots", 0.5, 0.0), ("essential", 1.0, 0.0), ("walk", 10.0, 0.5),
                                 ("agreements", 1.0, 0.0)):
        if (own[name], waited[name]) != (mine, all_wait):
            sys.exit(f"{name}: {own[name]} and {waited[name]} of waiting")
    near("the whole", sum(own.values()) + sum(waited.values()), 18.0)


def not_asked_too_far(runs):
    """A model that is off what was measured is not asked beyond ten times its ranks."""
    off = [dict(run, figures=dict(run["figures"])) for run in runs]
    for number, run in enumerate(off):
        run["figures"]["solve_s"] *= 3 if number % 2 else 1
    found = model.fit(off, model.Network(), model.RemoteRanks())
    if found.residual <= model.WORST_MISFIT or found.reach() != 640:
        sys.exit(f"off by {found.residual}, and asked to {found.reach()} ranks")
    said = model.breaks_first(found.along(6.4e7), "weak", 1e6, 1)
    if "beyond 640 the model" not in said or "at 640 ranks" not in said:
        sys.exit(said)
    if set(found.misfits) != set(model.TERMS) or found.misfits["walk"][0] > 0.1 or found.misfits["agreements"][1] < 0.2:
        sys.exit(f"misfits {found.misfits}")


def negative():
    """Columns that would need negative coefficients are left out."""
    found = model.least_squares([[1, 1], [1, 2], [1, 3]], [3, 2, 1])
    if found.min() < 0:
        sys.exit(f"negative: {found}")


waiting()
breaks_first(constants())
not_asked_too_far(constants())
remote_ranks()
negative()
