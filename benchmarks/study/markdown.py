# SPDX-License-Identifier: Apache-2.0
"""Tables of rows of numbers, words, or None where there is nothing, as Markdown."""


def shown(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def head(columns):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]


def line(row):
    return "| " + " | ".join(shown(value) for value in row) + " |"


def source(content):
    """Where and when a study's tables were made, in a line."""
    where = content["device"] or f"{content['processor']}, {content['threads']} thread{'s' if content['threads'] != 1 else ''}"
    return f"{where}, {content['date'][:10]}, gravlet {content['commit']}, `{content['command']}`"
