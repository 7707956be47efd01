#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# command.sh GRAVLET CASE EXAMPLES: starts the command as a user does, on each rank of a test, and checks its exit code and what
# rank 0 says.
gravlet=$1; case=$2; examples=$3
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-0}}}
json=${TMPDIR:-/tmp}/gravlet_command_$case.json
small="--set problem.max_level=3 --set run.repeat=1 --set output={}"

expect() {  # exit code, word on standard error of rank 0
    [ "$code" = "$1" ] || { echo "exit code $code, not $1: $said"; exit 1; }
    [ "$rank" != 0 ] || case $said in *"$2"*) ;; *) echo "not said: $2; but: $said"; exit 1 ;; esac
}

case $case in
    solve)
        said=$("$gravlet" run "$examples/maclaurin.yaml" $small --json "$json" 2>&1); code=$?
        expect 0 "relative error"
        if [ "$rank" = 0 ]; then
            for key in solve_median_s cells_per_s node_per_target peak_bytes p99 p999 worst; do
                grep -q "\"$key\"" "$json" || { echo "no $key in the JSON"; exit 1; }
            done
            rm "$json"
        fi ;;
    hunt)
        said=$("$gravlet" run "$examples/plummer.yaml" --set problem.n=2000 --set run.repeat=1 --set compare.samples=50 \
            --set compare.hunt=5 --json "$json" 2>&1); code=$?
        expect 0 "against direct, at a sample of 50 targets; max also of "
        if [ "$rank" = 0 ]; then
            grep -q '"hunted": \([5-9]\|10\),' "$json" || { echo "not 5 to 10 hunted in the JSON"; exit 1; }
            rm "$json"
        fi ;;
    bad_hunt)
        said=$("$gravlet" run "$examples/plummer.yaml" --set compare.hunt=-1 2>&1); code=$?
        expect 1 "gravlet: error: $examples/plummer.yaml: compare.hunt is -1: it must be 0 (none) or more" ;;
    typo)
        said=$("$gravlet" run "$examples/maclaurin.yaml" $small --set solver.thta=0.5 2>&1); code=$?
        expect 1 "gravlet: error: $examples/maclaurin.yaml: solver.thta: unknown key; did you mean theta?" ;;
    missing_file)
        said=$("$gravlet" run no_such.yaml 2>&1); code=$?
        expect 1 "gravlet: error: no_such.yaml: no such file" ;;
    own_input)
        file=${TMPDIR:-/tmp}/gravlet_command_own_input.yaml
        [ "$rank" != 0 ] || cp "$examples/maclaurin.yaml" "$file"  # which the first rank alone reads
        said=$("$gravlet" run "$file" $small --json "$file" 2>&1); code=$?
        expect 1 "gravlet: error: --json is $file: that is the file of FILE, $file, and an output may replace no input"
        if [ "$rank" = 0 ]; then cmp "$file" "$examples/maclaurin.yaml" && rm "$file" || exit 1; fi ;;
    usage)
        said=$("$gravlet" walk 2>&1); code=$?
        expect 1 "subcommand" ;;
    problems)
        said=$("$gravlet" problems maclaurin 2>&1); code=$?
        expect 0 "problem.a1: radius of its equator" ;;
    help)
        said=$("$gravlet" help solver.theta 2>&1); code=$?
        expect 0 "in gravlet run, gravlet evolve" ;;
    bad_help)
        said=$("$gravlet" help solver.thta 2>&1); code=$?
        expect 1 "gravlet: error: solver.thta: unknown key; did you mean solver.theta?" ;;
esac
