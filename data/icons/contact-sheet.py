#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws all icons in one picture: contact-sheet.py FOLDER OUT.png

FOLDER has color icons (NAME.svg) and symbolic ones (NAME-symbolic.svg).  Each is drawn at
16, 24 and 64 pixels on a light and on a dark background, symbolic icons in the color of the
text, as in GTK.
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf   # noqa: E402

SVG = "http://www.w3.org/2000/svg"
SIZES = (16, 24, 64)
GROUNDS = (("#f5f5f5", "#2e3336"), ("#2b2b2b", "#eeeeee"))   # each with its text
COLUMNS = 2
GAP = 10
ROW = max(SIZES) + GAP
BLOCK = sum(SIZES) + GAP * (len(SIZES) + 1)


def add(parent, kind, **attributes):
    return ElementTree.SubElement(parent, f"{{{SVG}}}{kind}",
                                  {name: str(value) for name, value in attributes.items()})


def read(path, text):
    root = ElementTree.parse(path).getroot()
    if path.stem.endswith("-symbolic"):
        for shape in root.iter():
            if "fill" in shape.attrib:
                shape.set("fill", text)
    return root


def add_block(sheet, path, left, top, ground, text):
    add(sheet, "rect", x=left, y=top, width=BLOCK, height=ROW, fill=ground)
    left += GAP
    for size in SIZES:
        icon = read(path, text)
        for name, value in (("x", left), ("y", top + (ROW - size) // 2),
                            ("width", size), ("height", size)):
            icon.set(name, str(value))
        sheet.append(icon)
        left += size + GAP


def main():
    folder, out = map(pathlib.Path, sys.argv[1:])
    icons = sorted(path for path in folder.glob("*.svg") if not path.stem.endswith("-symbolic"))
    rows = -(-len(icons) // COLUMNS)
    ElementTree.register_namespace("", SVG)
    sheet = ElementTree.Element(f"{{{SVG}}}svg", width=str(COLUMNS * 4 * BLOCK),
                                height=str(rows * ROW))
    for number, icon in enumerate(icons):
        for part in range(4):
            path = icon if part % 2 == 0 else icon.with_name(f"{icon.stem}-symbolic.svg")
            add_block(sheet, path, (number // rows * 4 + part) * BLOCK, number % rows * ROW,
                      *GROUNDS[part // 2])

    loader = GdkPixbuf.PixbufLoader.new_with_type("svg")
    loader.write(ElementTree.tostring(sheet))
    loader.close()
    loader.get_pixbuf().savev(str(out), "png", [], [])


if __name__ == "__main__":
    main()
