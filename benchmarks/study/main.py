# SPDX-License-Identifier: Apache-2.0
"""scripts/study: what N-body papers measured, measured with gravlet_bench and gravlet (docs/nbody.md); and `pages`, the
tables of docs/performance.md and docs/accuracy.md."""

import argparse
import json
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "scaling"))
import active  # noqa: E402
import bench  # noqa: E402  (how programs are run, and what machine this is)
import gothic  # noqa: E402
import gpu_bh  # noqa: E402
import kdtree_accuracy  # noqa: E402
import nakasato  # noqa: E402
import pages  # noqa: E402
import six_kernels  # noqa: E402
from programs import Programs  # noqa: E402
from report import Report, picture  # noqa: E402

STUDIES = {"nakasato": nakasato, "gothic": gothic, "six_kernels": six_kernels, "kdtree_accuracy": kdtree_accuracy,
           "active": active, "gpu_bh": gpu_bh, "pages": pages}


def parse(arguments):
    build = bench.ROOT / "build/release"
    parser = argparse.ArgumentParser(
        prog="scripts/study", description="Measures what a paper measured: Markdown tables, NAME.json and NAME.png. "
        "In parentheses: defaults.")
    parser.add_argument("name", choices=STUDIES, metavar="NAME", help=", ".join(STUDIES))
    parser.add_argument("--gravlet-bench", type=pathlib.Path, default=build / "benchmarks/gravlet_bench", metavar="PATH",
                        help="(build/release/benchmarks/gravlet_bench)")
    parser.add_argument("--gravlet", type=pathlib.Path, default=build / "tools/gravlet", metavar="PATH",
                        help="(build/release/tools/gravlet)")
    parser.add_argument("--backend", choices=("cpu", "gpu"), default="cpu", help="(cpu)")
    parser.add_argument("--small", action="store_true", help="a few seconds of each, to see that it works; no figures to keep")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER", help="made if it is not there")
    parser.add_argument("--draw-only", type=pathlib.Path, metavar="FILE",
                        help="gpu_bh, pages: measures nothing, and draws FOLDER/FILE.png of what FILE.json has")
    parser.add_argument("--n", type=int, default=2**20, metavar="N", help="gothic, active: points, as 8388608 (2^20)")
    for study in STUDIES.values():
        if hasattr(study, "options"):
            study.options(parser)
    return parser.parse_args(arguments)


def draw(chosen):
    with open(chosen.draw_only, encoding="utf-8") as file:
        content = json.load(file)
    if not hasattr(STUDIES.get(content["study"]), "panels"):
        sys.exit(f"study: {chosen.draw_only} is of {content['study']}, which is not drawn of its data")
    chosen.out.mkdir(parents=True, exist_ok=True)
    print(picture(content, STUDIES[content["study"]].panels(content["tables"]), chosen.out / f"{chosen.draw_only.stem}.png"))


def main():
    chosen = parse(sys.argv[1:])
    if chosen.draw_only:
        return draw(chosen)
    for program in (chosen.gravlet_bench, chosen.gravlet):
        if not os.access(program, os.X_OK):
            sys.exit(f"study: {program} is not there, or no program; build it, or say where it is")
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        programs = Programs(chosen.gravlet_bench.resolve(), chosen.gravlet.resolve(), chosen.backend)
        settings = {name: value for name, value in vars(chosen).items() if not isinstance(value, pathlib.Path)}
        report = Report(chosen.name, chosen.out, programs, settings)
        panels = STUDIES[chosen.name].run(programs, report, chosen)
        path = report.write()
        print(f"\n{path}")
        if panels:  # some parts are tables alone
            print(picture(report.content(), panels, chosen.out / f"{chosen.name}.png"))
    except (bench.Failed, OSError) as error:
        sys.exit(f"study: {error}")


main()
