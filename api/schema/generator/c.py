# SPDX-License-Identifier: Apache-2.0
"""C: the constants and structs of gravlet.h in the order of abi.txt, and what C's and C++'s members have to do with each other."""

import abi
from text import WIDTH, listed, wrapped

TYPES = {"number": "double", "integer": "int32_t", "boolean": "int32_t", "integer64": "int64_t", "unsigned64": "uint64_t",
         "size": "size_t", "text": "const char *", "path": "const char *", "flags": "const uint8_t *", "stride": "ptrdiff_t",
         "pointer": "void *"}


def type_of(part, schema):
    if part.type in schema.enums:
        return "int32_t"
    return schema.structs[part.type].c_name if part.type in schema.structs else TYPES[part.type]


def constants(schema):
    out = ["typedef enum gravlet_error {", "    GRAVLET_SUCCESS = 0,"]
    codes = [(f"    {e.constant} = {e.code}{',' if e is not schema.errors[-1] else ''}", e.doc) for e in schema.errors]
    column = max(len(code) for code, _ in codes)
    out += [f"{code:{column}} /* {doc} */" for code, doc in codes] + ["} gravlet_error;", ""]
    for e in schema.enums.values():
        out += listed([f"{e.constant(word)} = {i}" for i, word in enumerate(e.words)], "enum { ", "       ", last=" };")
    return [*out, "enum { GRAVLET_AUTOMATIC = -1 };"]


def comment_of(member, schema):
    """What C and Fortran say of an option or a member, or ''."""
    text = member.c or member.help or member.brief or member.doc or ""
    text = " ".join(text.replace("Options::", "").replace("Block::", "").split())
    if member.is_list:
        text = "how many there are"
    if member.type in schema.enums:
        text = f"{text}{'' if text.endswith('.') or not text else ':'} {schema.enums[member.type].prefix}".strip()
    if member.automatic == -1:
        text += " GRAVLET_AUTOMATIC: auto."
    elif member.automatic is not None:
        text += f" {member.automatic:.0f}: auto."
    if member.type == "number" and member.suffix == "?":
        text += " -1: not given."
    return text


def _line(code, comment):
    if not comment:
        return [code]
    if len(code) + len(comment) + 7 <= WIDTH:
        return [f"{code} /* {comment} */"]
    lines = wrapped(comment, "       ")
    lines[0] = "    /* " + lines[0].lstrip()
    return [*lines[:-1], lines[-1] + " */", code]


def struct(name, doc, schema):
    """Members in the order of abi.txt."""
    lines = wrapped(doc, " * ")
    lines[0] = "/* " + lines[0][3:]
    out = [*lines[:-1], lines[-1] + " */", f"typedef struct {name} {{"]
    for member in abi.in_order(name, schema):
        for i, part in enumerate(abi.parts_of(member, schema)):
            if member.type == "input":
                code = f"    GRAVLET_INPUT({part.name});"
            elif member.type == "result":
                code = f"    GRAVLET_RESULTS({part.name}, {part.count});" if part.count > 1 else f"    GRAVLET_RESULT({part.name});"
            elif member.type == "function":
                code = f"    {part.returns} (*{part.name})({part.arguments});"
            else:
                kind = type_of(part, schema)
                code = f"    {kind}{'' if kind.endswith('*') else ' '}{part.name}{''.join(f'[{n}]' for n in part.shape)};"
            out += _line(code, (part.doc or comment_of(member, schema)) if i == 0 else part.doc)
    return [*out, f"}} {name};"]


def options(schema):
    return struct("gravlet_options", "Options (options.hpp), equal on every rank. Always begin with gravlet_options_init().", schema)


def report(schema):
    out = []
    for s in schema.structs.values():
        out += [*struct(s.c_name, s.c_doc, schema), ""]
    return out[:-1]


def _lent(schema, names):
    out = []
    for name in names:
        out += [*struct(f"gravlet_{name}", schema.lent[name].doc, schema), ""]
    return out[:-1]


def lent(schema):
    return _lent(schema, [name for name in schema.lent if name not in ("listener", "option_info")])


def listener(schema):
    return _lent(schema, ["listener"])


def option_info(schema):
    return _lent(schema, ["option_info"])


def pairs(schema):
    """amr_adapter/c/members.hpp: C's member beside that of C++."""
    out = ["template <class C, class Cpp, class F>", "void for_each_option(C& c, Cpp& cpp, F f) {"]
    for o in schema.options:
        ours = f"BoxMembers{{c.has_{o.name}, c.{o.name}_lower, c.{o.name}_upper}}" if o.type == "box" else f"c.{o.name}"
        out.append(f'    f("{o.name}", {ours}, cpp.{o.name});')
    out.append("}")
    for s in schema.structs.values():
        if s.name != "StageTime":  # whose name is a pointer to the report's
            out += ["", "template <class F>", f"void for_each_member({s.c_name}& c, const {s.name}& cpp, F f) {{",
                    *(f"    f(c.{m.name}, cpp.{m.name});" for m in s.members if m.type != "text" or m.is_list), "}"]
    return out
