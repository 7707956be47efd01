#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# outputs.sh GRAVLET CASE [TIMES | LIBRARY]: what the command leaves when it is killed, started together with others, has no room, or
# meets a full disk as LIBRARY has it (tests/fault/preload/full_disk.cpp).
gravlet=$1; case=$2; times=${3:-6}; library=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

wrong() { echo "$*"; ls -lA; exit 1; }

cat > points.yaml <<YAML
problem: {kind: uniform_points, n: 200000}
solver: {theta: 1.0, order: 0}
run: {warmup: 0, repeat: 1}
output: {hdf5: out.h5}
YAML
read_back="problem={kind: points_file, path: out.h5}"

case $case in
    # Every other time as soon as the new file begins to be written, else at any time.
    killed)
        "$gravlet" run points.yaml > said 2>&1 || wrong "$(cat said)"
        cp out.h5 old.h5
        kept=0; replaced=0; unfinished=0; i=0
        while [ "$i" -lt "$times" ]; do
            "$gravlet" run points.yaml --set problem.seed=2 > said 2>&1 & process=$!
            random=$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')
            if [ $((i % 2)) = 0 ]; then
                until ls .out.unfinished-*.h5 > /dev/null 2>&1 || ! kill -0 "$process" 2> /dev/null; do :; done
                sleep "0.00$((random % 10))"
            else
                sleep "$((random % 2)).$((random % 10))"
            fi
            kill -KILL "$process" 2> /dev/null
            wait "$process"
            if cmp -s out.h5 old.h5; then
                kept=$((kept + 1))
            else
                replaced=$((replaced + 1))
                "$gravlet" run points.yaml --set "$read_back" --set output= > said 2>&1 || wrong "neither old nor whole: $(cat said)"
                cp old.h5 out.h5
            fi
            for file in .out.unfinished-*.h5; do
                [ ! -e "$file" ] || unfinished=$((unfinished + 1))
                rm -f "$file"
            done
            i=$((i + 1))
        done
        echo "$times killed: $kept old files, $replaced new ones, $unfinished unfinished beside" ;;
    # A run of points in time, killed as it writes a snapshot or at any time, goes on from the last one that is there, and ends as
    # one that nothing happened to. Seconds are not compared.
    evolve_killed)
        cat > moving.yaml <<YAML
problem: {kind: plummer, n: 3000}
solver: {softening: 0.05, threads: 1}
evolve: {end: 1.0, step: 0.0625, balance: 3}
output: {log: log.csv, sub_steps: sub_steps.csv, snapshots: s, every: 2}
YAML
        "$gravlet" evolve moving.yaml > said 2>&1 || wrong "$(cat said)"
        mv s_0008.hdf5 end.hdf5
        cut -d, -f1-15,17- log.csv > end.csv
        cut -d, -f1-3,6- sub_steps.csv > end_of_sub_steps.csv
        continued=0; i=0
        while [ "$i" -lt "$times" ]; do
            rm -f ./s_*.hdf5
            "$gravlet" evolve moving.yaml > said 2>&1 & process=$!
            until [ -e "s_000$((i % 7)).hdf5" ] || ! kill -0 "$process" 2> /dev/null; do :; done
            [ $((i % 2)) = 0 ] || until ls .s_*.unfinished-* > /dev/null 2>&1 || ! kill -0 "$process" 2> /dev/null; do :; done
            kill -KILL "$process" 2> /dev/null
            wait "$process"
            last=$(ls s_*.hdf5 | tail -n 1)
            [ "$last" = s_0008.hdf5 ] || continued=$((continued + 1))
            "$gravlet" evolve moving.yaml --set "evolve.restart=$last" > said 2>&1 || wrong "from $last: $(cat said)"
            cmp s_0008.hdf5 end.hdf5 || wrong "from $last: another end"
            cut -d, -f1-15,17- log.csv | cmp - end.csv || wrong "from $last: another log"
            cut -d, -f1-3,6- sub_steps.csv | cmp - end_of_sub_steps.csv || wrong "from $last: other sub-steps"
            rm -f .s_*.unfinished-*
            i=$((i + 1))
        done
        [ "$continued" -gt 0 ] || wrong "no run was killed in time"
        echo "$times killed: $continued went on from before the end" ;;
    # First runs with one Ewald table.
    together)
        for i in 1 2 3 4; do
            "$gravlet" run points.yaml --set "problem={kind: lattice, n: 2}" --set output= --set solver.periodic_method=table \
                --set solver.ewald_cache=table.h5 > "said$i" 2>&1 &
            eval "process$i=$!"
        done
        for i in 1 2 3 4; do
            eval "wait \$process$i" || wrong "$(cat "said$i")"
        done
        [ "$(find . -name '*.h5')" = ./table.h5 ] || wrong "not one table" ;;
    # At each call in turn that writes: exit code 1 and the system's reason; or 0, where it does no harm.
    full_disk)
        cat > blocks.yaml <<YAML
problem: {kind: cube, max_level: 2}
solver: {threads: 1}
run: {warmup: 0, repeat: 1}
output: {hdf5: blocks.h5}
YAML
        cat > moving.yaml <<YAML
problem: {kind: plummer, n: 300}
solver: {softening: 0.05, threads: 1}
evolve: {end: 0.5, step: 0.5}
output: {log: log.csv, snapshots: s}
YAML
        "$gravlet" run blocks.yaml --set output.hdf5=checkpoint.h5 > said 2>&1 || wrong "$(cat said)"
        tried=0; harmless=0
        fill_up() {  # arguments of the command
            at=1
            while :; do
                rm -f table.h5
                GRAVLET_FULL_AT=$at LD_PRELOAD=$library "$gravlet" "$@" > said 2>&1; code=$?
                grep -q "disk full" said || break
                case $code in
                    0) harmless=$((harmless + 1)) ;;
                    1) grep -q "gravlet: error: .*No space left on device" said || wrong "$*: call $at: $(cat said)" ;;
                    *) wrong "$*: call $at: exit code $code: $(cat said)" ;;
                esac
                [ -z "$(find . -name '.*unfinished*')" ] || wrong "$*: call $at: left behind"
                tried=$((tried + 1)); at=$((at + 1))
            done
            [ "$code" = 0 ] && [ "$at" -gt 10 ] || wrong "$*: exit code $code, $at calls: $(cat said)"
        }
        fill_up run points.yaml --set problem.n=500 --json out.json
        fill_up run points.yaml --set "problem={kind: lattice, n: 2}" --set output= --set solver.periodic_method=table \
            --set solver.ewald_cache=table.h5
        fill_up run blocks.yaml
        fill_up run blocks.yaml --set "problem={kind: flash_file, path: checkpoint.h5}" --set "output={checkpoint_copy: copy.h5}"
        fill_up evolve moving.yaml
        echo "$tried calls failed, $harmless without harm" ;;
    no_room)
        for arguments in "run points.yaml --set output=" --help --version info; do
            # shellcheck disable=SC2086
            said=$("$gravlet" $arguments 2>&1 > /dev/full); code=$?
            [ "$code" = 1 ] || wrong "$arguments: exit code $code: $said"
            case $said in *"standard output cannot be written"*) ;; *) wrong "$arguments: $said" ;; esac
        done
        # HDF5 would crash at exit.
        for output in /dev/null /dev/full; do
            said=$("$gravlet" run points.yaml --set output.hdf5=$output 2>&1); code=$?
            [ "$code" = 1 ] || wrong "exit code $code: $said"
            case $said in *"$output: cannot be created: it is not a regular file"*) ;; *) wrong "$said" ;; esac
        done ;;
esac
