# SPDX-License-Identifier: GPL-3.0-or-later
"""What the help pages of every language have to hold: each procedure has a page with all its
arguments, choices and values; all links have targets; the HTML is well-formed."""

import html.parser

PREFIX = "plug-in-wavefront-"
GIVEN = ("run-mode", "image", "drawables")     # GIMP's own words for them are English
EMPTY = {"meta", "link", "img", "br", "hr", "input"}


class Page(html.parser.HTMLParser):
    """The links, ids, code, headings, tags, languages and faults of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.open, self.faults = [], [], [], []
        self.text, self.code, self.headings = "", [], []
        self.tags, self.languages = [], set()
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_startendtag(self, tag, attrs):
        self.look_at(tag, dict(attrs))

    def handle_starttag(self, tag, attrs):
        self.look_at(tag, dict(attrs))
        if tag not in EMPTY:
            self.open.append(tag)
        if tag == "code":
            self.code.append("")
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))

    def look_at(self, tag, attributes):
        self.tags.append(tag)
        self.languages |= {attributes[name] for name in ("lang", "xml:lang") if name in attributes}
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "img" and "alt" not in attributes:
            self.faults.append(f"{attributes['src']} has no alternative text")
        if tag == "th" and "scope" not in attributes:
            self.faults.append("a heading of a table has no scope")

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        self.text += data
        if "code" in self.open:
            self.code[-1] += data


def test_procedure(tap, procedure, page):
    missing = []
    for argument in procedure["arguments"]:
        if f"argument-{argument['name']}" not in page.ids:
            missing.append(argument["name"])
        if argument["name"] not in GIVEN and argument["blurb"] not in page.text:
            missing.append(argument["blurb"])
        for choice in argument.get("choices", []):
            missing += [part for part, where in ((choice["name"], page.code),
                                                 (choice["label"], page.text))
                        if part not in where]
    for value in procedure["values"]:
        missing += [part for part, where in ((value["name"], page.code),
                                             (value["blurb"], page.text)) if part not in where]
    tap.ok(not missing, f"{procedure['name']}: all arguments and values", *missing)
    tap.ok(sum(procedure["name"] in code for code in page.code) >= 2,
           f"{procedure['name']}: calls from two languages")


def test_links(tap, name, page, pages, folder, shared):
    broken = []
    for link in page.links:
        if link.startswith(("http:", "https:")):
            broken.append(f"{link} is not on this machine")
            continue
        path, _, anchor = link.partition("#")
        if path.startswith("../shared/"):
            if not (shared / path.removeprefix("../shared/")).is_file():
                broken.append(link)
        elif path and not (folder / path).is_file():
            broken.append(link)
        elif anchor and anchor not in pages[path.removesuffix(".html") or name].ids:
            broken.append(link)
    tap.ok(not broken, f"{name}: all links have targets", *broken)


def test_form(tap, name, page):
    faults = page.faults + [f"id {one} is there twice" for one in set(page.ids)
                            if page.ids.count(one) > 1]
    steps = [(a, b) for a, b in zip(page.headings, page.headings[1:]) if b > a + 1]
    tap.ok(not faults and not steps and page.headings.count(1) == 1 and "{{" not in page.text,
           f"{name}: well-formed, with one title and headings in steps", *faults, *steps)


def test_pages(tap, procedures, pages, folder, shared):
    for procedure in procedures:
        name = procedure["name"].removeprefix(PREFIX)
        if name in pages:
            test_procedure(tap, procedure, pages[name])
            tap.ok(f"{name}.html" in pages["index"].links, f"{name}: the overview leads to it")
        else:
            tap.ok(False, f"{procedure['name']} has a page")
    for name, page in pages.items():
        test_form(tap, name, page)
        test_links(tap, name, page, pages, folder, shared)


def read_pages(folder):
    return {path.stem: Page(path) for path in sorted(folder.glob("*.html"))}
