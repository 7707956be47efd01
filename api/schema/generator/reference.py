# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/reference: options.md, report.md, errors.md."""

import c
import cpp
import fortran
import python
from model import default_text, range_text, type_text

# Types of the report as its tables name them. Structs: where their own table is.
WORDS = {"integer64": "integer, 64 bits", "StageTime": "[stages](#a-stage)", "ErrorStatistics": "[errors](#sampled-errors)",
         "ToleranceReport": "[tolerance](#a-tolerance)"}
SUFFIXES = {"[3]": "three {}s", "[]": "list of {}s", "?": "{}, or none", "": "{}"}


def coded(text):
    return f"`{text}`" if text else ""


def _cell(text):
    return " ".join(text.split()).replace("|", r"\|")


def options(schema):
    rows = ["| option | type | values | default | |", "|---|---|---|---|---|"]
    return rows + [f"| `{o.name}` | {type_text(o, schema)} | {coded(range_text(o, schema))} | {coded(default_text(o))} | {o.help} |"
                   for o in schema.options]


def words(schema):
    rows = ["| words | C++ | C, Fortran |", "|---|---|---|"]
    return rows + [f"| {', '.join(coded(w) for w in e.words)} | `{e.name}::" + f"{e.cpp(e.words[0])}`, ... | "
                   + ", ".join(coded(e.constant(w)) for w in e.words) + " |" for e in schema.enums.values()]


# ---- the report


def _type_words(m, schema):
    if m.type in schema.enums:
        return "word"
    if m.type in schema.structs and m.is_list:
        return WORDS[m.type]
    return SUFFIXES[m.suffix].format(WORDS.get(m.type, m.type))


def _members(name, schema):
    rows = ["| name | type | unit | meaning |", "|---|---|---|---|"]
    return rows + [f"| `{m.name}` | {_type_words(m, schema)} | {m.unit or ''} | {_cell(m.page or m.brief or m.doc or '')} |"
                   for m in schema.structs[name].members]


def report(schema):
    return _members("Report", schema)


def stage_time(schema):
    return _members("StageTime", schema)


def error_statistics(schema):
    return _members("ErrorStatistics", schema)


def tolerance_report(schema):
    return _members("ToleranceReport", schema)


def stages(schema):
    return [", ".join(coded(stage) for stage in schema.stages) + "."]


def types(schema):
    """What each type of the report is in each language."""
    kinds, top = {}, schema.structs["Report"]
    for m in (m for s in [top, *schema.structs.values()] for m in s.members):
        kinds.setdefault(_type_words(m, schema), m)
    rows = ["| type | C++ | C | Fortran | Python |", "|---|---|---|---|---|"]
    return rows + [f"| {said} | `{cpp.type_of(m)}` | {_in_c(m, schema)} | {_in_fortran(m, m in top.members, schema)} | "
                   f"{_in_python(m, schema)} |" for said, m in sorted(kinds.items(), key=lambda kind: len(kind[1].suffix))]


def _in_c(m, schema):
    if m.type == "text" or m.is_list:
        getter = coded(f"gravlet_get_{m.name.removesuffix('s')}()")
        return f"how many; {getter}" if m.is_list else getter
    kind = coded(c.type_of(m, schema) + ("[3]" if m.suffix == "[3]" else ""))
    return kind + {"number": "; none: -1", "ErrorStatistics": "; none: `samples` is 0",
                   "ToleranceReport": "; none: `asked` is 0"}.get(m.type, "") if m.suffix == "?" else kind


def _in_fortran(m, at_top, schema):
    """What it is in the report; in structs within it, which are C's, what has no place `at_top`."""
    if m.type in schema.structs:
        kind = f"type({schema.structs[m.type].c_name})"
    else:
        kind = "character" if m.type == "text" else (fortran.TYPES if at_top else fortran.C_TYPES).get(m.type, "integer")
    none = "; none: as in C" if m.suffix == "?" else ""
    return coded(kind + {"[3]": ", dimension(3)", "[]": ", dimension(:)"}.get(m.suffix, "")) + none


def _in_python(m, schema):
    kind = python.TYPES.get(m.type, "str" if m.type in schema.enums else "dict")
    if m.is_list:
        return f"list of `{kind}`" if m.type == "text" else f"`{kind}` by name"
    return f"`({kind}, {kind}, {kind})`" if m.suffix == "[3]" else f"`{kind}`" + ("; none: `None`" if m.suffix == "?" else "")


# ---- errors


def error_names(schema):
    rows = ["| C++ | C, Fortran | number | Python |", "|---|---|---|---|"]
    return rows + [f"| `ErrorCode::{e.name}` | `{e.constant}` | {e.code} | `\"{e.name}\"` |" for e in schema.errors]


def errors(schema):
    rows = ["| error | what it means | what to do |", "|---|---|---|"]
    return rows + [f"| `{e.name}` | {_cell(e.doc)} | {_cell(e.help)} |" for e in schema.errors]
