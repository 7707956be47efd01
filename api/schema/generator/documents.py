# SPDX-License-Identifier: Apache-2.0
"""docs/hosts.md, and FLASH's Config and the reading of its parameters."""

from model import plain, range_text, type_text
from reference import coded


def fields(schema):
    rows = ["| field | components | unit | |", "|---|---|---|---|"]
    for f in schema.fields:
        over = [f"{name}^{-power}" if power < -1 else name for name, power in f.unit.items() if power < 0]
        unit = " ".join(name for name, power in f.unit.items() if power > 0) + "".join(f" / {part}" for part in over)
        rows.append(f"| `{f.name}` | {', '.join(coded(c) for c in f.components)} | {unit} | {f.doc} |")
    return rows


# ---- FLASH

FLASH_TYPES = {"number": "REAL", "integer": "INTEGER", "boolean": "BOOLEAN", "word": "STRING", "path": "STRING"}


def _flash_default(o):
    value = o.default if o.flash is True else o.flash
    if o.type == "path":
        return '"none"'
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if o.type == "number":
        return repr(float(o.automatic if value == "auto" else value))
    if isinstance(value, str) and value == "auto" and o.automatic is not None:
        return plain(int(o.automatic))
    return f'"{value}"' if isinstance(value, str) else str(value)


def flash_config(schema):
    out = []
    for o in (o for o in schema.options if o.flash is not None):
        out += [f"D {o.parameter} {o.help} {range_text(o, schema)}".rstrip(),
                f"PARAMETER {o.parameter} {FLASH_TYPES[type_text(o, schema)]} {_flash_default(o)}"]
    return out


def flash_parameters(schema):
    rows = ["| parameter | default | meaning |", "|---|---|---|"]
    for o in (o for o in schema.options if o.flash is not None):
        default = {"TRUE": ".true.", "FALSE": ".false."}.get(_flash_default(o), _flash_default(o))
        said = range_text(o, schema) if not o.flash_doc else ""
        rows.append(f"| `{o.parameter}` | {default} | {o.flash_doc or o.help}{f' `{said}`' if said else ''} |")
    return rows


def flash_init(schema):
    out = []
    for o in (o for o in schema.options if o.flash is not None):
        if o.type in schema.enums:
            out.append(f'  call setWord("{o.name}", "{o.parameter}")')
        elif o.type == "path":
            out += [f'  call RuntimeParameters_get("{o.parameter}", path)', f'  if (path /= "none") options%{o.name} = trim(path)']
        elif o.type in ("integer64", "unsigned64"):
            out += [f'  call RuntimeParameters_get("{o.parameter}", number)', f"  options%{o.name} = number"]
        else:
            out.append(f'  call RuntimeParameters_get("{o.parameter}", options%{o.name})')
    return out
