#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lost.sh GRAVLET CASE [RANKS | LIBRARY] [MPIRUN | PYTHON]: what of a run is left where an output cannot be written or a signal
# comes. refused: known before the first solve. late: after it; LIBRARY is tests/fault/preload/full_disk.cpp. stopped, evolve_stopped: by a
# signal, on so many RANKS.
gravlet=$1; case=$2; ranks=${3:-1}; library=${3:-}; mpirun=${4:-}; python=${4:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

wrong() { echo "$*"; echo "standard output: $(cat said)"; echo "standard error: $(cat error)"; ls -lA; exit 1; }

cat > points.yaml <<YAML
problem: {kind: uniform_points, n: 2000}
solver: {theta: 1.0, order: 0, threads: 1}
run: {warmup: 0, repeat: 1}
YAML
cat > moving.yaml <<YAML
problem: {kind: plummer, n: 300}
solver: {softening: 0.05, threads: 1}
evolve: {end: 0.5, step: 0.125}
YAML

expect_one_error() {  # exit code, words of the error
    [ "$code" = "$1" ] || wrong "exit code $code, not $1"
    [ "$(grep -c 'gravlet: error: ' error)" = 1 ] || wrong "not one error"
    grep -q -e "$2" error || wrong "not said: $2"
    [ -z "$(find . -name '*unfinished*')" ] || wrong "left behind"
}

# Passes scripts' checks if the file `fit` is there, and is missing later.
stub() {
    mkdir stub
    cat > stub/matplotlib.py <<'PYTHON'
import os
import sys

if not (os.path.exists("fit") and "--check" in sys.argv):
    raise ImportError("no matplotlib here")
sys.path = [place for place in sys.path if not place.endswith("stub")]
del sys.modules["matplotlib"]
import matplotlib
PYTHON
}

case $case in
    refused)
        stub
        echo old > old.h5
        refuse() {  # words of the error, arguments of the command
            words=$1; shift
            "$gravlet" "$@" > said 2> error; code=$?
            expect_one_error 1 "$words"
            [ ! -s said ] || wrong "it ran: $*"
            [ "$(cat old.h5)" = old ] && [ ! -e a.h5 ] && [ ! -e log.csv ] && [ ! -e s_0000.hdf5 ] || wrong "it wrote: $*"
        }
        # Rights as such do not bind root, who may run this.
        for place in old.h5 /proc nowhere; do
            refuse "output.hdf5: $place/a.h5: cannot be created: " run points.yaml --set output.hdf5=$place/a.h5
            refuse "json: $place/a.json: cannot be created: " run points.yaml --set output.hdf5=a.h5 --json $place/a.json
            refuse "output.xdmf: $place/a.xmf: cannot be created: " run points.yaml --set "output={hdf5: a.h5, xdmf: $place/a.xmf}"
            refuse "output.log: $place/log.csv: cannot be created: " evolve moving.yaml --set output.log=$place/log.csv
            refuse "output.snapshots: $place/s_0000.hdf5: cannot be created: " evolve moving.yaml --set output.snapshots=$place/s
            refuse "output.strip: $place/s.png: cannot be created: " evolve moving.yaml \
                --set "output={snapshots: s, strip: $place/s.png}"
        done
        refuse "output.hdf5: /dev/full: cannot be created: it is not a regular file" run points.yaml --set output.hdf5=/dev/full
        export PYTHONPATH=stub
        for picture in "run points.yaml output={hdf5:_a.h5,_picture:_a.png} picture" \
            "evolve moving.yaml output={snapshots:_s,_strip:_s.png} strip" \
            "evolve moving.yaml output={log:_log.csv,_energy:_e.png} energy"; do
            # shellcheck disable=SC2086
            set -- $picture
            refuse "output.$4: .*: no matplotlib here (Debian: python3-matplotlib, python3-h5py)" "$1" "$2" \
                --set "$(echo "$3" | tr _ ' ')"
        done
        unset PYTHONPATH
        if "$python" -c "import matplotlib, h5py" 2> /dev/null; then
            refuse 'output.picture: .*a.xyz: no format of pictures is "xyz"; there are ' run points.yaml \
                --set "output={hdf5: a.h5, picture: a.xyz}"
        fi
        # Last, as there is no way back: 20 MB at most, of which MPI takes some.
        # shellcheck disable=SC3045
        ulimit -f 40000
        refuse "output.hdf5: a.h5 takes 50 MB at least, and no file may have more than " run points.yaml --set problem.n=1250000 \
            --set output.hdf5=a.h5
        refuse "output.snapshots: s_0000.hdf5 takes 48 MB at least, and no file may have more than " evolve moving.yaml \
            --set problem.n=500000 --set output.snapshots=s ;;
    late)
        echo old > old
        tried=0; harmless=0
        start_anew() {
            rm -f ./*.h5 ./*.hdf5 ./*.csv
            for file in a.h5 a.xmf a.json; do cp old $file; done
        }
        # At every third call that writes: all but what failed is there, the table among it.
        at=1
        while :; do
            start_anew
            GRAVLET_FULL_AT=$at LD_PRELOAD=$library "$gravlet" run points.yaml --set "output={hdf5: a.h5, xdmf: a.xmf}" \
                --json a.json > said 2> error; code=$?
            grep -q "disk full" error || break
            grep -q "interactions a target" said || wrong "call $at: no table"
            if [ "$code" = 0 ]; then
                harmless=$((harmless + 1))
            else
                expect_one_error 1 "No space left on device"
                for file in a.h5 a.xmf a.json; do
                    lost=$(grep -c -e "error: $file: " error)
                    [ $file != a.xmf ] || ! grep -q "output.xdmf is not written, for want of output.hdf5" error || lost=1
                    [ "$lost" = 1 ] && { cmp -s $file old || wrong "call $at: $file is not the old one"; } && continue
                    cmp -s $file old && wrong "call $at: $file was not written"
                done
            fi
            tried=$((tried + 1)); at=$((at + 3))
        done
        [ "$code" = 0 ] && [ "$at" -gt 10 ] || wrong "exit code $code, $at calls"
        # A run in time ends there, tells what it did, and goes on.
        at=1
        while :; do
            start_anew
            GRAVLET_FULL_AT=$at LD_PRELOAD=$library "$gravlet" evolve moving.yaml \
                --set "output={log: l.csv, snapshots: s, every: 1}" > said 2> error; code=$?
            grep -q "disk full" error || break
            if [ "$code" = 0 ]; then
                harmless=$((harmless + 1))
            else
                expect_one_error 1 "No space left on device"
                if [ -e s_0000.hdf5 ]; then
                    last=$(ls s_*.hdf5 | tail -n 1)
                    grep -q "energy: changed by" said || wrong "call $at: no table"
                    grep -q "^ended at time .*: go on with --set evolve.restart=$last" said || wrong "call $at: $last is not named"
                fi
            fi
            tried=$((tried + 1)); at=$((at + 3))
        done
        [ "$code" = 0 ] && [ "$at" -gt 10 ] || wrong "exit code $code, $at calls"
        echo "$tried calls failed, $harmless without harm"
        # The drawing tools are gone by then.
        "$python" -c "import matplotlib, h5py" 2> /dev/null || exit 0
        stub
        touch fit
        start_anew
        cp old a.png
        PYTHONPATH=stub "$gravlet" run points.yaml --set "output={hdf5: a.h5, picture: a.png}" > said 2> error; code=$?
        expect_one_error 1 "output.picture: .* lacks matplotlib or h5py"
        grep -q "interactions a target" said && cmp -s a.png old && ! cmp -s a.h5 old || wrong "a picture that cannot be drawn"
        PYTHONPATH=stub "$gravlet" evolve moving.yaml --json b.json \
            --set "output={log: l.csv, snapshots: s, strip: a.png, energy: e.png}" > said 2> error; code=$?
        expect_one_error 1 "output.strip: .*; also: output.energy: "
        grep -q "energy: changed by" said && cmp -s a.png old && [ -s l.csv ] && [ -e s_0001.hdf5 ] && [ -s b.json ] ||
            wrong "pictures that cannot be drawn" ;;
esac

# Signals go to the last rank alone, from which all hear of it. (Shells let what runs in the background ignore SIGINT.)
cat > one.sh <<'SH'
echo $$ > "pid${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:-0}}}"
exec env --default-signal=INT "$@"
SH
start() {  # arguments of the command
    rm -f pid*
    if [ "$ranks" = 1 ]; then
        sh one.sh "$gravlet" "$@" > said 2> error &
    else
        "$mpirun" "$ranks" sh one.sh "$gravlet" "$@" > said 2> error &
    fi
    process=$!
    last=pid$((ranks - 1))
    until [ -s "$last" ] || ! kill -0 "$process" 2> /dev/null; do sleep 0.01; done
}
end() {  # signal, and the exit code by convention
    kill "-$1" "$(cat "$last")"
    wait "$process"; code=$?
    [ "$code" = "$2" ] || wrong "exit code $code, not $2"
    ! grep -q "gravlet: error: " error || wrong "an error"
}

case $case in
    stopped)
        for signal in "INT 130" "TERM 143" "USR1 138"; do
            # shellcheck disable=SC2086
            set -- $signal
            for seconds in 2 4 8 16; do  # for the first solve that is timed
                rm -f a.h5 a.json
                start run points.yaml --set run.repeat=1000000 --set compare.reference=direct --set output.hdf5=a.h5 --json a.json
                sleep "$seconds"
                end "$1" "$2"
                grep -q "^stopped by SIG$1: " said || wrong "nothing of the signal"
                grep -q "^stopped by SIG$1: 0 of" said || break
            done
            grep -q "interactions a target" said && [ -s a.h5 ] && grep -q "\"stopped_by\": \"SIG$1\"" a.json ||
                wrong "not all is there"
        done
        # Before there is anything to tell: nothing but that. And a second signal ends it at once.
        start run points.yaml --set problem.n=300000 --set solver.theta=0 --set output.hdf5=b.h5
        sleep 1
        kill -TERM "$(cat "$last")"; sleep 0.2
        kill -INT "$(cat "$last")"
        wait "$process" && wrong "exit code 0"
        [ ! -e b.h5 ] && ! grep -q "interactions a target" said || wrong "it went on" ;;
    evolve_stopped)
        cat > moving.yaml <<YAML
problem: {kind: plummer, n: 3000}
solver: {softening: 0.05, threads: 1}
evolve: {end: 2.0, step: 0.0625, balance: 3}
output: {log: log.csv, snapshots: s, every: 1000}
YAML
        until_lines() { until [ "$(cat log.csv 2> /dev/null | wc -l)" -gt "$1" ]; do sleep 0.01; done; }
        named() { sed -n 's/^stopped by .*: go on with --set evolve.restart=//p' said; }
        # Between snapshots: what is left is what a run has that would write one then, and so is the end.
        start evolve moving.yaml
        until_lines 6
        end TERM 143
        [ "$(named)" = s_stopped.hdf5 ] || wrong "s_stopped.hdf5 is not named"
        steps=$(($(wc -l < log.csv) - 2))
        mv s_stopped.hdf5 kept.hdf5
        sed -i "s/every: 1000/every: $steps/" moving.yaml
        start evolve moving.yaml; wait "$process" || wrong "it failed"
        cmp s_0001.hdf5 kept.hdf5 || wrong "another moment after $steps steps"
        mkdir whole; mv s_*.hdf5 whole
        cut -d, -f1-15,17- log.csv > whole/log.csv
        mv kept.hdf5 s_stopped.hdf5
        start evolve moving.yaml --set evolve.restart=s_stopped.hdf5; wait "$process" || wrong "it failed"
        end=$(ls s_0*.hdf5 | tail -n 1)
        cmp "$end" "whole/$end" || wrong "another end from $steps steps on"
        cut -d, -f1-15,17- log.csv | cmp - whole/log.csv || wrong "another log"
        # At snapshots: the last of them is it, and the end that of a run which nothing happened to.
        sed -i "s/every: $steps/every: 1/" moving.yaml
        start evolve moving.yaml; wait "$process" || wrong "it failed"
        mv s_0032.hdf5 whole/end.hdf5; rm -f s_*
        rm log.csv
        start evolve moving.yaml
        until_lines 9
        end INT 130
        begin=$(named)
        [ "$begin" = "$(ls s_*.hdf5 | tail -n 1)" ] && [ "$begin" != s_0032.hdf5 ] || wrong "$begin: not the last before the end"
        start evolve moving.yaml --set "evolve.restart=$begin"; wait "$process" || wrong "it failed"
        cmp s_0032.hdf5 whole/end.hdf5 || wrong "another end from $begin on"
        # Without snapshots that is said.
        rm -f log.csv
        start evolve moving.yaml --set output.snapshots= --set evolve.end=1000
        until_lines 3
        end USR1 138
        grep -q "energy: changed by" said || wrong "no table"
        grep -q "^stopped by SIGUSR1 .*: there is no snapshot to go on from (output.snapshots is not set)" said ||
            wrong "not said" ;;
esac
