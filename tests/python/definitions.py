# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests compare with, by its definition, a pixel at a time."""
import itertools

import numpy as np


def steps(n, connectivity):
    """The offsets of a pixel's neighbors."""
    return [step for step in itertools.product((-1, 0, 1), repeat=n)
            if 1 <= sum(map(abs, step)) <= connectivity]


def components(image, background, offsets):
    """Components of equal values, numbered in raster order."""
    labels, n = np.zeros(image.shape, np.int32), 0
    for start in np.ndindex(image.shape):
        if labels[start] or image[start] == background:
            continue
        n += 1
        labels[start], found = n, [start]
        while found:
            place = found.pop()
            for step in offsets:
                there = tuple(map(sum, zip(place, step)))
                if all(0 <= a < side for a, side in zip(there, image.shape)) and \
                        not labels[there] and image[there] == image[start]:
                    labels[there] = n
                    found.append(there)
    return labels, n
