# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of regions

Coins are labelled, those at the border are cleared, and each is measured. Left: the axes of the ellipse with the same
moments; right: coins by their diameters, larger ones lighter.
"""
import numpy as np
import wavefront
from show import gray, heat, photograph, show

coins = photograph("coins")
marks = wavefront.threshold(wavefront.gaussian(coins, sigma=2), method="mean", radius=60)
marks = wavefront.clear_border(wavefront.opening(wavefront.fill_holes(marks), element="disc", radius=3))
labels, n = wavefront.label(marks)
labels, n = wavefront.remove_small(labels, area=500)

table = wavefront.measure(labels, measures=["centroid", "equivalent-diameter", "ellipse",
                                            "orientation"])
panel = gray(coins)
for x, y, length, angle in zip(table["centroid_x"], table["centroid_y"], table["ellipse_major"],
                               np.radians(table["orientation"])):
    along = np.linspace(-length / 2, length / 2, 200)
    panel[(y - along * np.sin(angle)).astype(int), (x + along * np.cos(angle)).astype(int)] = 255, 216, 0
diameters = np.zeros(labels.max() + 1)
diameters[table["label"]] = table["equivalent_diameter"]
print(n, "coins; diameters from", f"{table['equivalent_diameter'].min():.1f} to",
      f"{table['equivalent_diameter'].max():.1f} pixels")
show(panel, heat(diameters[labels]))
