# SPDX-License-Identifier: Apache-2.0
"""C++: options.hpp, report.hpp, error.hpp, members.hpp, the library's own table of options."""

from model import NUMBERS, plain
from text import aligned, wrapped

TYPES = {"number": "double", "integer": "int", "integer64": "std::int64_t", "unsigned64": "std::uint64_t", "boolean": "bool",
         "text": "std::string", "path": "std::string"}


def type_of(member):
    if member.type == "box":
        return "std::optional<Box>"
    base = TYPES.get(member.type, member.type)
    return {"[3]": f"std::array<{base}, 3>", "[]": f"std::vector<{base}>", "?": f"std::optional<{base}>", "": base}[member.suffix]


def default_of(member, schema):
    if member.suffix or member.type in ("box", "path"):
        return "{}"
    if member.type in schema.enums:
        enum = schema.enums[member.type]
        return f" = {enum.name}::{enum.cpp(member.default or enum.words[0])}"
    if member.type == "boolean":
        return " = true" if member.default else " = false"
    if member.type == "number" or member.type in NUMBERS:
        return f" = {number(member.default or 0, member)}"
    return ""


def number(value, member):
    """A number of the schema in C++."""
    if value == "auto":
        value = member.automatic
    if value == -1 and member.automatic == -1:
        return "automatic"
    if isinstance(value, str):
        return value  # a constant
    return repr(float(value)) if member.type == "number" else plain(int(value))


def rows_of(members, schema):
    rows = []
    for m in members:
        doc = m.doc if m.doc is not None else None if m.brief else m.help
        rows.append((f"    {type_of(m)} {m.name}{default_of(m, schema)};", m.brief, wrapped(doc, "    /// ") if doc else []))
    return aligned(rows)


def enums(schema):
    out = []
    for e in schema.enums.values():
        out += [*wrapped(e.doc, "/// "), f"enum class {e.name} {{ {', '.join(map(e.cpp, e.words))} }};", ""]
    return out[:-1]


def options(schema):
    return rows_of(schema.options, schema)


def to_string(schema):
    return [f"[[nodiscard]] GRAVLET_API std::string to_string({name} value);" for name in schema.enums]


def error_codes(schema):
    return aligned([(f"    {e.name} = {e.code},", e.doc, []) for e in schema.errors])


def error_names(schema):
    return [*(f'    if (code == ErrorCode::{e.name}) return "{e.name}";' for e in schema.errors), '    return "";']


def structs(schema):
    out = []
    for s in schema.structs.values():
        out += [*wrapped(s.doc, "/// "), f"struct {s.name} {{", *rows_of(s.members, schema), "};", ""]
    return out[:-1]


def members(schema):
    """Visitors: for_each_member of every struct."""
    out = []
    for name, visited in [("Options", schema.options), *((s.name, s.members) for s in schema.structs.values())]:
        out += ["template <>", f"struct Members<{name}> {{", "    template <class S, class F>",
                "    static void visit(S& s, F& f) {", *(f'        f("{m.name}", s.{m.name});' for m in visited), "    }", "};", ""]
    return out[:-1]


def rank_sums(schema):
    summed = [m.name for m in schema.structs["Report"].members if m.summed]
    return ["struct RankSums {", *(f"    std::int64_t {name} = 0;" for name in summed), "};",
            "template <class Sums, class Rep, class F>", "void for_rank_sums(Sums& sums, Rep& report, F f) {",
            *(f"    f(sums.{name}, report.{name});" for name in summed), "}"]


def words(schema):
    return [line for e in schema.enums.values() for line in
            ("template <>", f"inline constexpr std::array words_for<{e.name}> = {{{', '.join(_quoted(e.words))}}};")]


def member_types(schema):
    kinds = dict.fromkeys("Path" if o.type == "path" else f"{type_of(o)} Options::*" for o in schema.options)
    return ["// clang-format off", "using Member = std::variant<", *(f"    {kind}," for kind in list(kinds)[:-1]),
            f"    {list(kinds)[-1]}>;", "// clang-format on"]


def option_table(schema):
    out = ["// clang-format off", "inline constexpr auto option_table = std::to_array<OptionEntry>({"]
    for o in schema.options:
        member = f"Path{{&Options::{o.name}}}" if o.type == "path" else f"&Options::{o.name}"
        out += [f'    {{"{o.name}", {member}, {_range(o)},', f"     {_quoted([o.help])[0]}}},"]
    out += ["});", "// clang-format on"]
    for o in schema.options:
        out += [f"static_assert({constant} == {number(value, o)});"
                for value, constant in zip(o.range or [], o.constants or []) if isinstance(constant, str)]
    return out


def _range(o):
    if not o.range:
        return "{}"
    parts = [number(value, o) for value in o.constants or o.range]
    if o.special:
        listed = [f'{{{number(value, o) if value == o.automatic else repr(value)}, "{text}"}}' for value, text in o.special.items()]
        parts.append("{{" + ", ".join(listed) + "}}")
    return "{" + ", ".join(parts) + "}"


def word_functions(schema):
    return [f"std::string to_string({name} value) {{ return word_for(value); }}" for name in schema.enums]


def _quoted(texts):
    return ['"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts]
