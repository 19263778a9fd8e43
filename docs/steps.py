# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of docs/tutorial.md, once: docs/pictures.py makes its pictures by them, and
tests/docs/test-tutorial.py looks whether each gives what the tutorial says.

A step is called as the text calls it, works on the layer that the step before it has made if
it has no picture of its own, and has what the text says of its result.
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
