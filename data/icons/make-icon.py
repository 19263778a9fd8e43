#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes two icons of a drawing: make-icon.py DRAWING.svg COLOR.svg SYMBOLIC.svg

The class of a shape in the drawing is its meaning, from which this program makes its look:

strong   parts that the operation keeps or makes
accent   the subject of the operation: markers, lines, peaks
gone     parts that the operation removes or fills
middle   between strong and weak
weak     the surroundings

A symbolic icon has one color, which GTK replaces by that of the text; opacity distinguishes
its tones.  GTK fills every shape, so a drawing has shapes with holes instead of outlines.
"""
import sys
import xml.etree.ElementTree as ElementTree

SVG = "http://www.w3.org/2000/svg"

# class: color and opacity in the color icon and in the symbolic icon.  The colors have
# medium brightness, visible on light and on dark backgrounds.
LOOKS = {
    "strong": {"color": ("#3584e4", 1), "symbolic": ("#2e3436", 1)},
    "accent": {"color": ("#f07000", 1), "symbolic": ("#2e3436", 1)},
    "gone": {"color": ("#f7b27a", 1), "symbolic": ("#2e3436", 0.4)},
    "middle": {"color": ("#5f9fe9", 1), "symbolic": ("#2e3436", 0.45)},
    "weak": {"color": ("#94bdee", 1), "symbolic": ("#2e3436", 0.4)},
}
SHAPES = ("path", "rect", "circle", "ellipse")


def make_icon(drawing, kind, icon):
    tree = ElementTree.parse(drawing)
    for element in tree.iter():
        name = element.tag.removeprefix("{%s}" % SVG)
        if name not in SHAPES:
            continue
        meaning = element.attrib.pop("class", None)
        if meaning not in LOOKS:
            sys.exit(f"{drawing}: a {name} has no class of {', '.join(LOOKS)}")
        color, opacity = LOOKS[meaning][kind]
        element.set("fill", color)
        if opacity != 1:
            element.set("opacity", str(opacity))
    tree.write(icon, encoding="utf-8", xml_declaration=True)


def main():
    drawing, color, symbolic = sys.argv[1:]
    ElementTree.register_namespace("", SVG)
    make_icon(drawing, "color", color)
    make_icon(drawing, "symbolic", symbolic)


if __name__ == "__main__":
    main()
