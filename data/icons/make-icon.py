#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes two icons of a drawing: make-icon.py DRAWING.svg COLOUR.svg SYMBOLIC.svg

A drawing says of each shape what it means, and this says how that looks:

strong   what stays or is made
accent   what the operation is about: markers, lines, tops
gone     what the operation takes away or fills
middle   between strong and weak
weak     what is around that

A symbolic icon has one colour, which GTK replaces by that of the text; tones are told apart
by how opaque they are.  GTK fills every shape, so that a drawing has no outlines: it has
shapes with holes.
"""
import sys
import xml.etree.ElementTree as ElementTree

SVG = "http://www.w3.org/2000/svg"

# class: colour and how opaque it is, as a colour icon and as a symbolic one.  The colours are
# of a middle brightness, to be seen on light and on dark.
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
            sys.exit(f"{drawing}: a {name} has no class of {', '.join(LOOKS)}")
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
