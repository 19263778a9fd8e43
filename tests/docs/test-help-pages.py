#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-help-pages.py BUILDER SOURCE PAGES SHARED DESCRIPTION.json...

Checks the English help pages in the folder PAGES, with their pictures in SHARED (help_page.py).
The builder refuses pages that name arguments, choices or values that do not exist.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from help_page import read_pages, test_pages
from tap import Tap


def build(builder, source, out, descriptions, name):
    return subprocess.run([sys.executable, builder, "--source", source, "--out", out,
                           "--version", "1", "--pages", name, *descriptions],
                          capture_output=True, text=True, check=False)


def test_refusals(tap, builder, source, descriptions):
    """The builder refuses pages with one wrong change each."""
    changes = {
        "an unknown choice": ("opening-by-reconstruction", "element=disc", "element=hexagon"),
        "an unknown argument": ("opening-by-reconstruction", "radius=4", "size=4"),
        "a number out of its range": ("opening-by-reconstruction", "radius=4", "radius=-4"),
        "a level out of its range": ("h-maxima", "height=0.15", "height=15"),
        "an unknown insertion": ("opening-by-reconstruction", "{{values}}", "{{results}}"),
        "malformed HTML": ("opening-by-reconstruction", "## Errors", "<p>Errors"),
        "no title": ("opening-by-reconstruction", "# Opening", "Opening"),
    }
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "en"
        shutil.copytree(source, copy)
        for what, (name, old, new) in changes.items():
            page = copy / f"{name}.md"
            before = page.read_text(encoding="utf-8")
            right = build(builder, copy, folder, descriptions, name)
            page.write_text(before.replace(old, new, 1), encoding="utf-8")
            wrong = build(builder, copy, folder, descriptions, name)
            page.write_text(before, encoding="utf-8")
            tap.ok(old in before and right.returncode == 0 and wrong.returncode == 1 and
                   wrong.stderr.startswith("build-pages: "),
                   f"refused: {what}", right.stderr, wrong.stderr)


def main():
    builder, source = sys.argv[1:3]
    folder, shared = map(pathlib.Path, sys.argv[3:5])
    descriptions = sys.argv[5:]
    tap = Tap()
    procedures = [procedure for path in descriptions
                  for procedure in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))]

    tap.ok(len(procedures) >= 15, "the plug-ins describe their procedures")
    test_pages(tap, procedures, read_pages(folder), folder, shared)
    test_refusals(tap, builder, source, descriptions)
    tap.done()
    return tap.failures > 0


if __name__ == "__main__":
    sys.exit(main())
