# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance maps

How far each pixel is from a wall and four pillars, in three metrics. Bands of five pixels show the shapes of equal
distance: circles of the Euclidean metric, diamonds of the city-block metric, squares of the chessboard metric.
"""
import numpy as np
import wavefront
from show import heat, show

walls = np.zeros((150, 150), bool)
walls[[20, 60, 110, 130], [110, 30, 100, 25]] = True
walls[70:74, 60:140] = True
panels = []
for metric in "euclidean", "city-block", "chessboard":
    distances = wavefront.distance(~walls, metric=metric)
    panels.append(heat(distances // 5 * 5 + 5, mask=~walls))
show(*panels)
