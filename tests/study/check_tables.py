# SPDX-License-Identifier: Apache-2.0
"""Docs' tables come from their data: written, found to be changed, and found to have none."""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks/study"))
import tables  # noqa: E402

PAGE = "Words.\n\n<!-- data found.json 0 -->\n<!-- end -->\n\n<!-- data found.json source -->\n<!-- end -->\n"
FOUND = {"device": "", "processor": "a core", "threads": 2, "date": "2026-11-29T08:00:00+00:00", "commit": "abc", "command": "scripts/study x",
         "tables": [{"title": "Seconds", "columns": ["N", "s"], "rows": [[1000, 0.012345], [20000, None]]}]}


def refusal(page, text):
    page.write_text(text, encoding="utf-8")
    try:
        tables.main(check=True)
    except SystemExit as end:
        return str(end)
    return ""


def main():
    with tempfile.TemporaryDirectory() as folder:
        tables.DOCS = pathlib.Path(folder)
        (tables.DOCS / "data").mkdir()
        (tables.DOCS / "data/found.json").write_text(json.dumps(FOUND), encoding="utf-8")
        (tables.DOCS / "guide").mkdir()
        (tables.DOCS / "notebook").mkdir()
        frozen = tables.DOCS / "notebook/page.md"
        frozen.write_text(PAGE, encoding="utf-8")
        page = tables.DOCS / "guide/page.md"
        page.write_text(PAGE, encoding="utf-8")
        tables.main(check=False)
        text = page.read_text(encoding="utf-8")
        for part in ("Seconds:\n\n| N | s |\n|---|---|\n| 1,000 | 0.0123 |\n| 20,000 |  |\n<!-- end -->",
                     "-->\na core, 2 threads, 2026-11-29, gravlet abc, `scripts/study x`\n<!-- end -->"):
            if part not in text:
                sys.exit(f"not in the page: {part}\n{text}")
        for changed, why in ((text, ""), (text.replace("0.0123", "0.0124"), "guide/page.md is not what its data say"),
                             (text + "| of old | 3.5e-3 |\n", "a number without data: | of old | 3.5e-3 |")):
            said = refusal(page, changed)
            if why not in said or bool(why) != bool(said):
                sys.exit(f"said: {said}; to be said: {why}")
        if frozen.read_text(encoding="utf-8") != PAGE:
            sys.exit("a page of the notebook was written anew")
        for value, words in ((1234.5, "1,230"), (123456789.0, "1.23e8"), (1.234e-5, "1.23e-5"), (7.0, "7"), (999.9, "1,000"), (0.0, "0")):
            if tables.markdown.shown(value) != words:
                sys.exit(f"{value} is shown as {tables.markdown.shown(value)}, not {words}")


main()
