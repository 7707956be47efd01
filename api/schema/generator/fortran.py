# SPDX-License-Identifier: Apache-2.0
"""Fortran: C's structs and constants in gravlet_c.f90, options in gravlet_settings.f90, the report in gravlet.f90."""

import abi
from c import comment_of
from text import WIDTH, listed, wrapped

C_TYPES = {"number": "real(c_double)", "integer": "integer(c_int32_t)", "boolean": "integer(c_int32_t)",
           "integer64": "integer(c_int64_t)", "unsigned64": "integer(c_int64_t)", "size": "integer(c_size_t)",
           "stride": "integer(c_intptr_t)", "function": "type(c_funptr)"}
TYPES = {**C_TYPES, "integer": "integer", "boolean": "logical"}
ZERO = {"real(c_double)": "0.0_c_double", "integer(c_int32_t)": "0_c_int32_t", "integer(c_int64_t)": "0_c_int64_t",
        "integer(c_size_t)": "0_c_size_t", "integer(c_intptr_t)": "0_c_intptr_t", "type(c_ptr)": "c_null_ptr", "type(c_funptr)": "c_null_funptr",
        "integer": "0"}
MORE = " &"


def c_type(part, schema):
    if part.type in schema.structs:
        return f"type({_type_name(part.type, schema)})"
    return "integer(c_int32_t)" if part.type in schema.enums else C_TYPES.get(part.type, "type(c_ptr)")


def _type_name(name, schema):
    """Structs that hosts see keep gravlet's name."""
    return schema.structs[name].c_name if name not in ("Report", "StageTime") else "c_" + schema.structs[name].c_name[8:]


def error_codes(schema):
    codes = [("    integer, parameter, public :: GRAVLET_SUCCESS = 0", "")]
    codes += [(f"    integer, parameter, public :: {e.constant} = {e.code}", e.doc) for e in schema.errors]
    column = max(len(code) for code, _ in codes)
    return [f"{code:{column}} ! {doc}".rstrip(" !") for code, doc in codes]


def constants(schema):
    out = []
    for e in schema.enums.values():
        out += listed([f"{e.constant(word)} = {i}" for i, word in enumerate(e.words)], "    integer, parameter, public :: ",
                      "        ", more=MORE)
    return [*out, "    integer, parameter, public :: GRAVLET_AUTOMATIC = -1"]


def _commented(code, comment):
    if not comment:
        return [code]
    if len(code) + len(comment) + 3 <= WIDTH:
        return [f"{code} ! {comment}"]
    return [*wrapped(comment, "    " + " " * (len(code) - len(code.lstrip()) - 4) + "! "), code]


def _shape(part):
    return f"({', '.join(str(n) for n in reversed(part.shape))})" if part.shape else ""


def c_struct(name, fortran, schema, filled=True):
    out = [f"    type, bind(C) :: {fortran}"]
    for member in abi.in_order(name, schema):
        for i, part in enumerate(abi.parts_of(member, schema)):
            kind = c_type(part, schema)
            zero = f" = {ZERO[kind]}" if filled and kind in ZERO else ""
            out += _commented(f"        {kind} :: {part.name}{_shape(part)}{zero}", part.doc or (i == 0 and comment_of(member, schema)))
    return [*out, "    end type"]


def c_structs(schema):
    out = []
    for s in [*schema.structs.values()]:
        out += [*(wrapped(s.c_doc, "    ! ")), *c_struct(s.c_name, _type_name(s.name, schema), schema), ""]
    for name in ("cells", "points", "fields", "probes", "listener", "option_info"):
        out += [*c_struct(f"gravlet_{name}", f"c_{name}", schema), ""]
    return [*out, *c_struct("gravlet_options", "c_options", schema, filled=False)]


def block(schema):
    return c_struct("gravlet_block", "gravlet_block", schema)


# ---- options


def _default(o, part, schema):
    """The library's default of an option, or of a part of one: a box is none."""
    if part.type in schema.enums:
        return schema.enums[part.type].constant(o.default or schema.enums[part.type].words[0])
    if part.type == "boolean":
        return ".true." if o.default is True else ".false."
    value = o.automatic if o.default == "auto" else o.default or 0
    if part.type == "number":
        return f"{float(value)}_c_double"
    return str(int(value)) + ("_c_int64_t" if part.type in ("integer64", "unsigned64") else "")


