# SPDX-License-Identifier: GPL-3.0-or-later
"""A plug-in of pytest that puts wavefront.skimage in the place of scikit-image and SciPy.

Every module of both that has one of the functions gets ours, before the tests are collected.
"""
import importlib
import json
import os
import sys

import wavefront.skimage

PLACES = {"skimage.morphology": ("reconstruction", "local_maxima", "local_minima", "area_opening",
                                 "area_closing"),
          "skimage.measure": ("label",),
          "skimage.segmentation": ("expand_labels",),
          "scipy.ndimage": ("distance_transform_edt", "binary_fill_holes")}


def pytest_configure(config):
    for place, names in PLACES.items():
        module = importlib.import_module(place)
        for name in names:
            theirs, ours = getattr(module, name), getattr(wavefront.skimage, name)
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
