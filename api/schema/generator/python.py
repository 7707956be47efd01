# SPDX-License-Identifier: Apache-2.0
"""The Python package's own table, gravlet/_schema.py: fields, error codes, and types of options and of the report."""

from model import default_text, range_text
from text import listed, wrapped

TYPES = {"number": "float", "integer": "int", "integer64": "int", "unsigned64": "int", "boolean": "bool", "text": "str",
         "path": "str", "box": "Box"}
HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
"""Written by scripts/generate from api/schema: result fields, error codes, and the types of options and reports."""

from typing import Dict, List, Literal, Optional, Sequence, Tuple, TypedDict, Union

Box = Tuple[Sequence[float], Sequence[float]]  # lower and upper corner
'''


def _words(enum):
    return "Literal[" + ", ".join(f'"{word}"' for word in enum.words) + "]"


def _option_type(o, schema):
    if o.type in schema.enums:
        return f"Union[{o.type}, Sequence[{o.type}]]" if o.suffix else o.type
    return f'Union[{TYPES[o.type]}, Literal["auto"]]' if o.automatic is not None else TYPES[o.type]


def _member_type(m, schema):
    base = TYPES.get(m.type, m.type)
    if m.type == "StageTime":
        return "Dict[str, StageTime]"  # by name
    return {"[3]": f"Tuple[{base}, {base}, {base}]", "[]": f"List[{base}]", "?": f"Optional[{base}]", "": base}[m.suffix]


def module(schema):
    out = [HEAD]
    out.append("# How many arrays a field has: (n,) or (components, n).")
    out.append("FIELDS = {" + ", ".join(f'"{f.name}": {len(f.components)}' for f in schema.fields) + "}")
    out += listed([f'"{e.name}"' for e in schema.errors], "ERRORS = (", "          ", last=")")
    out += listed([f'"{s}"' for s in schema.stages], "STAGES = (", "          ", last=")") + [""]
    out += [f"{e.name} = {_words(e)}" for e in schema.enums.values()]
    out += ["", "", "class Options(TypedDict, total=False):", '    """Keywords of Solver and of the one-shot calls."""', ""]
    for o in schema.options:
        said = ", ".join(part for part in (range_text(o, schema), f"default {default_text(o)}" if default_text(o) else "") if part)
        out += [*wrapped(f"{o.help} ({said})" if said else o.help, "    # "), f"    {o.name}: {_option_type(o, schema)}"]
    for s in schema.structs.values():
        out += ["", "", f"class {s.name}(TypedDict):", f'    """{(s.c_doc or s.doc).replace(" (report.hpp)", "")}"""', ""]
        for m in s.members:
            if s.name == "StageTime" and m.name == "name":
                continue
            said = m.brief or m.doc
            out += [*(wrapped(" ".join(said.split()), "    # ") if said else []), f"    {m.name}: {_member_type(m, schema)}"]
    return "\n".join(out) + "\n"
