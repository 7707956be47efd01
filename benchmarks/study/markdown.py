# SPDX-License-Identifier: Apache-2.0
"""Tables of rows of numbers, words, or None where there is nothing, as Markdown."""


def shown(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return three_digits(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def three_digits(value):
    """0.0123, 12.3, 1,230, 1.23e8, 1.23e-5."""
    if value and not 1e-3 <= abs(value) < 99950:
        digits, power = f"{value:.2e}".split("e")
        return f"{float(digits):g}e{int(power)}"
    return f"{float(f'{value:.3g}'):,g}" if abs(value) < 1000 else f"{round(float(f'{value:.3g}')):,}"


def head(columns):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]


def line(row):
    return "| " + " | ".join(shown(value) for value in row) + " |"


def machine(content):
    threads = content["threads"]
    return content["device"] or f"{content['processor']}, {threads} thread{'s' if threads != 1 else ''}"


def source(content):
    """Where and when a study's tables were made, in a line."""
    return f"{machine(content)}, {content['date'][:10]}, gravlet {content['commit']}, `{content['command']}`"
