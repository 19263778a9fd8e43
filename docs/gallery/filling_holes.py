# SPDX-License-Identifier: GPL-3.0-or-later
"""Holes filled by reconstruction

Reconstruction by erosion lets an image sink from a seed that is high everywhere but on the border, until it meets the
picture: what no path from the border reaches without a climb stays filled. `wavefront.fill_holes()` is this in one call.
Left: the picture; middle: filled; right: what was filled.
"""
import numpy as np
import wavefront
from show import heat, photograph, show

coins = photograph("coins")
seed = coins.copy()
seed[1:-1, 1:-1] = coins.max()
filled = wavefront.reconstruct(coins, seed, by="erosion", connectivity=4)
assert np.array_equal(filled, wavefront.fill_holes(coins, connectivity=4))
show(coins, filled, heat(filled - coins))
