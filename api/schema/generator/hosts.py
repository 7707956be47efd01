# SPDX-License-Identifier: Apache-2.0
"""tests/schema: hosts in C++, C and Fortran that set every option, and print every number of the report and every constant."""

import json

import abi
from text import listed


def _words(o):
    return o.example.strip("[]").split(", ")


def _scalars(o, schema, truth, text):
    """(member, index or None, value) of what an example is in C and Fortran."""
    for part in abi.parts_of(o, schema):
        if o.type == "box":
            corners = json.loads(o.example)
            if part.type == "boolean":
                yield part.name, None, truth[True]
            else:
                yield from ((part.name, i, repr(float(x))) for i, x in enumerate(corners[part.name.endswith("_upper")]))
        elif o.type in schema.enums:
            listed = [schema.enums[o.type].constant(w) for w in _words(o)]
            yield from ((part.name, i if o.suffix else None, w) for i, w in enumerate(listed))
        elif o.type == "boolean":
            yield part.name, None, truth[o.example == "true"]
        else:
            yield part.name, None, text(o.example) if o.type == "path" else o.example


def examples(schema):
    """Regions of tests/api/input/test_options.cpp: values as texts."""
    return [f'    {{"{o.name}", "{o.example}"}},' for o in schema.options]


def flash_parameters(schema):
    return [f"constexpr int flash_parameters = {sum(o.flash is not None for o in schema.options)};"]


def cpp(schema):
    out = []
    for o in schema.options:
        if o.type == "box":
            value = "Box" + o.example.replace("[", "{").replace("]", "}")
        elif o.type in schema.enums:
            listed = [f"{o.type}::{schema.enums[o.type].cpp(w)}" for w in _words(o)]
            value = "{" + ", ".join(listed) + "}" if o.suffix else listed[0]
        else:
            value = f'"{o.example}"' if o.type == "path" else o.example
        out.append(f"    options.{o.name} = {value};")
    return out


def c_options(schema):
    return [f"    options.{name}{'' if i is None else f'[{i}]'} = {value};" for o in schema.options
            for name, i, value in _scalars(o, schema, {True: "1", False: "0"}, '"{}"'.format)]


def leaves(struct, schema, prefix=""):
    """(path, expression, whether it is a real) of every number."""
    for m in struct.members:
        if m.type == "text" and not m.is_list:
            continue
        path = f"{prefix}{m.name}"
        if m.is_list:
            yield path, path, False
        elif m.type in schema.structs:
            yield from leaves(schema.structs[m.type], schema, f"{path}.")
        elif m.suffix == "[3]":
            yield from ((f"{path}[{i}]", f"{path}[{i}]", m.type == "number") for i in range(3))
        else:
            yield path, path, m.type == "number"


def c_report(schema):
    return [f'    {"number" if real else "whole"}(solve, "{path}", r.{at});'
            for path, at, real in leaves(schema.structs["Report"], schema)]


def _constants(schema):
    return [e.constant(word) for e in schema.enums.values() for word in e.words] + ["GRAVLET_AUTOMATIC"]


def c_codes(schema):
    return [*(f'    printf("code {e.name} %d\\n", (int){e.constant});' for e in schema.errors),
            *(f'    printf("constant {name} %d\\n", (int){name});' for name in _constants(schema))]


def fortran_options(schema):
    out = []
    for o in schema.options:
        for name, i, value in _scalars(o, schema, {True: ".true.", False: ".false."}, "'{}'".format):
            kind = "_c_double" if o.type in ("number", "box") and "true" not in value else \
                "_c_int64_t" if o.type in ("integer64", "unsigned64") else ""
            out.append(f"    options%{name}{'' if i is None else f'({i + 1})'} = {value}{kind}")
    return out


def _call(*arguments):
    return listed(arguments, "        call ", "            ", last=")", more=" &")


def fortran_report(schema):
    out = []
    for path, at, real in leaves(schema.structs["Report"], schema):
        at = at.replace(".", "%")
        for i in range(3):
            at = at.replace(f"[{i}]", f"({i + 1})")
        if path in [m.name for m in schema.structs["Report"].members if m.is_list]:
            at = f"size(r%{at})"
        else:
            at = f"r%{at}"
        out += _call("number(solve" if real else "whole(solve", f"'{path}'", at if real else f"int({at}, c_int64_t)")
    return out


def fortran_codes(schema):
    return [*(f"    print '(a,i0)', 'code {e.name} ', {e.constant}" for e in schema.errors),
            *(f"    print '(a,i0)', 'constant {name} ', {name}" for name in _constants(schema))]


def fortran_abi(schema):
    types = {"gravlet_options": "c_options", "gravlet_report": "c_report", "gravlet_stage_time": "c_stage_time",
             **{f"gravlet_{name}": f"c_{name}" for name in ("cells", "points", "fields", "probes", "listener", "option_info")}}
    out = ["    subroutine places()"]
    out += [f"        type({types.get(name, name)}), target :: {name[8:]}" for name in abi.names(schema)]
    out.append("")
    for name in abi.names(schema):
        at = name[8:]
        for member in abi.layout(name, schema):
            out += _call(f"place('{name} {member}'", f"c_loc({at})", f"c_loc({at}%{member})", f"c_sizeof({at}%{member})")
        out.append(f"        print '(a,i0)', 'length {name} ', c_sizeof({at})")
    return [*out, "    end subroutine"]
