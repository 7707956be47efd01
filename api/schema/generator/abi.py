# SPDX-License-Identifier: Apache-2.0
"""The binary interface: where each member of C's structs is (api/schema/abi.txt). What is there stays there, and new members go to
the ends. Of 64-bit machines, where a pointer and a size are 8 bytes long."""

import re
from dataclasses import dataclass, field

from model import FOLDER, Member, SchemaError

FILE = FOLDER / "abi.txt"
SIZES = {"number": 8, "integer": 4, "boolean": 4, "integer64": 8, "unsigned64": 8, "size": 8, "text": 8, "path": 8, "input": 8,
         "result": 8, "flags": 8, "stride": 8, "pointer": 8, "function": 8}
HEAD = """\
# Where the members of gravlet.h's structs are, in bytes: struct, member, offset, size. Members keep their places; new ones
# are put at the ends by scripts/generate --extend-abi. Written by it, and held against compilers by tests/schema.
"""


@dataclass
class Part:
    """One member of a C struct: options and members of reports may be none, one or more of them."""

    name: str
    type: str
    shape: list = field(default_factory=list)
    doc: str = None
    arguments: str = None
    returns: str = "void"

    @property
    def count(self):
        count = 1
        for n in self.shape:
            count *= n
        return count


def parts_of(member, schema):
    """What a member is in C."""
    if member.type == "box":
        return [Part(f"has_{member.name}", "boolean", doc=f"0: none. {member.help}"),
                Part(f"{member.name}_lower", "number", [3]), Part(f"{member.name}_upper", "number", [3])]
    if member.is_list:
        return [Part(member.name, "integer")]
    shape = [int(n) for n in re.findall(r"\d+", member.suffix)]
    if member.type == "stride":
        shape = [*shape, 3]
    return [Part(member.name, member.type, shape, arguments=member.arguments, returns=member.returns)]


def members_of(name, schema):
    """Layouts by schema; the strings of reports have functions of their own."""
    setter = {"gravlet_options": "gravlet_options_init()", "gravlet_report": "gravlet_get_report()"}
    size = Member("size", "size", c=f"of this struct, set by {setter.get(name)}")
    if name == "gravlet_options":
        return [size, *schema.options]
    for s in schema.structs.values():
        if s.c_name == name:
            texts = s.name == "StageTime"
            return [size] * (s.name == "Report") + [m for m in s.members if texts or m.type != "text" or m.is_list]
    return schema.lent[name.removeprefix("gravlet_")].members


def names(schema):
    return ["gravlet_options", *(s.c_name for s in schema.structs.values()), *(f"gravlet_{name}" for name in schema.lent)]


def recorded():
    """{struct: {member: (offset, size)}} of abi.txt, in its order."""
    out = {}
    for line in FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []:
        if line and not line.startswith("#"):
            struct, member, offset, size = line.split()
            out.setdefault(struct, {})[member] = (int(offset), int(size))
    return out


def in_order(name, schema):
    """Members as abi.txt has them, those that it does not have at the end."""
    order = list(recorded().get(name, {}))

    def place(member):
        return min((order.index(part.name) for part in parts_of(member, schema) if part.name in order), default=len(order))

    return sorted(members_of(name, schema), key=place)


def _measure(part, schema):
    """Alignment and size."""
    if part.type in schema.structs:
        inner = layout(schema.structs[part.type].c_name, schema)
        return 8, max(offset + size for offset, size in inner.values()) + 7 & ~7
    size = 4 if part.type in schema.enums else SIZES[part.type]
    return size, size * part.count


def layout(name, schema):
    """{member: (offset, size)} as compilers make it."""
    out, at = {}, 0
    for member in in_order(name, schema):
        for part in parts_of(member, schema):
            alignment, size = _measure(part, schema)
            at = (at + alignment - 1) // alignment * alignment
            out[part.name] = (at, size)
            at += size
    return out


def size_of(name, schema):
    return max(offset + size for offset, size in layout(name, schema).values()) + 7 & ~7


def check(schema, extend):
    """abi.txt as it is to be; raises where a member has lost its place, or is new without `extend`."""
    known, out = recorded(), [HEAD]
    for gone in known.keys() - set(names(schema)):
        raise SchemaError(f"abi.txt has the struct {gone}, which the schema lacks")
    for name in names(schema):
        now, before = layout(name, schema), known.get(name, {})
        for member, place in before.items():
            if member not in now:
                raise SchemaError(f"{name} has lost {member}: programs that are compiled have it at {place[0]}")
            if now[member] != place:
                raise SchemaError(f"{name}.{member} was {place[1]} bytes at {place[0]}, and would be {now[member][1]} at {now[member][0]}")
        new = [m for m in now if m not in before]
        if new and not extend:
            raise SchemaError(f"{name} has new members, {', '.join(new)}: scripts/generate --extend-abi puts them at its end")
        out += [f"{name} {member} {offset} {size}\n" for member, (offset, size) in now.items()]
    return "".join(out)


def c_test(schema):
    """tests/schema/abi.c"""
    out = []
    for name in names(schema):
        for member, (offset, size) in recorded().get(name, {}).items():
            out.append(f"PLACE({name}, {member}, {offset}, {size});")
        out.append(f"LENGTH({name}, {size_of(name, schema)});")
    return out
