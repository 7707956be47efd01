# SPDX-License-Identifier: Apache-2.0
"""stage.py ROOT STAGE: puts the Markdown of a tree, and all that it links to, where Sphinx reads it.

The files stay as GitHub shows them, at their paths: README.md alone becomes index.md, with the table of contents below. A link to
a file that is no page, an example or a header, leads to a page that shows it; one to a folder, to a list of what is in it.
"""

import os
import pathlib
import re
import shutil
import sys

FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r'^<a id="([\w-]+)"></a>$', re.MULTILINE)  # an anchor that is no heading
LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".f90": "fortran", ".F90": "fortran", ".py": "python",
             ".yaml": "yaml", ".cff": "yaml", ".toml": "toml", ".cmake": "cmake", ".txt": "cmake", ".sbatch": "bash", ".sh": "bash"}
AS_THEY_ARE = {".png", ".svg", ".ipynb", ".pdf"}
# A shelf: its name, and its pages in this order; a pattern brings those of its files that nothing before has named.
SHELVES = {
    "Guide": ["docs/guide/README.md", "docs/guide/*.md"],
    "Hosts": ["docs/hosts.md", "docs/python.md", "docs/flash.md", "docs/amrex.md", "docs/athenak.md", "docs/sub_cycling.md"],
    "Reference": ["docs/packages.md", "docs/reference/*.md", "docs/performance.md", "docs/accuracy.md",
                  "docs/algorithm.md"],
    "Papers": ["docs/nbody.md", "docs/gpu_bh.md", "docs/scaling.md", "docs/core_collapse.md", "docs/judges.md", "docs/looking.md",
               "docs/*.md"],
    "Notebook": ["docs/notebook/*.md"],
    "Project": ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
}
API = """# The API of C++, C and Fortran

Written by Doxygen from the headers and modules:

- <a href="html/index.html">C++ and C</a>: what hosts include, `gravlet/*.hpp` and `gravlet.h`; the adapters of AMReX and Kokkos.
- <a href="fortran/index.html">Fortran</a>: the module `gravlet`.
"""


class Stage:
    def __init__(self, root, stage):
        self.root, self.stage, self.shown = root, stage, set()

    def page_of(self, path):
        """The page that a link to a file or folder leads to, by its path in the stage; it is made where there is none."""
        name = path.relative_to(self.root).as_posix()
        if name == "README.md":
            return "index.md"
        if path.is_dir() and (path / "README.md").is_file():
            return f"{name}/README.md"
        if path.suffix == ".md":
            return name
        if path.suffix in AS_THEY_ARE:
            self.copy(path, name)
            return name
        page = f"{name}/folder.md" if path.is_dir() else f"{name}.md"
        if page not in self.shown:
            self.shown.add(page)
            if path.is_dir():
                files = sorted(p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
                text = "\n".join(f"- [{p.relative_to(path)}]({os.path.relpath(self.page_of(p), name)})" for p in files)
            else:
                text = f"`````{LANGUAGES.get(path.suffix, 'none')}\n{path.read_text()}`````"
            self.write(page, f"---\norphan: true\nnosearch: true\n---\n# {name}\n\n{text}\n")
        return page

    def copy(self, path, name):
        to = self.stage / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)

    def write(self, name, text):
        to = self.stage / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)

    def rewritten(self, page, target):
        path, hash_, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            return target
        there = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
        if not there.exists() or self.root not in there.parents:
            sys.exit(f"{page.relative_to(self.root)}: a link to {target}, which is not there")
        if anchor and there.suffix == ".md" and anchor in NAMED.findall(there.read_text()):
            return anchor
        if not path:
            return target
        return os.path.relpath(self.page_of(there), page.parent.relative_to(self.root)) + hash_ + anchor

    def markdown(self, page, more=""):
        parts = FENCE.split(page.read_text())
        titles = 0
        for i, part in enumerate(parts[::2]):
            part = LINK.sub(lambda found: f"]({self.rewritten(page, found[1])})", NAMED.sub(r"(\1)=", part))
            if titles:  # a page has one title; GitHub has pages with several
                part = re.sub(r"^# ", "## ", part, flags=re.MULTILINE)
            else:
                first = re.search(r"^# .*$", part, re.MULTILINE)
                if first:
                    titles, end = 1, first.end()
                    part = part[:end] + re.sub(r"^# ", "## ", part[end:], flags=re.MULTILINE)
            parts[2 * i] = part
        self.write(self.page_of(page), ("" if titles else f"# {page.stem}\n\n") + "".join(parts) + more)

    def everything(self):
        contents, seen = "", {self.root / "README.md"}
        for shelf, patterns in SHELVES.items():
            pages = []
            for pattern in patterns:
                found = sorted(self.root.glob(pattern), key=self.order)
                pages += [page for page in found if page not in pages and page not in seen]
            seen.update(pages)
            names = [page.relative_to(self.root).as_posix() for page in pages]
            if shelf == "Reference" and (self.stage / "_extra/docs/reference/html").exists():
                names.append("docs/reference/api.md")
                self.write(names[-1], API)
            if names:
                settings = f":caption: {shelf}\n:hidden:\n:maxdepth: 1\n:titlesonly:\n\n"
                contents += "\n```{toctree}\n" + settings + "\n".join(names) + "\n```\n"
            for page in pages:
                self.markdown(page)
        self.markdown(self.root / "README.md", contents)

    def order(self, page):
        """Pages of a folder in the order of its README.md's table; those of the notebook by their dates, the last first."""
        if page.parent.name == "notebook":
            return [-ord(letter) for letter in page.name]
        first = page.parent / "README.md"
        place = first.read_text().find(f"]({page.name}) |") if first != self.root / "README.md" and first.exists() else -1
        return (place if place >= 0 else 1 << 30, page.name)


root, stage = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
Stage(root, stage).everything()
