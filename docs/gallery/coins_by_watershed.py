# SPDX-License-Identifier: GPL-3.0-or-later
"""Coins by the watershed

The slopes of the picture are flooded from two markers, one of pixels that are surely background and one of pixels
that are surely coins, so the border between both runs along the edges. Left: the photograph; middle: its slopes;
right: the coins.
"""
import numpy as np
import wavefront
from show import outlined, photograph, show

coins = photograph("coins")
slopes = wavefront.gradient(wavefront.gaussian(coins, sigma=1))
markers = np.zeros(coins.shape, np.uint32)
markers[coins < 30] = 1
markers[coins > 150] = 2
regions = wavefront.watershed(slopes, markers).labels

found, n = wavefront.label(wavefront.fill_holes(regions == 2))
found, n = wavefront.remove_small(found, area=20)
print(n, "coins")
show(coins, slopes, outlined(coins, found))
