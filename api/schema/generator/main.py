# SPDX-License-Identifier: Apache-2.0
"""scripts/generate [--check] [--extend-abi]: writes what api/schema says to the files of each language.

In a file, what stands between the comments `[generated: NAME] ...` and `[/generated]` is written anew; some files are written whole.
--check writes nothing, and fails with the differences where a file is not as it would be. --extend-abi: members that are new to C's
structs go to their ends, and into api/schema/abi.txt.
"""

import argparse
import difflib
import re
import sys

import abi
import c
import cpp
import documents
import fortran
import hosts
import python
import reference
from model import FOLDER, Schema, SchemaError

ROOT = FOLDER.parents[1]
FLASH = "amr_adapter/flash/source/Grid/GridSolvers/Gravlet"
REGIONS = {
    "include/gravlet/options.hpp": {"enums": cpp.enums, "options": cpp.options, "words": cpp.to_string},
    "include/gravlet/report.hpp": {"structs": cpp.structs},
    "include/gravlet/error.hpp": {"codes": cpp.error_codes, "names": cpp.error_names},
    "include/gravlet/members.hpp": {"members": cpp.members},
    "solver/data/local_report.hpp": {"sums": cpp.rank_sums},
    "include/gravlet/gravlet.h": {"constants": c.constants, "options": c.options, "option_info": c.option_info, "lent": c.lent,
                                  "listener": c.listener, "report": c.report},
    "api/option_table.hpp": {"words": cpp.words, "types": cpp.member_types, "options": cpp.option_table},
    "api/option_list.cpp": {"words": cpp.word_functions},
    "amr_adapter/c/members.hpp": {"members": c.pairs},
    "amr_adapter/fortran/gravlet_c.f90": {"codes": fortran.error_codes, "structs": fortran.c_structs},
    "amr_adapter/fortran/gravlet_settings.f90": {"constants": fortran.constants, "options": fortran.options, "paths": fortran.paths,
                                                 "from_c": fortran.from_c, "to_c": fortran.to_c},
    "amr_adapter/fortran/gravlet.f90": {"codes": fortran.use_codes, "public": fortran.public, "block": fortran.block,
                                        "report": fortran.report_type, "copy": fortran.report_copy,
                                        "results": fortran.result_names},
    "amr_adapter/fortran/real_types.inc": {"results": fortran.points_results},
    f"{FLASH}/Config": {"options": documents.flash_config},
    f"{FLASH}/gr_gravletInit.F90": {"options": documents.flash_init},
    "docs/reference/options.md": {"options": reference.options, "words": reference.words},
    "docs/reference/report.md": {"report": reference.report, "stage_time": reference.stage_time, "stages": reference.stages,
                                 "error_statistics": reference.error_statistics, "tolerance_report": reference.tolerance_report,
                                 "types": reference.types},
    "docs/reference/errors.md": {"names": reference.error_names, "errors": reference.errors},
    "docs/hosts.md": {"fields": documents.fields},
    "docs/flash.md": {"parameters": documents.flash_parameters},
    "tests/api/input/test_options.cpp": {"examples": hosts.examples, "parameters": hosts.flash_parameters},
    "tests/schema/abi.c": {"places": abi.c_test},
    "tests/schema/host.cpp": {"options": hosts.cpp},
    "tests/schema/host.c": {"options": hosts.c_options, "report": hosts.c_report, "codes": hosts.c_codes},
    "tests/schema/host.f90": {"abi": hosts.fortran_abi, "options": hosts.fortran_options, "report": hosts.fortran_report,
                              "codes": hosts.fortran_codes},
}
WHOLE = {"amr_adapter/python/gravlet/_schema.py": python.module}
MARKS = re.compile(r"^(?P<open>[ \t]*\S{1,4} \[generated: (?P<name>\w+)\][^\n]*\n)(?P<old>.*?)"
                   r"(?P<close>^[ \t]*\S{1,4} \[/generated\])", re.S | re.M)


def regenerated(path, writers, schema):
    """A file's text with its regions as they are to be."""
    text = (ROOT / path).read_text(encoding="utf-8")
    seen = []

    def fresh(match):
        seen.append(match["name"])
        if match["name"] not in writers:
            raise SchemaError(f"{path}: nothing writes [generated: {match['name']}]")
        return match["open"] + "".join(f"{line}\n" for line in writers[match["name"]](schema)) + match["close"]

    text = MARKS.sub(fresh, text)
    if sorted(seen) != sorted(writers):
        raise SchemaError(f"{path}: has the regions {', '.join(seen) or '-'}, wanted {', '.join(writers)}, each once")
    return text


def main():
    parser = argparse.ArgumentParser(prog="scripts/generate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--extend-abi", action="store_true")
    asked = parser.parse_args()
    schema = Schema()
    places = abi.check(schema, asked.extend_abi)
    if asked.extend_abi:
        abi.FILE.write_text(places, encoding="utf-8")
    files = {abi.FILE.relative_to(ROOT).as_posix(): places}
    files |= {path: regenerated(path, writers, schema) for path, writers in REGIONS.items()}
    files |= {path: writer(schema) for path, writer in WHOLE.items()}
    stale = 0
    for path, text in files.items():
        old = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).exists() else ""
        if old == text:
            continue
        stale += 1
        if asked.check:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), path, f"{path}, by the schema"))
        else:
            (ROOT / path).write_text(text, encoding="utf-8")
            print(path)
    if asked.check and stale:
        sys.exit(f"{stale} file(s) are not what api/schema says: scripts/generate")


def run():
    try:
        main()
    except SchemaError as error:
        sys.exit(f"scripts/generate: {error}")
