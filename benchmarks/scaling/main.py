# SPDX-License-Identifier: Apache-2.0
"""scripts/scaling: weak and strong series of gravlet_bench over ranks or GPUs, as JSON and as the pictures that papers show
(docs/scaling.md)."""

import argparse
import json
import pathlib
import sys

import bench
import plan
import store


def words(text):
    return text.replace(",", " ").split()


def numbers(text):
    out = sorted({int(word) for word in words(text)})
    if not out or out[0] < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: numbers from 1 on are wanted, as \"1 2 4\"")
    return out


def names_of(known):
    def names(text):
        unknown = [word for word in words(text) if word not in known]
        if unknown or not words(text):
            raise argparse.ArgumentTypeError(f"{text!r}: some of {', '.join(known)} are wanted")
        return words(text)

    return names


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/scaling", description="Weak and strong series over ranks or GPUs: a JSON file a series, and pictures. What is "
        "in the files already is not run again. Arguments after -- go to gravlet_bench. In parentheses: defaults.")
    parser.add_argument("out", type=pathlib.Path, metavar="OUT_DIR", help="the folder of the series and pictures")
    what = parser.add_argument_group("what to run")
    what.add_argument("--ranks", type=numbers, metavar="LIST",
                      help="CPU ranks, as \"1 2 4 8\" (with neither these nor GPUs: powers of two up to the cores)")
    what.add_argument("--gpus", type=numbers, metavar="LIST", help="GPUs, one rank each")
    what.add_argument("--series", type=names_of(plan.SERIES), default="weak,strong", metavar="LIST", help="of weak, strong (both)")
    what.add_argument("--problems", type=names_of(plan.PROBLEMS), metavar="LIST",
                      help="of plummer, cube (points), grid, maclaurin, tophat, collapse (meshes) "
                      f"({' '.join(plan.USUAL)}; with --config none)")
    what.add_argument("--config", type=pathlib.Path, nargs="+", default=[], metavar="FILE",
                      help="strong series of what these descriptions of `gravlet run` solve, a FLASH checkpoint for one")
    what.add_argument("--weak-n", type=float, metavar="N", help="bodies a rank of weak series (1e6, on GPUs 16e6)")
    what.add_argument("--strong-n", type=float, metavar="N", help="bodies of strong series (4e6, on GPUs 64e6)")
    what.add_argument("--level", type=int, metavar="L", help="of the meshes (7)")
    what.add_argument("--quick", action="store_true",
                      help="small problems (2e5, 1.6e6, level 6; GPUs 4e6, 16e6, 7): two or three minutes")
    what.add_argument("--again", action="store_true", help="drop what these series hold, and run all of it")
    how = parser.add_argument_group("how to run it")
    how.add_argument("--build", type=pathlib.Path, default=bench.ROOT / "build/release", metavar="DIR",
                     help="build folder with gravlet_bench (build/release)")
    how.add_argument("--launcher", default=f"{bench.ROOT}/scripts/mpirun {{ranks}}", metavar="COMMAND",
                     help="what starts ranks; {ranks} and {threads} are filled in (scripts/mpirun {ranks}, which asks GRAVLET_MPIEXEC)")
    how.add_argument("--threads", type=int, metavar="N", help="OpenMP threads a rank (1; of a GPU's rank its share of the cores)")
    how.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="of a run (600)")
    draw = parser.add_argument_group("pictures and model")
    draw.add_argument("--draw-only", action="store_true", help="run nothing: draw what is in OUT_DIR")
    draw.add_argument("--latency", type=float, default=2.0, metavar="US", help="of the network, in microseconds (assumed: 2)")
    draw.add_argument("--bandwidth", type=float, default=10.0, metavar="GB/S", help="of the network, a rank (assumed: 10)")
    draw.add_argument("--synthetic", type=pathlib.Path, metavar="FILE",
                      help="JSON of gravlet_synthetic_ranks: what a remote rank costs")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    options.given = arguments[end + 1:]
    options.command = " ".join(["scripts/scaling", *(word for word in arguments if word != str(options.out))])
    if "{ranks}" not in options.launcher:
        parser.error("--launcher must say where the number of ranks goes: {ranks}")
    if options.threads is not None and options.threads < 1:
        parser.error("--threads must be 1 or more")
    for description in options.config:
        if not description.is_file():
            parser.error(f"{description}: there is no such file")
    options.described = {plan.name_of(path): path.resolve() for path in options.config}
    taken = sorted(options.described.keys() & plan.PROBLEMS.keys())
    if taken or len(options.described) < len(options.config):
        parser.error(f"--config: a series is called as its file, and {taken[0] if taken else 'two of these'} is taken: rename the file")
    if options.problems is None:
        options.problems = [] if options.config else list(plan.USUAL)
    if not options.ranks and not options.gpus:
        options.ranks = [2**k for k in range(20) if k == 0 or 2**k * (options.threads or 1) <= bench.cores()]
    return options


