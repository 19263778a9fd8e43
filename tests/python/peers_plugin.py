# SPDX-License-Identifier: GPL-3.0-or-later
"""A plug-in of pytest that puts wavefront.skimage and wavefront.ndimage in the place of both.

Every module of scikit-image and SciPy that has one of the functions gets ours, before the tests are collected.
"""
import importlib
import json
import os
import sys

import wavefront.ndimage
import wavefront.skimage

PLACES = {"skimage.morphology": ("reconstruction", "local_maxima", "local_minima", "h_maxima",
                                 "h_minima", "area_opening", "area_closing", "remove_small_objects",
                                 "remove_small_holes"),
          "skimage.measure": ("label", "regionprops_table"),
          "skimage.segmentation": ("watershed", "clear_border", "expand_labels", "find_boundaries",
                                   "relabel_sequential"),
          "scipy.ndimage": ("label", "distance_transform_cdt", "distance_transform_edt",
                            "binary_fill_holes")}


def pytest_configure(config):
    for place, names in PLACES.items():
        module = importlib.import_module(place)
        package = wavefront.ndimage if place == "scipy.ndimage" else wavefront.skimage
        for name in names:
            theirs, ours = getattr(module, name), getattr(package, name)
            for other in list(sys.modules.values()):
                if getattr(other, "__name__", "").split(".")[0] in ("skimage", "scipy") and \
                        vars(other).get(name) is theirs:
                    setattr(other, name, ours)


results = {}


def pytest_runtest_logreport(report):
    # what fails while it is set up has failed, too
    if report.when == "call" or report.outcome != "passed":
        results[report.nodeid] = report.outcome


def pytest_sessionfinish():
    with open(os.environ["PEERS_RESULTS"], "w", encoding="utf-8") as file:
        json.dump(results, file)
