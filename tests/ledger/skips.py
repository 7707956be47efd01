#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tests were skipped, and why.

    tests/ledger/skips.py LOG... [--allowed FILE]

Reads logs of ctest (build/*/Testing/Temporary/LastTest.log), each with the output of all its tests; counts what was skipped, in
whole runs and single tests, by reason. With --allowed, a file of lines "MOST REASON", it fails if none of them is how a reason
begins, or that is given more often.
"""

import argparse
import collections
import pathlib
import re
import sys

# GoogleTest's, and that of tests/if_gpu.sh and tests/mpi_main.cpp, which end a whole run.
SINGLE = re.compile(r"^\S+:\d+: Skipped\n(.+)$", re.MULTILINE)
WHOLE = re.compile(r"^skipped: (.+)$", re.MULTILINE)


def reasons(log):
    """Reasons, one for each skip; paths are cut from them."""
    text = pathlib.Path(log).read_text(errors="replace")
    return [re.sub(r'^"?/\S*/', "", reason).replace('"', "") for pattern in (SINGLE, WHOLE) for reason in pattern.findall(text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--allowed")
    arguments = parser.parse_args()
    counts = collections.Counter(reason for log in arguments.logs for reason in reasons(log))
    allowed = {}
    if arguments.allowed:
        for line in pathlib.Path(arguments.allowed).read_text().splitlines():
            if line and not line.startswith("#"):
                most, reason = line.split(maxsplit=1)
                allowed[reason] = int(most)
    failed = False
    for reason, count in counts.most_common():
        most = max((allowed[known] for known in allowed if reason.startswith(known)), default=0)
        beyond = arguments.allowed and count > most
        failed |= bool(beyond)
        print(f"{count:5} skipped: {reason}" + (f" (allowed: {most})" if beyond else ""))
    print(f"{sum(counts.values()):5} skipped in all")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
