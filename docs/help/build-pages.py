#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the help pages of one language: build-pages.py --source DIR --out DIR ... JSON...

DIR/NAME.md is the source of NAME.html, in Markdown; DIR/words.xml has the words that this
program writes itself.  With --translate LANGUAGE and --po4a PROGRAM, po4a first translates both,
as the file po4a.cfg beside DIR says.  The JSON files are the descriptions that the plug-ins write
with --describe in this language.  A page with the name of a procedure (fill-holes) describes it,
and these lines of the page are replaced by data of the procedure:

    {{menu}}                        its place in the menus
    {{picture ALT}}                 NAME.png of the shared files
    {{picture_MORE ALT}}            NAME-MORE.png
    {{arguments}}  {{values}}       tables
    {{call NAME=VALUE ...}}         a call from Script-Fu and from Python

On any page {{pages}} is replaced by a list of all procedures.  A name in a call or on a page
that no procedure has is an error: a missing page is better than a wrong one.
"""
import argparse
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import markdown

PREFIX = "plug-in-wavefront-"
ICON = "wavefront"
SHARED = "../shared"     # what is the same in every language
# the arguments of every procedure, in the order of its table
COMMON = ("run-mode", "image", "drawables", "source", "stack", "algorithm", "device", "fallback",
          "threads", "tile-size", "memory-limit")
GIVEN = ("run-mode", "image", "drawables")     # in every call
GENERAL = ("index", "how-to", "common")        # the pages about no procedure
HUGE = 1e9                                     # more is no limit that anybody meets
MACRO = re.compile(r"^\{\{(\w+)(?: (.*))?\}\}$", re.MULTILINE)


class PageError(Exception):
    """An error in a page."""


def escape(text):
    return html.escape(str(text), quote=True)


def spell(number):
    return f"{number:.9g}"


class Procedure:
    """The description of one procedure."""

    def __init__(self, description):
        self.description = description
        self.name = description["name"]
        self.page = self.name.removeprefix(PREFIX)
        self.title = description["menu"]
        self.arguments = {argument["name"]: argument for argument in description["arguments"]}
        self.values = description["values"]

    def menu(self, words):
        places = [words["filters"], words["morphology"], self.description.get("submenu"),
                  self.title]
        return " ▸ ".join(escape(place) for place in places if place)

    def argument(self, name):
        if name not in self.arguments:
            raise PageError(f"{self.name} has no argument {name}")
        return self.arguments[name]


# ---------------------------------------------------------------- tables

def describe_values(argument, words):
    """The values of an argument, as HTML."""
    kind = argument["kind"]
    if "choices" in argument:
        items = "".join(f"<dt><code>{escape(choice['name'])}</code></dt>"
                        f"<dd>{escape(choice['label'])}</dd>" for choice in argument["choices"])
        return f"<dl>{items}</dl>"
    text = escape(words["kind-" + kind])
    if kind in ("integer", "number") and "minimum" in argument:
        least, most = argument["minimum"], argument["maximum"]
        text += ", " + (words["from"].format(spell(least)) if most >= HUGE else
                        words["range"].format(spell(least), spell(most)))
    return text


def describe_default(argument, words):
    default = argument.get("default")
    if default is None:
        return escape(words["none"])
    if isinstance(default, bool):
        return escape(words["yes" if default else "no"])
    if isinstance(default, str):
        return f"<code>{escape(default)}</code>" if default else escape(words["none"])
    return spell(default)


def make_table(columns, rows):
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    return (f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{body}</tbody>\n</table></div>")


def argument_row(argument, words):
    name = escape(argument["name"])
    if name in GIVEN:      # GIMP's own, which it does not translate
        argument = {**argument, "label": words["label-" + name], "blurb": words["blurb-" + name]}
    return (f'<th scope="row" id="argument-{name}"><code>{name}</code>'
            f'<span class="label">{escape(argument["label"])}</span></th>'
            f"<td>{escape(argument['blurb'])}</td>"
            f"<td>{describe_values(argument, words)}</td>"
            f"<td>{describe_default(argument, words)}</td>")


def arguments_table(procedure, words):
    columns = [words[name] for name in ("argument", "meaning", "values", "default")]
    own = [argument_row(argument, words) for name, argument in procedure.arguments.items()
           if name not in COMMON]
    common = [argument_row(procedure.arguments[name], words) for name in COMMON
              if name in procedure.arguments]
    return (make_table(columns, own) +
            f"\n<details><summary>{escape(words['common'])}</summary>\n" +
            make_table(columns, common) + "\n</details>")


def values_table(procedure, words):
    rows = [f'<th scope="row"><code>{escape(value["name"])}</code></th>'
            f"<td>{escape(value['blurb'])}</td>"
            f"<td>{escape(words['kind-' + value['kind']])}</td>" for value in procedure.values]
    return make_table([words[name] for name in ("value", "meaning", "type")], rows)


# ---------------------------------------------------------------- calls

def read_value(argument, text):
    """The value of an argument in a page; None for the name of a variable."""
    kind, name = argument["kind"], argument["name"]
    if "choices" in argument:
        if text not in [choice["name"] for choice in argument["choices"]]:
            raise PageError(f"{text} is no choice of {name}")
        return text
    if kind == "boolean":
        if text not in ("yes", "no"):
            raise PageError(f"{name} is yes or no, not {text}")
        return text == "yes"
    if kind in ("integer", "number", "level", "difference"):
        number = int(text) if kind == "integer" else float(text)
        if not argument["minimum"] <= number <= argument["maximum"]:
            raise PageError(f"{text} is out of the range of {name}")
        return number
    return text if kind in ("text", "device", "spacing") else None


def write_scheme(value, text):
    if value is None:
        return text
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return json.dumps(value) if isinstance(value, str) else spell(value)


def write_python(value, text):
    if value is None or isinstance(value, bool):
        return text if value is None else str(value)
    return json.dumps(value) if isinstance(value, str) else spell(value)


def scheme_call(procedure, values):
    parts = ["#:run-mode RUN-NONINTERACTIVE", "#:image image", "#:drawables (vector layer)"]
    parts += [f"#:{name} {write_scheme(*value)}" for name, value in values.items()]
    return f"({procedure.name}\n  " + "\n  ".join(parts) + ")"


def python_call(procedure, values):
    lines = [f'procedure = Gimp.get_pdb().lookup_procedure("{procedure.name}")',
             "config = procedure.create_config()",
             'config.set_property("image", image)',
             'config.set_core_object_array("drawables", [layer])']
    lines += [f'config.set_property("{name}", {write_python(*value)})'
              for name, value in values.items()]
    lines += ["result = procedure.run(config)"]
    return "\n".join(lines)


def make_call(procedure, text, words):
    values = {}
    for part in text.split():
        name, _, value = part.partition("=")
        values[name] = (read_value(procedure.argument(name), value), value)
    blocks = (("script-fu", "Script-Fu", scheme_call), ("python", "Python", python_call))
    return "\n".join(f'<p class="language">{escape(language)}</p>\n'
                     f'<pre><code class="{name}">{escape(call(procedure, values))}</code></pre>'
                     for name, language, call in blocks) + \
        f"\n<p>{escape(words['call-note'])}</p>"


# ---------------------------------------------------------------- pages

class Book:
    def __init__(self, arguments):
        self.source = pathlib.Path(arguments.source)
        self.out = pathlib.Path(arguments.out)
        self.language = self.source.name.replace("_", "-")
        self.version = arguments.version
        words = ElementTree.parse(self.source / "words.xml")
        self.words = {word.get("id"): word.text for word in words.iter("word")}
        self.procedures = {}
        for path in arguments.descriptions:
            for description in json.loads(pathlib.Path(path).read_text(encoding="utf-8")):
                procedure = Procedure(description)
                self.procedures[procedure.page] = procedure

    def expand(self, name, macro, text):
        """The replacement of a macro on the page of this name."""
        if macro == "pages":
            return self.list_pages()
        procedure = self.procedures.get(name)
        if procedure is None:
            raise PageError(f"no procedure is called {name}")
        if macro == "menu":
            return f'<p class="menu">{procedure.menu(self.words)}</p>'
        if macro == "picture":
            return self.show_picture(name, text)
        if macro.startswith("picture_"):
            return self.show_picture(f"{name}-{macro.partition('_')[2]}", text)
        if macro == "arguments":
            return arguments_table(procedure, self.words)
        if macro == "values":
            return values_table(procedure, self.words)
        if macro == "call":
            return make_call(procedure, text or "", self.words)
        raise PageError(f"{macro} means nothing")

    @staticmethod
    def show_picture(name, text):
        return f'<p class="picture"><img src="{SHARED}/{name}.png" alt="{escape(text)}"/></p>'

    def list_pages(self):
        items = [f'<li><a href="{page}.html"><img src="{SHARED}/{ICON}-{page}.svg" alt=""/>'
                 f"<strong>{escape(procedure.title)}</strong></a>"
                 f"<span>{escape(procedure.description['blurb'])}</span></li>"
                 for page, procedure in self.procedures.items()]
        return '<ul class="pages">\n' + "\n".join(items) + "\n</ul>"

    def navigation(self, name):
        entries = [(page, self.words["page-" + page]) for page in GENERAL]
        entries += [(page, procedure.title) for page, procedure in self.procedures.items()]
        items = []
        for page, title in entries:
            here = ' aria-current="page"' if page == name else ""
            items.append(f'<li><a href="{page}.html"{here}>{escape(title)}</a></li>')
        return "\n".join(items)

    def make(self, name):
        source = self.source / f"{name}.md"
        text = re.sub(r"^<!--.*?-->\s*", "", source.read_text(encoding="utf-8"), flags=re.DOTALL)
        try:
            text = MACRO.sub(lambda match: self.expand(name, match[1], match[2]), text)
        except (PageError, ValueError) as error:
            raise PageError(f"{source}: {error}") from error
        title = re.match(r"# (.*)", text)
        if not title:
            raise PageError(f"{source}: it does not begin with a title")
        body = markdown.markdown(text, extensions=["attr_list", "toc", "fenced_code"],
                                 output_format="xhtml")
        icon = f"{ICON}-{name}" if name in self.procedures else ICON
        page = PAGE.format(language=self.language, title=escape(title[1]), icon=f"{SHARED}/{icon}", body=body,
                           suite=escape(self.words["suite"]), version=escape(self.version),
                           contents=escape(self.words["contents"]),
                           navigation=self.navigation(name))
        ElementTree.fromstring(page)     # not well-formed: an error of a page's own HTML
        (self.out / f"{name}.html").write_text(page, encoding="utf-8")


PAGE = """<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="{language}" xml:lang="{language}">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{title} – {suite}</title>
<link rel="stylesheet" href="../shared/style.css"/>
<link rel="icon" href="{icon}.svg"/>
</head>
<body>
<nav aria-label="{contents}">
<p><a href="index.html">{suite}</a> {version}</p>
<ul>
{navigation}
</ul>
</nav>
<main>
<img class="icon" src="{icon}.svg" alt=""/>
{body}
</main>
</body>
</html>
"""


def translate(arguments, folder):
    """Writes the sources in the language to a folder; returns where they are.  What has no
    translation stays English."""
    config = pathlib.Path(arguments.source).parent / "po4a.cfg"
    done = subprocess.run([arguments.po4a, "--no-update", "--quiet", "--srcdir", config.parent,
                           "--destdir", folder, config],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PageError(f"po4a failed: {done.stderr.strip()}")
    return pathlib.Path(folder) / arguments.translate


def make_all(arguments):
    with tempfile.TemporaryDirectory() as folder:
        if arguments.translate:
            arguments.source = translate(arguments, folder)
        book = Book(arguments)
        for name in arguments.pages.split(","):
            book.make(name)


def main():
    parser = argparse.ArgumentParser(description="Makes the help pages of one language.")
    parser.add_argument("--source", required=True)
    parser.add_argument("--translate", metavar="LANGUAGE")
    parser.add_argument("--po4a", default="po4a")
    parser.add_argument("--out", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--pages", required=True, help="the names of the pages, with commas")
    parser.add_argument("descriptions", nargs="+")
    arguments = parser.parse_args()

    try:
        make_all(arguments)
    except (PageError, KeyError, OSError, ElementTree.ParseError) as error:
        sys.exit(f"build-pages: {error}")


if __name__ == "__main__":
    main()
