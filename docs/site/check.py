# SPDX-License-Identifier: Apache-2.0
"""check.py SITE: each link of its pages leads to a file and an anchor that are there, and nothing is loaded from elsewhere."""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], set()
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors.update(named[name] for name in ("id", "name") if named.get(name))
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        for name in ("src", "href"):
            if tag in ("script", "img", "link", "iframe", "object") and named.get(name) and named.get("rel") != "canonical":
                self.loaded.append(named[name])


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    by_doxygen = (site / "docs/reference/html", site / "docs/reference/fortran")  # led to, and not looked through
    pages = {path: Page(path) for path in site.rglob("*.html")}
    wrong, count = [], 0
    for path, page in pages.items():
        if any(folder in path.parents for folder in by_doxygen):
            continue
        wrong += [f"{path.relative_to(site)} loads {it}" for it in page.loaded if "//" in it]
        for link in page.links + page.loaded:
            where = urllib.parse.urlsplit(link)
            if where.scheme or where.netloc:
                continue
            count += 1
            there = (path.parent / urllib.parse.unquote(where.path)).resolve() if where.path else path
            if not there.is_file():
                wrong.append(f"{path.relative_to(site)}: no file {link}")
            elif where.fragment and there in pages and urllib.parse.unquote(where.fragment) not in pages[there].anchors:
                wrong.append(f"{path.relative_to(site)}: no anchor {link}")
    print(f"site: {len(pages)} pages, {count} links within")
    sys.exit("\n".join(wrong) if wrong else 0)


main()