def options(schema):
    out = []
    for o in schema.options:
        if o.type == "path":
            text = o.c.replace("NULL", "not allocated or blank").replace("gravlet_create()", "create()")
            out += _commented(f"        character(len=:), allocatable :: {o.name}", text)
            continue
        for i, part in enumerate(abi.parts_of(o, schema)):
            comment = (part.doc or comment_of(o, schema)) if i == 0 else None
            kind, value = TYPES.get(part.type, "integer"), _default(o, part, schema)
            if comment and part.type == "boolean" and i == 0 and o.type == "box":
                comment = comment.replace("0: none", ".false.: none")
            out += _commented(f"        {kind} :: {part.name}{_shape(part)} = {value}", comment)
    return out


def from_c(schema):
    out = []
    for o in schema.options:
        for part in abi.parts_of(o, schema):
            value = {"boolean": f"c%{part.name} /= 0", "path": f"to_text(c%{part.name})", "integer": f"int(c%{part.name})"}
            kept = part.type in ("number", "integer64", "unsigned64")
            out.append(f"        options%{part.name} = " + (f"c%{part.name}" if kept else value.get(part.type, f"int(c%{part.name})")))
    return out


def to_c(schema):
    out, paths = [], [o.name for o in schema.options if o.type == "path"]
    for o in schema.options:
        for part in abi.parts_of(o, schema):
            mine = f"self%{part.name}"
            if part.type == "path":
                number = paths.index(o.name) + 1
                out += [f"        if (allocated({mine})) then", f"            paths({number})%text = to_c({mine})",
                        f"            c%{part.name} = c_loc(paths({number})%text)", "        end if"]
            elif part.type == "boolean":
                out.append(f"        c%{part.name} = merge(1_c_int32_t, 0_c_int32_t, {mine})")
            elif part.type in ("number", "integer64", "unsigned64"):
                out.append(f"        c%{part.name} = {mine}")
            else:
                out.append(f"        c%{part.name} = int({mine}, c_int32_t)")
    return out


def paths(schema):
    return [f"    integer, parameter :: path_count = {sum(o.type == 'path' for o in schema.options)}"]


# ---- the report, and what the module gravlet hands on


def report_type(schema):
    out = []
    for m in schema.structs["Report"].members:
        comment = comment_of(m, schema) if not m.is_list else m.brief
        if m.is_list and m.type == "text":
            code, comment = f"        character(len=512), allocatable :: {m.name}(:)", f"{m.brief} (gfortran 12 cannot copy deferred lengths)"
        elif m.is_list:
            code = f"        type(gravlet_stage_time), allocatable :: {m.name}(:)"
        elif m.type == "text":
            code = f"        character(len=:), allocatable :: {m.name}"
        elif m.type in schema.structs:
            code = f"        type({schema.structs[m.type].c_name}) :: {m.name}"
        else:
            kind = TYPES.get(m.type, "integer")
            code = f"        {kind} :: {m.name} = " + ("-1.0_c_double" if m.suffix == "?" else ZERO[kind])
        out += _commented(code, comment)
    return out


def report_copy(schema):
    out = []
    for m in schema.structs["Report"].members:
        if m.is_list or m.type == "text":
            continue
        plain = m.type in schema.structs or m.type in ("number", "integer64", "unsigned64")
        out.append(f"        report%{m.name} = " + (f"c%{m.name}" if plain else f"int(c%{m.name})"))
    return out


def public(schema):
    names = ["GRAVLET_SUCCESS", *(e.constant for e in schema.errors)]
    names += [e.constant(word) for e in schema.enums.values() for word in e.words] + ["GRAVLET_AUTOMATIC"]
    return listed(names, "    public :: ", "        ", more=MORE)


def use_codes(schema):
    return listed(["GRAVLET_SUCCESS", *(e.constant for e in schema.errors)], "    use gravlet_c, only: ", "        ", more=MORE)


def result_names(schema):
    columns = [c for f in schema.fields for c in f.columns] + [f"face_acceleration_{axis}" for axis in "xyz"]
    longest = max(map(len, columns))
    out = [f"    character(len=*), parameter :: names_of_results({len(columns)}) = &"]
    return out + listed([f"character(len={longest}) :: '{columns[0]}'", *(f"'{c}'" for c in columns[1:])], "        [", "        ",
                        more=MORE, last="]")


def points_results(schema):
    return [f"        real(REAL_KIND), pointer :: {c}(:) => null()" + (f" ! {f.doc}" if i == 0 else "")
            for f in schema.fields for i, c in enumerate(f.columns)]
