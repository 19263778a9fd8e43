#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes two icons of a drawing: make-icon.py DRAWING.svg COLOUR.svg SYMBOLIC.svg

In a drawing, the class of each shape gives its meaning; this program gives it a colour:

strong   what the operation keeps or makes
accent   the subject of the operation: markers, lines, tops
gone     what the operation removes or fills
middle   between strong and weak
weak     the surroundings

A symbolic icon has one colour, which GTK replaces by the colour of the text; its tones differ in
opacity.  GTK fills every shape, so a drawing has no outlines, but shapes with holes.
"""
import sys
import xml.etree.ElementTree as ElementTree

SVG = "http://www.w3.org/2000/svg"

# class: colour and opacity in the colour icon and in the symbolic icon.  The colours have a middle
# brightness, to be visible on light and dark backgrounds.
LOOKS = {
    "strong": {"colour": ("#3584e4", 1), "symbolic": ("#2e3436", 1)},
    "accent": {"colour": ("#f07000", 1), "symbolic": ("#2e3436", 1)},
    "gone": {"colour": ("#f7b27a", 1), "symbolic": ("#2e3436", 0.4)},
    "middle": {"colour": ("#5f9fe9", 1), "symbolic": ("#2e3436", 0.45)},
    "weak": {"colour": ("#94bdee", 1), "symbolic": ("#2e3436", 0.4)},
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
            sys.exit(f"{drawing}: a {name} has none of the classes {', '.join(LOOKS)}")
        colour, opacity = LOOKS[meaning][kind]
        element.set("fill", colour)
        if opacity != 1:
            element.set("opacity", str(opacity))
    tree.write(icon, encoding="utf-8", xml_declaration=True)


def main():
    drawing, colour, symbolic = sys.argv[1:]
    ElementTree.register_namespace("", SVG)
    make_icon(drawing, "colour", colour)
    make_icon(drawing, "symbolic", symbolic)


if __name__ == "__main__":
    main()
