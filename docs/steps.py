# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of docs/tutorial.md: docs/pictures.py makes the pictures with them, and
tests/docs/test-tutorial.py checks that each gives the results that the tutorial states.

A step has a name, its procedure with arguments, and the statements of the text about its results.
A step without a picture works on the layer made by the previous step.
"""
import collections

Step = collections.namedtuple("Step", "name picture procedure arguments selection said")


def step(name, picture, procedure, arguments, said, selection=None):
    return Step(name, picture, procedure, arguments, selection, said)


STEPS = (
    step("ground", "coins", "white-top-hat", {"element": "disc", "radius": 32}, {}),
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
         selection=(300, 380, 30, 30)),
    step("gland", None, "watershed",
         {"source": "blue", "valleys": "bright", "smoothing": 2.0, "tolerance": 0.03},
         {"basins": "64 basins"}),
)
