# SPDX-License-Identifier: Apache-2.0
"""The schema (api/schema/*.toml) as Python has it, checked: what the writers of each language read."""

import functools
import pathlib
import re
import tomllib
from dataclasses import dataclass, field

FOLDER = pathlib.Path(__file__).parents[1]
ORDERS = FOLDER.parents[1] / "physics/orders.hpp"
NUMBERS = ("number", "integer", "integer64", "unsigned64")
CPP_WORDS = {"auto": "automatic", "double": "double_"}  # that C++ could not have as names


class SchemaError(Exception):
    """What is wrong with the schema, for whoever edits it."""


@functools.cache
def highest_orders():
    """The last number of each list of physics/orders.hpp, by the name that it has there."""
    lists = re.findall(r"std::array (\w*)orders = \{.*?(\d+)\};", ORDERS.read_text(encoding="utf-8"))
    return {f"max_{kind}order": int(last) for kind, last in lists}


@dataclass
class Enum:
    name: str
    words: list
    constants: str
    doc: str

    def cpp(self, word):
        return CPP_WORDS.get(word, word)

    def constant(self, word):
        """Name in C and Fortran."""
        return "_".join(part for part in ("GRAVLET", self.constants, self.cpp(word).rstrip("_").upper()) if part)

    @property
    def prefix(self):
        return f"GRAVLET_{self.constants}_..." if self.constants else " or ".join(self.constant(w) for w in self.words)


@dataclass(eq=False)
class Member:
    """An option, or a member of a struct. type: without its suffix [3], [] or ?."""

    name: str
    type: str
    default: object = None
    doc: str = None
    brief: str = None
    c: str = None
    help: str = None
    example: str = None
    range: list = None
    constants: list = None
    special: dict = field(default_factory=dict)
    flash: object = None
    flash_doc: str = None
    arguments: str = None
    returns: str = "void"
    summed: bool = False
    unit: str = None
    page: str = None
    suffix: str = ""

    def __post_init__(self):
        highest = highest_orders()
        if self.range and not self.constants and any(value in highest for value in self.range):
            self.range, self.constants = [highest.get(value, value) for value in self.range], self.range
        for text in ("doc", "brief", "c", "help", "flash_doc"):
            for name, order in highest.items():
                setattr(self, text, getattr(self, text) and getattr(self, text).replace(f"{{{name}}}", str(order)))
        for suffix in ("[3]", "[]", "?"):
            if self.type.endswith(suffix):
                self.type, self.suffix = self.type.removesuffix(suffix), suffix
        self.special = {float(value): meaning for value, meaning in self.special.items()}

    @property
    def is_list(self):
        return self.suffix == "[]"

    @property
    def automatic(self):
        """The number that stands for auto, or None."""
        return next((value for value, meaning in self.special.items() if meaning == "auto"), None)

    @property
    def parameter(self):
        """FLASH's name of an option."""
        return "grv_gravlet" + "".join(part[0].upper() + part[1:] for part in self.name.split("_"))


@dataclass
class Struct:
    name: str
    doc: str
    members: list
    c_doc: str = None

    @property
    def c_name(self):
        """gravlet_error_statistics of ErrorStatistics."""
        return "gravlet_" + "".join("_" * (i > 0 and c.isupper()) + c.lower() for i, c in enumerate(self.name))


@dataclass
class Field:
    name: str
    components: list
    unit: dict
    doc: str

    @property
    def columns(self):
        return [f"{self.name}_{part}" if part else self.name for part in self.components]


@dataclass
class Error:
    name: str
    code: int
    doc: str
    help: str

    @property
    def constant(self):
        return "GRAVLET_" + self.name.upper()


class Schema:
    def __init__(self, folder=FOLDER):
        tables = {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
                  for name in ("options", "enums", "report", "results")}
        self.options = _each(Member, "option", tables["options"]["option"])
        self.enums = {e.name: e for e in _each(Enum, "enum", tables["enums"]["enum"])}
        self.errors = _each(Error, "error", tables["enums"]["error"])
        self.stages = tables["report"]["stages"]
        self.structs = _structs("struct", tables["report"]["struct"])
        self.fields = _each(Field, "field", tables["results"]["field"])
        self.lent = _structs("lent", tables["results"]["lent"])
        for struct in self.lent.values():
            struct.members = [one for m in struct.members for one in (self._of_fields() if m.type == "fields" else [m])]
        self._check()

    def _of_fields(self):
        return [Member(name=f.name, type="result", doc=f.doc, suffix=f"[{len(f.components)}]" if len(f.components) > 1 else "")
                for f in self.fields]

    def _check(self):
        for option in self.options:
            if option.type not in (*NUMBERS, "boolean", "box", "path", *self.enums):
                raise SchemaError(f"option {option.name}: no type {option.type}")
            if not option.help or not option.example:
                raise SchemaError(f"option {option.name}: help and example are wanted")
            if option.type in NUMBERS and (option.range is None or option.default is None):
                raise SchemaError(f"option {option.name}: range and default are wanted")
            if option.type in self.enums and option.default not in self.enums[option.type].words:
                raise SchemaError(f"option {option.name}: {option.default} is no word of {option.type}")
            if option.default == "auto" and option.type in NUMBERS and option.automatic is None:
                raise SchemaError(f"option {option.name}: no special value is auto")
        for struct in self.structs.values():
            for m in struct.members:
                if not (m.page or m.brief or m.doc):
                    raise SchemaError(f"{struct.name}.{m.name}: page, brief or doc is wanted")
                if m.type not in (*NUMBERS, "boolean", "text", *self.enums, *self.structs):
                    raise SchemaError(f"{struct.name}.{m.name}: no type {m.type}")
        for what, names in {"options": self.options, **{s.name: s.members for s in self.structs.values()}}.items():
            twice = {m.name for m in names if [n.name for n in names].count(m.name) > 1}
            if twice:
                raise SchemaError(f"{what}: {', '.join(sorted(twice))} twice")


def _each(kind, what, tables):
    out = []
    for table in tables:
        try:
            out.append(kind(**table))
        except TypeError as error:
            raise SchemaError(f"{what} {table.get('name')}: {error}") from None
    return out


def _structs(what, tables):
    made = {}
    for table in tables:
        members = [Member(**{"name": None, **m}) for m in table.pop("member")]
        made[table["name"]] = Struct(members=members, **table)
    return made


def plain(value):
    """A number as the library prints it: 0.1, 100, 1e-06."""
    return repr(value).removesuffix(".0")


def range_text(option, schema):
    """What option_list() says of an option's range."""
    if option.type in schema.enums:
        return ", ".join(schema.enums[option.type].words)
    if option.type not in NUMBERS:
        return {"boolean": "true, false", "box": "[[x, y, z], [x, y, z]], none", "path": ""}[option.type]
    low, *high = option.range
    text = f"{plain(low)} to {plain(high[0])}" if high else f"{plain(low)} or more"
    return ", ".join([text] + [m if m == "auto" else f"{plain(v)} ({m})" for v, m in option.special.items()])


def type_text(option, schema):
    if option.type in schema.enums:
        return "words" if option.suffix else "word"
    return option.type if option.type in ("number", "boolean", "box", "path") else "integer"


def default_text(option):
    if option.type == "box":
        return "none"
    if option.type == "path":
        return ""
    if isinstance(option.default, bool):
        return "true" if option.default else "false"
    return option.default if isinstance(option.default, str) else plain(option.default)
