# SPDX-License-Identifier: Apache-2.0
"""A run's figures as papers compare them: a target, a rank, relative to the fewest ranks."""

# The report's stages by what they are about, in the order of a solve; what is not named here goes to the tree.
STAGES = {
    "tree": (),
    "roots": ("roots",),
    "essential": ("essential",),
    "exchange": ("exchange_begin", "exchange_finish"),
    "merge": ("complete",),
    "walk": ("walk_early", "walk"),
    "results": ("verify", "conservation", "guards", "stage_out"),
}

MEETINGS = ("roots", "exchange_finish", "conservation")  # where ranks wait for what the slowest did since the last one


def group_of(stage):
    return next((group for group, stages in STAGES.items() if stage in stages), "tree")


def ranks(run):
    return run["figures"]["ranks"]


def targets(run):
    return run["figures"]["targets"]


def seconds(run):
    return run["figures"]["solve_s"]


def crowded(run):
    """Whether ranks and threads share cores, or ranks a GPU: its counts are exact, its times say nothing."""
    machine = run["machine"]
    if run["figures"]["backend"].startswith("cpu"):
        return ranks(run) * run["figures"]["threads"] > machine["cores"]
    return ranks(run) > machine["gpus"]


def filled(run):
    """The share of its machines' cores that have a thread of ours; of GPUs none, as they have memory of their own."""
    machine, figures = run["machine"], run["figures"]
    if not figures["backend"].startswith("cpu"):
        return 0.0
    return min(1.0, figures["ranks"] * figures["threads"] / (machine["cores"] * machine.get("machines", 1)))


def timed(runs):
    return [run for run in runs if not crowded(run)]


def grouped(run):
    """Seconds of each group of stages of the mean rank, waiting among them."""
    out = dict.fromkeys(STAGES, 0.0)
    for stage, value in run["figures"]["stages_s"].items():
        out[group_of(stage)] += value["mean"]
    return out


def parts(run):
    """Seconds of groups of stages, and of "agreements", the rest: the mean rank's own, and what all waited for the slowest one. They add
    up to the solve. Where ranks meet, what they waited is of the groups since they met before, by how much the slowest rank of each
    was behind the mean."""
    own, waited = dict.fromkeys([*STAGES, "agreements"], 0.0), dict.fromkeys([*STAGES, "agreements"], 0.0)
    behind = dict.fromkeys(STAGES, 0.0)

    def meet(group, taken):
        late = sum(behind.values())
        shared = min(taken, late)
        own[group] += taken - shared
        for name, seconds_late in behind.items():
            waited[name] += shared * seconds_late / late if late > 0 else 0.0
            behind[name] = 0.0

    for stage, value in run["figures"]["stages_s"].items():
        if stage in MEETINGS:
            meet(group_of(stage), value["mean"])
        else:
            own[group_of(stage)] += value["mean"]
            behind[group_of(stage)] += value["max"] - value["mean"]
    meet("agreements", max(0.0, seconds(run) - sum(value["mean"] for value in run["figures"]["stages_s"].values())))
    return own, waited


def pairs_per_target(run):
    return (run["figures"]["node_interactions"] + run["figures"]["cell_interactions"]) / targets(run)


def pairs_per_rank(run):
    return pairs_per_target(run) * targets(run) / ranks(run)


def bytes_per_rank(run):
    return run["figures"]["bytes_sent"] / ranks(run)


def efficiency(runs):
    """Targets a second and rank, over those on the fewest ranks: for weak and strong series alike, and where sizes are not quite
    equal."""
    speed = [targets(run) / (ranks(run) * seconds(run)) for run in runs]
    return [value / speed[0] for value in speed]
