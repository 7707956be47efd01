# SPDX-License-Identifier: Apache-2.0
"""Lines of code and comments, laid out as clang-format 14 would."""

import textwrap

WIDTH = 130


def wrapped(text, begin, width=WIDTH):
    """A comment as lines that begin so; after an empty line of the text there is a new one."""
    out = []
    for part in text.strip().split("\n\n"):
        out += textwrap.wrap(" ".join(part.split()), width - len(begin), break_long_words=False, break_on_hyphens=False)
    return [f"{begin}{line}".rstrip() for line in out]


def listed(names, begin, follow, width=WIDTH, last="", more=""):
    """Names with commas between, in lines no longer than width; lines but the last end with `more`."""
    lines = [begin]
    for i, name in enumerate(names):
        word = name + ("," if i + 1 < len(names) else last)
        room = width - (len(more) if i + 1 < len(names) else 0)
        if len(lines[-1]) + len(word) + 1 > room and lines[-1].strip():
            lines[-1] = lines[-1].rstrip() + more
            lines.append(follow)
        lines[-1] += word + (" " if i + 1 < len(names) else "")
    return [line.rstrip() for line in lines]


def aligned(rows, mark="  ///< "):
    """Rows of (code, comment or None, lines above): comments of neighbours stand under each other as long as they fit."""
    out, run = [], []

    def flush():
        column = max((len(code) for code, _ in run), default=0)
        out.extend(f"{code:{column}}{mark}{comment}" for code, comment in run)
        run.clear()

    for code, comment, above in rows:
        if comment and len(code) + len(mark) + len(comment) > WIDTH:
            above = wrapped(comment, code[: len(code) - len(code.lstrip())] + mark.strip().rstrip("<") + " ")
            comment = None
        if above or not comment:
            flush()
        out.extend(above)
        if not comment:
            out.append(code)
            continue
        longest = max([len(code)] + [len(c) for c, _ in run])
        if any(longest + len(mark) + len(text) > WIDTH for _, text in [*run, (code, comment)]):
            flush()
        run.append((code, comment))
    flush()
    return out
