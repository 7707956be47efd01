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


def timed(runs):
    return [run for run in runs if not crowded(run)]


def grouped(run, kind="mean"):
    """Seconds of each group of stages: of the mean rank, or (max) of the slowest one in each stage."""
    out = dict.fromkeys(STAGES, 0.0)
    for stage, value in run["figures"]["stages_s"].items():
        out[group_of(stage)] += value[kind]
    return out


def terms(run):
    """Seconds of the model's terms: the mean rank's, of the walk the slowest one's; what is left of the solve is waiting."""
    mean, walk = grouped(run), grouped(run, "max")["walk"]
    out = {"tree": mean["tree"] + mean["results"], "walk": walk}
    out |= {name: mean[name] for name in ("roots", "essential", "exchange", "merge")}
    return out | {"agreements": seconds(run) - sum(out.values())}


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
