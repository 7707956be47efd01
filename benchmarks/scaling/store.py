# SPDX-License-Identifier: Apache-2.0
"""A series' file: what was asked for and measured in each of its runs, written anew after every run."""

import json
import os
import pathlib

import plan

FORMAT = 1


def path_of(folder, series, problem, device):
    return pathlib.Path(folder) / f"{series}-{problem}-{device}.json"


def load(path):
    if not path.exists():
        return []
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if content.get("format") != FORMAT:
        raise ValueError(f"{path}: not a series of scripts/scaling (format {FORMAT})")
    return content["runs"]


def load_all(folder):
    """All series of the folder, by (series, problem, device); the problems in the order of the plan, described ones behind."""
    paths = [path for path in pathlib.Path(folder).glob("*-*-*.json") if path.stem.count("-") == 2]
    keys = [key for key in (tuple(path.stem.split("-")) for path in paths) if key[0] in plan.SERIES and key[2] in plan.DEVICES]
    known = list(plan.PROBLEMS)
    keys.sort(key=lambda key: (key[0], key[2], known.index(key[1]) if key[1] in known else len(known), key[1]))
    found = {key: load(path_of(folder, *key)) for key in keys}
    return {key: runs for key, runs in found.items() if runs}


def save(path, runs):
    series, problem, device = path.stem.split("-")
    runs = sorted(runs, key=lambda run: run["asked"]["ranks"])
    write(path, {"format": FORMAT, "series": series, "problem": problem, "device": device, "runs": runs})


def write(path, content):
    """JSON, whole or not at all."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    os.replace(unfinished, path)


def by_kind(all_series):
    """((series, device), its problems' runs) of all of them."""
    kinds = sorted({(series, device) for series, _, device in all_series})
    return [(kind, {key[1]: runs for key, runs in all_series.items() if (key[0], key[2]) == kind}) for kind in kinds]


def add(runs, run):
    """The runs with this one, in the place of one that was asked for alike, if there is one."""
    return [old for old in runs if old["asked"] != run["asked"]] + [run]


def check_comparable(path, runs, setting):
    """A file holds one size of its problem, solved in one way."""
    for run in runs:
        if run["asked"]["setting"] != setting:
            raise ValueError(f"{path} holds runs of {run['asked']['setting']}, not of {setting}: take another folder, or --again")
