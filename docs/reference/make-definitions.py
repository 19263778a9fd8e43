#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a page of the definitions: make-definitions.py OUTPUT SOURCE...

The first comment of each SOURCE, the front of an operation, is its definition.
"""
import pathlib
import re
import sys


def definition(path):
    """The first comment but for the licence's, without its stars."""
    comments = re.findall(r"/\*(.*?)\*/", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = next(text for text in comments if "SPDX-License-Identifier" not in text)
    lines = [re.sub(r"^ \* ?", "", line) for line in text.strip().split("\n")]
    return "\n".join(lines).strip()


def main():
    output, *sources = sys.argv[1:]
    page = ["Title: Definitions", "", "# Definitions", "",
            "What each operation computes, exactly: every algorithm and device gives this result."]
    for source in map(pathlib.Path, sources):
        page += ["", f"## {source.stem.replace('-', ' ').capitalize()}", "",
                 "```", definition(source), "```"]
    pathlib.Path(output).write_text("\n".join(page) + "\n", encoding="utf-8")


main()
