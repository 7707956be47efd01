# SPDX-License-Identifier: Apache-2.0
"""guide.py ROOT [--list]: the pages of docs/guide say what runs, and are short.

Each code block is an excerpt of a committed file that is built or run by a test; each command of a block of shell has a program
that is there, and options of CMake that there are. Links lead to files and headings. At most 12 pages, of at most 900 words beside
code blocks, whose sentences have at most 30 words in the mean. --list prints these numbers, and those of all pages of docs; the links of
all of them, and of README.md, are looked at too. docs/performance.md and docs/accuracy.md have at most 700 words beside their data's tables.
"""

import os
import pathlib
import re
import shlex
import shutil
import sys
import textwrap

PAGES, WORDS, MEAN = 12, 900, 30.0
FIGURES = {"performance.md": 700, "accuracy.md": 700}  # pages of docs, words beside the tables of their data
DATA = re.compile(r"<!-- data .*?<!-- end -->", re.DOTALL)
SUFFIXES = {"cpp": {".cpp"}, "c": {".c"}, "fortran": {".f90"}, "python": {".py"}, "cmake": {".txt"}, "yaml": {".yaml"}}
FOLDERS = ("examples", "examples/guide", "examples/core_collapse", "tests/install/consumer", "tests/install/consumer_c",
           "tests/install/consumer_fortran", "tests/install/subproject")
ELSEWHERE = {"spack", "mpif90", "gravlet"}  # not of every machine; the command, installed
BUILTINS = {"cd", "export", "source"}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def excerpts(root):
    """The committed files of each language that tests build or run: those that a CMakeLists.txt, or the command's test, names."""
    files = {}
    runs = "\n".join((root / "tests/tools" / name).read_text() for name in ("CMakeLists.txt", "command.sh"))
    for folder in FOLDERS:
        lists = (root / folder / "CMakeLists.txt").read_text() + runs
        for path in sorted((root / folder).iterdir()):
            if path.is_file() and (path.name == "CMakeLists.txt" or re.search(rf"\b{re.escape(path.stem)}\b", lists)):
                files[path] = path.read_text()
    return files


def is_excerpt(block, text):
    wanted, lines = block.rstrip("\n").split("\n"), text.split("\n")
    for first in range(len(lines) - len(wanted) + 1):
        if textwrap.dedent("\n".join(lines[first:first + len(wanted)])) == textwrap.dedent("\n".join(wanted)):
            return True
    return False


def wrong_commands(root, block, cmake):
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        for name in re.findall(r"-D ?(GRAVLET_\w+)", line):
            if not re.search(rf"\b{name}\b", cmake):
                yield f"no option of CMake: {name}"
        while words and re.match(r"\w+=", words[0]):
            words.pop(0)
        if words and re.match(r"mpi(run|exec)$", words[0]):
            words = words[3:]  # -n N PROGRAM; some machines have other launchers
        if not words:
            continue
        program = words[0]
        name = program.rsplit("/", 1)[-1]
        is_built = "/" in program and any(re.search(rf"\b{re.sub('_(c|fortran)$', '', name)}\b", text)
                                          for text in [cmake, (root / "examples/guide/CMakeLists.txt").read_text()])
        is_script = "/" in program and os.access(root / program, os.X_OK)
        if not (is_script or is_built or name in ELSEWHERE or program in BUILTINS or shutil.which(program)):
            yield f"no program {program}"
        if re.match(r"python3?$", program) and len(words) > 1 and words[1].endswith(".py") and not (root / words[1]).exists():
            yield f"no script {words[1]}"


def wrong_code(root, text):
    """What is wrong with the code blocks of a page."""
    files = excerpts(root)
    cmake = "\n".join(path.read_text() for path in [root / "CMakeLists.txt", *sorted((root / "cmake").glob("*.cmake")),
                                                    root / "examples/CMakeLists.txt"])
    found = ["a code block that does not end, or is indented"] if "```" in FENCE.sub("", text) else []
    for language, block in FENCE.findall(text):
        if language == "sh":
            found += wrong_commands(root, block, cmake)
        elif not any(path.suffix in SUFFIXES.get(language, ()) and is_excerpt(block, source) for path, source in files.items()):
            found.append(f"a block of {language or 'no language'} that is in no file that a test builds:\n{block}")
    return found


def anchors(text):
    names = [re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
             for line in FENCE.sub("", text).splitlines() if line.startswith("#")]
    return set(names) | set(re.findall(r'<a id="([^"]+)"', text))


def wrong_links(page, prose):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path) if path else page
        if not there.exists():
            yield f"no file {target}"
        elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text()):
            yield f"no heading {target}"


def measure(prose):
    """Words beside code blocks, and the mean of words a sentence. Rows of tables and headings are words, and no sentences."""
    words = sum(1 for word in prose.split() if re.search(r"\w", word))
    text = re.sub(r"\]\([^)]*\)", "]", prose)
    paragraphs = [paragraph for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text)
                  if paragraph.strip() and not re.match(r"\s*[|#!]", paragraph)]
    sentences = [s for paragraph in paragraphs
                 for s in re.split(r"(?<=[.!?])[)*_`]*\s+", re.sub(r"^\s*(?:[-*]|\d+\.) ", "", paragraph)) if re.search(r"\w", s)]
    return words, sum(len(s.split()) for s in sentences) / max(1, len(sentences))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted((root / "docs/guide").glob("*.md"))
    wrong = [] if len(pages) <= PAGES else [f"docs/guide: {len(pages)} pages, at most {PAGES}"]
    for page in pages:
        text = page.read_text()
        prose = FENCE.sub("", text)
        words, mean = measure(prose)
        if "--list" in sys.argv:
            print(f"{page.name}: {words} words, {mean:.1f} a sentence, {len(text.split())} with code")
        found = []
        if words > WORDS:
            found.append(f"{words} words, at most {WORDS}")
        if mean > MEAN:
            found.append(f"sentences of {mean:.1f} words, at most {MEAN}")
        found += wrong_code(root, text)
        found += wrong_links(page, prose)
        wrong += [f"docs/guide/{page.name}: {what}" for what in found]
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        if page in pages:
            continue
        prose = FENCE.sub("", page.read_text())
        if "--list" in sys.argv:
            words, mean = measure(prose)
            print(f"{page.relative_to(root)}: {words} words, {mean:.1f} a sentence, {len(page.read_text().split())} with code")
        wrong += [f"{page.relative_to(root)}: {what}" for what in wrong_links(page, prose)]
        most = FIGURES.get(str(page.relative_to(root / "docs"))) if page.is_relative_to(root / "docs") else None
        if most and measure(DATA.sub("", prose))[0] > most:
            wrong.append(f"{page.relative_to(root)}: {measure(DATA.sub('', prose))[0]} words, at most {most}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