def sizes_of(options, device):
    sizes = (plan.QUICK_SIZES if options.quick else plan.SIZES)[device]
    given = {"weak_n": options.weak_n, "strong_n": options.strong_n, "level": options.level}
    return plan.Sizes(**{name: given[name] or getattr(sizes, name) for name in given})


def threads_of(options, device):
    """A GPU's rank has its share of the machine's cores for what is done on the host."""
    return options.threads or (1 if device == "cpu" else max(1, bench.cores() // max(options.gpus)))


def run_series(options, program, kind, problem, device, ranks_list):
    """How many runs failed."""
    threads = threads_of(options, device)
    sizes = sizes_of(options, device)
    description = options.described.get(problem)
    setting = {"size": plan.size_of(kind, problem, sizes), "threads": threads, "given": options.given}
    path = store.path_of(options.out, kind, problem, device)
    name = f"{kind} {problem} {device}"
    if kind == "weak" and description:
        print(f"{name}: no such series: a described problem has one size")
        return 0
    try:
        runs = [] if options.again else store.load(path)
        store.check_comparable(path, runs, setting)
    except ValueError as error:
        print(f"{name}: skipped: {error}", file=sys.stderr)
        return 1
    failures = 0
    for ranks in ranks_list:
        if why := plan.missing(kind, problem, ranks, sizes):
            print(f"{name}, {ranks}: left out: {why}")
            continue
        arguments = plan.arguments(kind, problem, ranks, device, sizes, options.given, description)
        asked = {"ranks": ranks, "threads": threads, "setting": setting, "arguments": arguments}
        if any(run["asked"] == asked for run in runs):
            print(f"{name}, {ranks}: in {path.name} already")
            continue
        try:
            run = bench.run(program, options.launcher, asked, options.timeout, options.out.resolve())
        except bench.Failed as error:
            print(f"{name}, {ranks}: failed, and left out: {error}", file=sys.stderr)
            failures += 1
            continue
        runs.append(run)
        store.save(path, runs)
        print(f"{name}, {ranks}: {run['figures']['solve_s']:.4g} s", flush=True)
    return failures


def run_all(options):
    program = options.build.resolve() / "benchmarks/gravlet_bench"
    if not program.is_file():
        sys.exit(f"scaling: {program} is not there: build the target gravlet_bench, or name its folder by --build")
    options.out.mkdir(parents=True, exist_ok=True)
    failures = 0
    for device, ranks in (("cpu", options.ranks), ("gpu", options.gpus)):
        for kind in options.series if ranks else []:
            for problem in (*options.problems, *options.described):
                failures += run_series(options, program, kind, problem, device, ranks)
    return failures


def draw_all(options):
    import draw
    import draw_model
    import model
    import summary

    all_series = store.load_all(options.out)
    if not all_series:
        sys.exit(f"scaling: no series in {options.out}")
    pictures, said, models = [], [], {}
    draw.draw(options.out, all_series, pictures)
    network = model.Network(latency=1e-6 * options.latency, bandwidth=1e9 * options.bandwidth)
    remote = model.RemoteRanks()
    if options.synthetic:
        remote = model.of_synthetic(json.loads(options.synthetic.read_text(encoding="utf-8")))
    said.append(model.assumptions(network, remote))
    for problem, device in sorted({(problem, device) for _, problem, device in all_series}):
        kinds = {kind: all_series[kind, problem, device] for kind in plan.SERIES if (kind, problem, device) in all_series}
        try:
            models[problem, device], lines = draw_model.draw(options.out, problem, device, kinds, network, remote, pictures)
        except ValueError as error:
            lines = [f"{problem}, {device}: no model: {error}"]
        said += lines
    print("\n".join(said))
    (options.out / "model.txt").write_text("\n".join(said) + "\n", encoding="utf-8")
    print(f"tables: {summary.write(options.out, all_series, models, options.command)}")
    print("pictures: " + " ".join(str(picture) for picture in pictures))


def main():
    options = parse(sys.argv[1:])
    try:
        failures = 0 if options.draw_only else run_all(options)
        draw_all(options)
    except (ValueError, OSError) as error:
        sys.exit(f"scaling: {error}")
    if failures:
        sys.exit(f"scaling: {failures} run(s) or series failed, as said above")


main()
