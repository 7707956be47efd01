#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tables.py [--check]: writes the tables of docs' pages anew from the data that they were measured as.

Between `<!-- data FILE N -->` and `<!-- end -->` stands table N (from 0 on) of docs/data/FILE, and for N `source` where and when all
of its tables were made. FILE is what scripts/study wrote, or another script in its format. Pages of docs/notebook are frozen. --check
changes nothing: it ends with 1 where a page is not what its data say, or a page that has such tables has numbers in another one.
"""

import json
import pathlib
import re
import sys

import markdown

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"(<!-- data (\S+) (\d+|source) -->\n).*?(<!-- end -->)", re.DOTALL)
NUMBER = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?( ?(%|s|ms|M|G|GB|MB))?")


def generated(file, which):
    content = json.loads((DOCS / "data" / file).read_text(encoding="utf-8"))
    if which == "source":
        return markdown.source(content)
    table = content["tables"][int(which)]
    return "\n".join([table["title"] + ":", "", *markdown.head(table["columns"]), *map(markdown.line, table["rows"])])


def renewed(text):
    return BLOCK.sub(lambda found: f"{found[1]}{generated(found[2], found[3])}\n{found[4]}", text)


def without_source(text):
    """Lines of tables by hand that have a cell of a number alone."""
    rows = [line for line in BLOCK.sub("", text).splitlines() if line.startswith("|")]
    return [row for row in rows if any(NUMBER.fullmatch(cell.strip()) for cell in row.strip("|").split("|"))]


def main(check):
    wrong = []
    for page in sorted(DOCS.rglob("*.md")):
        if DOCS / "notebook" in page.parents:
            continue
        text = page.read_text(encoding="utf-8")
        if not BLOCK.search(text):
            continue
        wrong += [f"{page.relative_to(DOCS)}: a number without data: {row}" for row in without_source(text)]
        new = renewed(text)
        if new != text and check:
            wrong.append(f"{page.relative_to(DOCS)} is not what its data say: benchmarks/study/tables.py writes it anew")
        elif new != text:
            page.write_text(new, encoding="utf-8")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    main(bool(sys.argv[1:]))
