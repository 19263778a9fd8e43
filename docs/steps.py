# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of docs/tutorial.md: docs/pictures.py makes the pictures with them, and
tests/docs/test-tutorial.py checks that each gives the results that the tutorial states.

A step has a name, its procedure with arguments, and the statements of the text about its results.
A step without a picture works on the layer made by the previous step.

FOLLOWED has the same steps as a person takes them, in the order of the tutorial; the text has each
label and each value of it.  tests/docs/test-tutorial-followed.py takes them in GIMP.
"""
import collections

Step = collections.namedtuple("Step", "name picture procedure arguments selection said")


def step(name, picture, procedure, arguments, said, selection=None):
    return Step(name, picture, procedure, arguments, selection, said)


SPOT = (300, 380, 30, 30)       # an ellipse in the gland: left, top, width, height

STEPS = (
    step("ground", "coins", "white-top-hat-by-reconstruction", {"element": "disc", "radius": 32},
         {}),
    step("filled", None, "fill-holes", {}, {}),
    step("hollows", "coins", "watershed", {"input": "gradient", "smoothing": 2.0},
         {"basins": "2026 basins"}),
    step("coins", "coins", "watershed",
         {"input": "gradient", "smoothing": 2.0, "merge_by": "volume", "merge_value": 20.0},
         {"basins": "25 basins"}),
    step("contours", "cells", "distance-map",
         {"threshold": 0.34, "output": "contours", "step": 4.0},
         {"maximum": "24 pixels"}),
    step("cells", "cells", "watershed",
         {"input": "objects", "automatic_threshold": True, "split_tolerance": 1.0},
         {"basins": "81 basins"}),
    step("glands", "ihc", "watershed",
         {"source": "blue", "input": "gradient", "smoothing": 5.0, "merge_by": "count",
          "merge_value": 6.0, "select_basins": True}, {"basins": "6 basins"},
         selection=SPOT),
    step("gland", None, "watershed",
         {"source": "blue", "valleys": "bright", "smoothing": 2.0, "tolerance": 0.03},
         {"basins": "83 basins"}),
)

# menu: below Filters ▸ Morphology; title: of the dialog; layers: how many the image has after OK.
# Before the dialog:
#   open NAME [ELLIPSE]   a picture, and an ellipse in it is selected
#   undo                  the step before
# In it, after Reset to Factory Defaults:
#   choose LABEL VALUE    in a menu or a row of buttons
#   type LABEL VALUE      a number
#   check LABEL           a box
#   press LABEL           a button
#   page LABEL            of the dialog
#   drag LABEL            a slider, from its left end to its right one
#   read TEXT             what the dialog says
Followed = collections.namedtuple("Followed", "name before menu title actions layers")
CLOSING = "Opening and Closing"
IN_COLOR = "Convert the image to RGB, for lines in color"

FOLLOWED = (
    Followed("coins", ("open", "coins"), ("Watershed",), "Watershed",
             (("choose", "Input", "Edges"), ("type", "Smoothing", "2"), ("page", "Basins"),
              ("choose", "Merge by", "Volume"), ("read", "2026 of 2026 basins"),
              ("drag", "Merge by"), ("type", "Merge by", "20"), ("read", "25 of 2026 basins"),
              ("page", "Output"), ("check", IN_COLOR)), 3),
    Followed("ground", None, (CLOSING, "White Top-Hat by Reconstruction"),
             "White Top-Hat by Reconstruction",
             (("choose", "Element", "Disc"), ("type", "Radius", "32")), 4),
    Followed("filled", None, ("Fill Holes",), "Fill Holes", (), 5),
    Followed("contours", ("open", "cells"), ("Distance Map",), "Distance Map",
             (("check", "Automatic"), ("type", "Threshold", "0.34"), ("page", "Distance"),
              ("choose", "Result", "Contour lines"), ("type", "Step", "4"),
              ("check", IN_COLOR)), 2),
    Followed("cells", ("undo",), ("Watershed",), "Watershed",
             (("choose", "Input", "Touching objects"), ("type", "Ignore necks shallower than", "1"), ("page", "Basins"),
              ("read", "81 of 81 basins"), ("page", "Output"), ("check", IN_COLOR)), 3),
    Followed("glands", ("open", "ihc", SPOT), ("Watershed",), "Watershed",
             (("choose", "Levels from", "Blue"), ("choose", "Input", "Edges"),
              ("type", "Smoothing", "5"), ("page", "Basins"),
              ("choose", "Merge by", "Number of basins"), ("type", "Merge by", "6"),
              ("page", "Output"), ("check", "Select basins")), 3),
    Followed("gland", None, ("Watershed",), "Watershed",
             (("choose", "Levels from", "Blue"), ("choose", "Objects are", "Bright"),
              ("type", "Smoothing", "2"), ("page", "Basins"), ("type", "Tolerance", "0.03"),
              ("read", "83 of 83 basins")), 5),
)
